"""A folder with prompts of its own: the real pi has them when the person has said so, and not else."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.conftest import WIDE, Start
from tests.e2e.conversation import MODEL, Place
from tests.e2e.person import send, wait_for_answer
from tests.pi.stored import Store
from tests.terminal.screen import Terminal
from tests.ui.test_sessions import talk

pytestmark = pytest.mark.timeout(180)

QUESTION = "Trust what this folder brings?"
TAKES_KEYS = "Enter choose"
READY = "script · medium"
ANSWERS = ["not now", "this time", "always", "parent", "never"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place.make(tmp_path)
    brings(place.project)
    return place


@pytest.fixture
def start(real_pi: list[str], place: Place) -> Iterator[Start]:
    with ExitStack() as stack:

        def run(*words: str) -> Terminal:
            command = [sys.executable, "-m", "pitui", "--pi", shlex.join(real_pi), "-e", str(MODEL)]
            command += ["--model", "lab/script", *words]
            return stack.enter_context(Terminal(command, place.project, place.environment(), WIDE))

        yield run


def brings(folder: Path) -> None:
    """A prompt template of the folder's own."""
    prompts = folder / ".pi" / "prompts"
    prompts.mkdir(parents=True)
    (prompts / "greet.md").write_text("---\ndescription: says hello\n---\n#say Greeted.", "utf-8")


def answer(terminal: Terminal, answer: str) -> None:
    terminal.wait(lambda text: QUESTION in text and TAKES_KEYS in text)
    terminal.press(*["down"] * ANSWERS.index(answer), "enter")
    terminal.wait_gone(QUESTION)


def knows(terminal: Terminal) -> bool:
    """Whether pi has the template; the words for it are left in the prompt if not."""
    terminal.wait(READY)
    send(terminal, "/greet ")
    return "Greeted." in terminal.wait(lambda text: "Greeted." in text or "pi has no command /greet" in text)


def kept(place: Place) -> dict[str, bool]:
    file = place.home / ".pi" / "agent" / "trust.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


@pytest.mark.parametrize(
    ("said", "trusted", "keeps"),
    [
        ("not now", False, {}),
        ("this time", True, {}),
        ("always", True, {"project": True}),
        ("parent", True, {"": True}),
        ("never", False, {"project": False}),
    ],
)
def test_the_answer_decides_whether_pi_has_the_prompts_of_the_folder(
    start: Start, place: Place, said: str, trusted: bool, keeps: dict[str, bool]
) -> None:
    terminal = start()
    terminal.wait("prompt templates: greet.md")
    answer(terminal, said)
    assert knows(terminal) is trusted
    parent = place.project.parent
    assert kept(place) == {str(parent / name): value for name, value in keeps.items()}


def test_pi_reads_what_was_answered_as_it_was_meant(start: Start, place: Place, real_pi: list[str]) -> None:
    terminal = start()
    answer(terminal, "always")
    terminal.wait(READY)
    terminal.press("ctrl+q")
    terminal.exit_code()
    asked = subprocess.run(
        [*real_pi, "-e", str(MODEL), "--mode", "rpc", "--no-session"],
        input=b'{"type":"get_commands"}\n',
        capture_output=True,
        cwd=place.project,
        env=place.environment(),
        timeout=60,
        check=True,
    )
    assert b"says hello" in asked.stdout
    again = start()
    again.wait(READY)
    assert QUESTION not in again.text


def test_what_is_typed_ahead_goes_into_the_prompt_and_answers_nothing(start: Start, place: Place) -> None:
    terminal = start()
    terminal.type("typed ahead")
    terminal.wait(lambda text: QUESTION in text and TAKES_KEYS in text)
    terminal.press("escape")
    terminal.wait(READY)
    assert "typed ahead" in terminal.text
    assert kept(place) == {}


def test_a_person_can_leave_instead_of_answering(start: Start, place: Place) -> None:
    terminal = start()
    terminal.wait(TAKES_KEYS)
    assert len(terminal.descendants()) <= 1, "pi runs already"
    terminal.press("ctrl+c")
    assert terminal.exit_code() == 0
    assert kept(place) == {}


def test_an_option_answers_and_a_folder_that_is_not_trusted_is_told_of(start: Start) -> None:
    terminal = start("--no-approve")
    terminal.wait_told("is not trusted, and not loaded")
    assert not knows(terminal)


def test_a_damaged_file_is_said_and_kept(start: Start, place: Place) -> None:
    file = place.home / ".pi" / "agent" / "trust.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"broken')
    terminal = start()
    terminal.wait_told("It is left as it is")
    answer(terminal, "this time")
    assert knows(terminal)
    assert file.read_text() == '{"broken'


def test_trust_can_be_changed_later_and_the_draft_stays(start: Start, place: Place) -> None:
    terminal = start()
    answer(terminal, "never")
    terminal.wait(READY)
    send(terminal, "#say Before.")
    wait_for_answer(terminal, "Before.")
    send(terminal, "/trust")
    terminal.wait_told("not trusted, as was decided for this folder")
    terminal.press("home", "down", "down", "enter")
    terminal.wait("pi was started again")
    terminal.wait_gone("starting pi")
    assert knows(terminal)
    assert "Before." in terminal.text
    assert kept(place) == {str(place.project): True}


def test_the_folder_of_another_session_is_asked_about_before_it_is_opened(start: Start, place: Place) -> None:
    other = place.home.parent / "other"
    brings(other)
    path = Store(place.home).write("one", *talk("said long ago", "and answered"), cwd=other)
    terminal = start()
    answer(terminal, "always")
    terminal.wait(READY)
    send(terminal, f"/resume {path}")
    terminal.wait(str(other))
    answer(terminal, "this time")
    terminal.wait("said long ago")
    assert knows(terminal)
    assert kept(place) == {str(place.project): True}
    send(terminal, "/trust")
    terminal.wait("trusted, as you answered for this time")


def test_for_this_time_holds_for_no_other_folder(start: Start, place: Place) -> None:
    other = place.home.parent / "other"
    brings(other)
    path = Store(place.home).write("one", *talk("said long ago", "and answered"), cwd=other)
    terminal = start()
    answer(terminal, "this time")
    terminal.wait(READY)
    send(terminal, f"/resume {path}")
    terminal.wait(str(other))
    answer(terminal, "never")
    terminal.wait("said long ago")
    terminal.wait_gone("starting pi")
    assert not knows(terminal)
