"""A person with many sessions and one long tree, in a real terminal on the real pi: every way to go on from what was.

What is on disk afterwards is what pi itself wrote: it reads each file as it stands, and the old ones are untouched.
"""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pitui.companion import COMPANION
from tests.e2e.conftest import Start
from tests.e2e.conversation import Place
from tests.e2e.person import opens_the_tree, send, wait_for_answer
from tests.terminal.screen import Terminal

CONTINUE, SUMMARIZE, INSTRUCT, FORK, CLONE = range(5)
"""The rows of the menu of an entry."""
SUMMARY = "branch left behind"
OF_PI = {"message", "model_change", "thinking_level_change", "label", "branch_summary"}
"""The kinds of entries that are in the files: what pi makes of what was done, and nothing of ours."""


def says(terminal: Terminal, *texts: str) -> None:
    for text in texts:
        send(terminal, text)
        wait_for_answer(terminal, f"You said: {text}")


def chooses(terminal: Terminal, words: str, row: int, *, prompts: bool = False) -> None:
    """Find the one entry that has these words, and do something with it."""
    opens_the_tree(terminal)
    terminal.press(*["ctrl+u"] * prompts)
    terminal.type(words)
    terminal.wait("1 found")
    terminal.press("enter")
    terminal.wait("Continue here, with a summary you direct")
    terminal.press(*["down"] * row, "enter")


def adds_to_the_prompt(terminal: Terminal, text: str, words: str) -> None:
    """The text of the entry is in the editor: change it, and send it again."""
    terminal.wait(re.compile(rf"^▌ {re.escape(text)}$", re.MULTILINE).search)
    terminal.type(f" {words}")
    terminal.press("enter")
    wait_for_answer(terminal, f"You said: {text} {words}")


def labels_where_it_is(terminal: Terminal, label: str) -> None:
    opens_the_tree(terminal)
    terminal.press("ctrl+e")
    terminal.wait("Label")
    terminal.type(label)
    terminal.press("enter")
    terminal.wait(f"[{label} ")
    terminal.press("escape")
    terminal.wait_gone("type to search")


def moves_with_summaries_and_back(terminal: Terminal) -> None:
    """One that Esc stops, one as it comes, one as told; then back with one key."""
    chooses(terminal, "you said plan path", INSTRUCT)
    terminal.wait("What should the summary")
    terminal.type("write at length")
    terminal.press("enter")
    terminal.wait("summarizing the branch")
    terminal.press("escape")
    terminal.wait("Cancelled: nothing has moved.")
    assert SUMMARY not in terminal.text
    wait_for_answer(terminal, "You said: Plan the pond. Deeper.")

    chooses(terminal, "you said plan path", SUMMARIZE)
    terminal.wait(SUMMARY)
    wait_for_answer(terminal, "You said: Plan the path.")
    chooses(terminal, "you said plan the beds", INSTRUCT)
    terminal.wait("What should the summary")
    terminal.type("keep the names")
    terminal.press("enter")
    terminal.wait(lambda screen: SUMMARY in screen and "You said: Plan the path." not in screen)
    terminal.type("\x1bz")
    terminal.wait("Back where it was.")
    wait_for_answer(terminal, "You said: Plan the path.")


def finds_what_was_said_long_ago(terminal: Terminal, word: str, said: str) -> None:
    send(terminal, "/resume")
    terminal.wait("latest first")
    terminal.type(word)
    terminal.wait("1 of ")
    terminal.press("enter")
    terminal.wait_gone("latest first")
    wait_for_answer(terminal, said)
    terminal.wait(f"Find {word}")
    terminal.press("escape")
    terminal.wait_gone(f"Find {word}")
    wait_for_answer(terminal, said)


