"""All files of a folder, in a repository and elsewhere, whatever lies there."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from pitui.files import listing
from pitui.files.listing import Listing, names_in


def make(folder: Path, *paths: str) -> Path:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("")
    return folder


def git(folder: Path, *arguments: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    names = ("-c", "user.name=A", "-c", "user.email=a@b")
    subprocess.run(["git", *names, *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def listed(folder: Path) -> list[str]:
    found = finished(folder)
    assert found.lowered == [path.lower() for path in found.paths]
    return sorted(found.paths)


def finished(folder: Path) -> Listing:
    found = Listing(str(folder))
    deadline = time.monotonic() + 20
    while not found.done and time.monotonic() < deadline:
        found.grown.wait(0.01)
    assert found.done
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    make(tmp_path, "README.md", "src/Main.py", "src/deep/er/a b.py", ".github/ci.yml", "build/out.o", "gone.py")
    (tmp_path / ".gitignore").write_text("build/\n")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_a_repository_tells_what_is_in_it_and_what_is_new_but_not_what_it_ignores(repository: Path) -> None:
    make(repository, "new/file.py", "build/more.o")
    assert listed(repository) == sorted(
        [
            *(".github/", ".github/ci.yml", ".gitignore", "README.md", "gone.py", "new/", "new/file.py"),
            *("src/", "src/Main.py", "src/deep/", "src/deep/er/", "src/deep/er/a b.py"),
        ]
    )


def test_a_folder_within_a_repository_is_listed_by_itself(repository: Path) -> None:
    assert listed(repository / "src") == ["Main.py", "deep/", "deep/er/", "deep/er/a b.py"]


def test_an_ignored_folder_of_a_repository_is_walked_through(repository: Path) -> None:
    assert listed(repository / "build") == ["out.o"]


def test_names_that_are_no_text_come_whole(repository: Path) -> None:
    strange = ["two\nlines", "esc\x1b[31m", "[red]", "quo\"te'", "日本語", "turn\u202e", "sp ace", "-rf"]
    make(repository, *strange)
    (repository / os.fsdecode(b"no\xfftext")).write_text("")
    assert set(listed(repository)) >= {*strange, "no\udcfftext"}


def test_a_program_that_the_repository_names_is_not_run(repository: Path) -> None:
    program = repository / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch {repository}/was_run\n")
    program.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(program))
    finished(repository)
    assert not (repository / "was_run").exists()


def test_elsewhere_every_gitignore_counts_and_git_itself_is_left_out(tmp_path: Path) -> None:
    make(
        tmp_path,
        "a.py",
        "a.log",
        ".hidden",
        ".git/config",
        "sub/b.log",
        "sub/keep.log",
        "sub/c.tmp",
        "out/x",
        "sub/out/y",
    )
    (tmp_path / ".gitignore").write_text("*.log\n/out/\n")
    (tmp_path / "sub" / ".gitignore").write_text("!keep.log\n*.tmp\n")
    (tmp_path / ".git" / "HEAD").write_text("nothing that git knows")
    assert listed(tmp_path) == sorted(
        [".gitignore", ".hidden", "a.py", "sub/", "sub/.gitignore", "sub/keep.log", "sub/out/", "sub/out/y"]
    )


def test_nothing_that_lies_there_holds_it_up(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "sub/b.py", "closed/secret")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    (tmp_path / "broken").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "sub" / ".gitignore")
    (tmp_path / "closed").chmod(0)
    try:
        found = listed(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert set(found) - {"closed/secret"} == {
        *("a.py", "broken", "closed/", "pipe", "sub/", "sub/.gitignore", "sub/b.py", "sub/loop")
    }


def test_there_is_an_end_and_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST", 10)
    make(tmp_path, *(f"{folder}/{number}" for folder in "abc" for number in range(8)))
    found = finished(tmp_path)
    assert found.limited
    assert 10 <= len(found.paths) < 27
    assert {"a/", "b/", "c/"} <= set(found.paths)


def test_an_empty_or_missing_folder_has_nothing(tmp_path: Path) -> None:
    assert listed(tmp_path) == []
    assert listed(tmp_path / "nowhere") == []
    assert names_in(str(tmp_path / "nowhere")) == []


def test_the_names_in_one_folder_tell_where_a_link_leads(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "sub/b.py", ".git/config")
    (tmp_path / "link").symlink_to("sub")
    (tmp_path / "broken").symlink_to("nowhere")
    assert sorted(names_in(str(tmp_path))) == ["a.py", "broken", "link/", "sub/"]
