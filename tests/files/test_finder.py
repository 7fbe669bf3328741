"""Asking the process that searches: answers come while it goes on, and nothing here ever waits for it."""

import os
import queue
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitui.files import finder
from pitui.files.finder import Finder, Found
from tests.files.test_listing import git, make

SECONDS = 20.0


class Asker:
    def __init__(self) -> None:
        self.answers: queue.SimpleQueue[Found] = queue.SimpleQueue()
        self.finder = Finder(self.answers.put)

    def answer(self, number: int) -> Found:
        """The last answer to that question."""
        deadline = time.monotonic() + SECONDS
        while True:
            found = self.answers.get(timeout=max(0.0, deadline - time.monotonic()))
            if found.number == number and not found.searching:
                return found

    def paths(self, folder: Path, query: str, **options: bool) -> list[str]:
        return self.answer(self.finder.ask(folder, query, **options)).paths


@pytest.fixture
def asker() -> Iterator[Asker]:
    asker = Asker()
    yield asker
    asker.finder.close()


def test_a_file_is_found_by_some_of_its_letters(asker: Asker, tmp_path: Path) -> None:
    make(tmp_path, "src/main.py", "docs/main.md", "other.txt")
    assert asker.paths(tmp_path, "mai") == ["src/main.py", "docs/main.md"]
    assert asker.paths(tmp_path, "smp") == ["src/main.py"]
    found = asker.answer(asker.finder.ask(tmp_path, "nothing of the kind"))
    assert (found.paths, found.listed, found.limited) == ([], 5, False)


def test_a_folder_that_is_written_out_bounds_the_search(asker: Asker, tmp_path: Path) -> None:
    make(tmp_path, "src/a.py", "src/deep/ab.py", "lib/a.py")
    assert asker.paths(tmp_path, "src/") == ["src/deep/", "src/a.py"]
    assert asker.paths(tmp_path, "src/b") == ["src/deep/ab.py"]


def test_a_folder_that_git_ignores_is_looked_into_when_it_is_written_out(asker: Asker, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "a.py", "build/out.o")
    (tmp_path / ".gitignore").write_text("build/")
    assert asker.paths(tmp_path, "out") == []
    assert asker.paths(tmp_path, "build/") == ["build/out.o"]


def test_a_path_elsewhere_goes_on_from_its_folder(
    asker: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    make(tmp_path, "home/notes.txt", "project/a.py", "project/.env", "elsewhere/b.py")
    project = tmp_path / "project"
    assert asker.paths(project, "../else") == ["../elsewhere/"]
    assert asker.paths(project, f"{tmp_path}/elsewhere/") == [f"{tmp_path}/elsewhere/b.py"]
    assert asker.paths(project, "~/no") == ["~/notes.txt"]
    assert asker.paths(project, "a", path=True) == ["a.py"]
    assert asker.paths(project, "p", path=True) == []
    assert asker.paths(project, "./", path=True) == ["./.env", "./a.py"]


def test_what_git_has_not_noticed_to_be_gone_is_not_offered(asker: Asker, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "apple.py", "apricot.py")
    git(tmp_path, "add", "--all")
    (tmp_path / "apple.py").unlink()
    assert asker.paths(tmp_path, "ap") == ["apricot.py"]


def test_what_is_new_is_found_when_it_is_asked_for_anew(
    asker: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a1")
    assert asker.paths(tmp_path, "a") == ["a1"]
    make(tmp_path, "a2")
    deadline = time.monotonic() + SECONDS
    while asker.paths(tmp_path, "a", fresh=True) != ["a1", "a2"]:  # a list that is young enough is not made anew
        assert time.monotonic() < deadline


def test_another_folder_is_another_list(asker: Asker, tmp_path: Path) -> None:
    make(tmp_path, "one/a1", "two/a2")
    assert asker.paths(tmp_path / "one", "a") == ["a1"]
    assert asker.paths(tmp_path / "two", "a") == ["a2"]


def test_the_last_of_many_questions_is_answered(asker: Asker, tmp_path: Path) -> None:
    make(tmp_path, *(f"file{number}" for number in range(300)))
    numbers = [asker.finder.ask(tmp_path, query) for query in ("f", "fi", "fil", "file2", "file29", "file299")]
    assert asker.answer(numbers[-1]).paths == ["file299"]


def test_modules_that_lie_in_the_folder_are_not_run(
    asker: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("open('was_run', 'w')")
    monkeypatch.chdir(tmp_path)
    assert asker.paths(tmp_path, "json") == ["json.py"]
    assert not (tmp_path / "was_run").exists()


def test_a_folder_that_does_not_answer_is_given_up_and_the_next_question_is_answered(
    asker: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.py")
    monkeypatch.setattr(finder, "HUNG_SECONDS", 0.0)
    monkeypatch.setattr(finder, "COMMAND", ("sleep", "60"))
    asker.finder.ask(tmp_path, "a")
    monkeypatch.undo()
    monkeypatch.setattr(finder, "HUNG_SECONDS", 0.0)
    assert asker.paths(tmp_path, "a") == ["a.py"]


def test_closing_ends_the_process(tmp_path: Path) -> None:
    asker = Asker()
    make(tmp_path, "a.py")
    asker.paths(tmp_path, "a")
    process = asker.finder._process
    assert process is not None
    asker.finder.close()
    deadline = time.monotonic() + SECONDS
    while process.poll() is None:
        assert time.monotonic() < deadline
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