class Files:
    """The session files of a place, in the order in which they came."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.paths: list[Path] = []
        self._left: dict[Path, bytes] = {}

    def newest(self) -> Path:
        """The one that came since this was asked last."""
        [path] = [path for path in self._place.home.rglob("sessions/**/*.jsonl") if path not in self.paths]
        self.paths.append(path)
        return path

    def leave(self) -> None:
        """The newest one is not open any more, and must stay as it is."""
        self._left[self.paths[-1]] = self.paths[-1].read_bytes()

    def changed(self) -> list[Path]:
        """Those that were written to after they were left."""
        return [path for path, content in self._left.items() if path.read_bytes() != content]


def entries_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def as_pi_reads_it(pi: list[str], place: Place, path: Path) -> list[dict[str, Any]]:
    """The entries that pi itself finds in a file which it opens, without anything of ours."""
    command = [*pi, "--mode", "rpc", "--session", str(path)]
    asked = b'{"id":"1","type":"get_entries"}\n'
    ran = subprocess.run(
        command, input=asked, cwd=place.project, env=place.environment(), capture_output=True, timeout=60, check=True
    )
    answers = map(json.loads, ran.stdout.splitlines())
    return next(answer["data"]["entries"] for answer in answers if answer.get("command") == "get_entries")


@pytest.mark.parametrize("agent_words", ["pi"], indirect=True)
@pytest.mark.timeout(300)
def test_everything_a_person_does_with_sessions_leaves_files_of_pi(
    start: Start, place: Place, real_pi: list[str]
) -> None:
    terminal = start("--companion", str(COMPANION))
    files = Files(place)
    says(terminal, "Apples first.", "The quokka naps at noon.")
    send(terminal, "#md 6000\n#say The end of it.")
    wait_for_answer(terminal, "The end of it.")
    old = files.newest()
    files.leave()

    send(terminal, "/new")
    terminal.wait_gone("The end of it.")
    says(terminal, "Plan the beds.", "Plan the pond.", "Plan the path.")
    garden = files.newest()
    chooses(terminal, "plan the pond", CONTINUE, prompts=True)
    adds_to_the_prompt(terminal, "Plan the pond.", "Deeper.")
    terminal.wait_gone("Plan the path.")
    labels_where_it_is(terminal, "deep water")
    moves_with_summaries_and_back(terminal)
    says(terminal, "Now the fence.")
    files.leave()

    chooses(terminal, "plan the path", FORK, prompts=True)
    adds_to_the_prompt(terminal, "Plan the path.", "Of gravel.")
    gravel = files.newest()
    files.leave()
    chooses(terminal, "you said plan pond", FORK)
    terminal.wait("A new session that ends with this.")
    says(terminal, "With frogs.")
    frogs = files.newest()
    files.leave()
    send(terminal, "/clone")
    terminal.wait("Cloned")
    says(terminal, "And with newts.")
    newts = files.newest()
    finds_what_was_said_long_ago(terminal, "quokka", "You said: The quokka naps at noon.")
    assert not re.search(r"^ *The end of it", terminal.text, re.MULTILINE)  # it is at the place, not at the end
    terminal.press("ctrl+d")
    assert str(old) in terminal.wait("To come back").replace("\n", "")
    assert terminal.exit_code() == 0

    assert files.changed() == []
    found = {path: entries_in(path) for path in files.paths}
    for path, (header, *entries) in found.items():
        content = path.read_bytes()
        assert as_pi_reads_it(real_pi, place, path) == entries
        assert path.read_bytes() == content
        assert list(header) == [
            "type",
            "version",
            "id",
            "timestamp",
            "cwd",
            *["parentSession"] * (path not in (old, garden)),
        ]
        assert header["cwd"] == str(place.project)
        assert {entry["type"] for entry in entries} <= OF_PI and "/pitui " not in json.dumps(entries)
    parents = {path: found[path][0].get("parentSession") for path in (gravel, frogs, newts)}
    assert parents == {gravel: str(garden), frogs: str(gravel), newts: str(frogs)}
    of_kind = {kind: [e for e in found[garden] if e["type"] == kind] for kind in ("label", "branch_summary")}
    assert [entry["label"] for entry in of_kind["label"]] == ["deep water"]
    assert len(of_kind["branch_summary"]) == 2
