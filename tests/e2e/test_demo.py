"""The demo agent as a program: what it takes, how it ends, and that it never runs what a person typed."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conversation import Conversation, Place, demo_command


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place.make(tmp_path)


def started(place: Place, *words: str, **environment: str) -> Conversation:
    return Conversation([*demo_command(), *words], place, place.environment(**environment))


def said(conversation: Conversation) -> str:
    """The last answer."""
    return conversation.call("get_last_assistant_text")["data"]["text"]


def test_what_is_typed_never_reaches_a_real_shell(place: Place) -> None:
    demo = started(place)
    for command in ("touch made", "echo x > made", "ls; touch made", "echo $(touch made)", "true && touch made"):
        assert demo.call("bash", command=command)["success"]
    demo.run('#tool bash {"command":"touch made"}')
    demo.run('#tool write {"path":"made","content":"x"}')
    assert demo.close() == 0
    assert [path.name for path in place.project.iterdir()] == ["hello.py"]


def test_it_says_the_version_of_pi_that_it_speaks_like() -> None:
    shown = subprocess.run([*demo_command(), "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout == "1.6.0\n"


def test_an_option_that_pi_does_not_know_is_refused_as_pi_refuses_it() -> None:
    ended = subprocess.run([*demo_command(), "--nosuch"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "Error: Unknown option: --nosuch\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_the_middle_of_a_stream(place: Place, number: signal.Signals) -> None:
    demo = started(place, LAB_TPS="50")
    demo.start("#md 100000", "message_update")
    demo.process.send_signal(number)
    assert demo.process.wait(10) == 128 + number
    demo.close()


def test_a_killed_demo_goes_on_with_the_same_session(place: Place) -> None:
    demo = started(place)
    demo.run("remember this")
    file = demo.call("get_state")["data"]["sessionFile"]
    demo.process.kill()
    demo.close()
    again = started(place, "--session", file)
    texts = [message["content"][0]["text"] for message in again.call("get_messages")["data"]["messages"][1:]]
    assert texts == ["remember this", "You said: remember this\n\n"]
    again.run("and this")
    assert len(again.call("get_fork_messages")["data"]["messages"]) == 2
    assert again.close() == 0


def test_continue_opens_the_latest_session_and_no_session_keeps_none(place: Place) -> None:
    demo = started(place, "--no-session")
    demo.run("not kept")
    assert "sessionFile" not in demo.call("get_state")["data"]
    demo.close()
    kept = started(place, "--name", "a name")
    kept.run("kept")
    kept.close()
    again = started(place, "--continue")
    state = again.call("get_state")["data"]
    assert (state["sessionName"], state["messageCount"]) == ("a name", 3)
    again.close()


def test_sessions_are_kept_in_a_folder_of_the_person_that_nobody_else_reads(place: Place) -> None:
    demo = started(place)
    demo.run("kept")
    file = Path(demo.call("get_state")["data"]["sessionFile"])
    demo.close()
    assert file.is_relative_to(place.home)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


def test_an_export_is_a_page_with_what_was_said(place: Place) -> None:
    demo = started(place)
    demo.run("<b>bold words</b>")
    path = demo.call("export_html", outputPath="page.html")["data"]["path"]
    assert "&lt;b&gt;bold words&lt;/b&gt;" in (place.project / path).read_text("utf-8")
    demo.close()


def test_shown_to_a_person_it_answers_plain_words(place: Place) -> None:
    demo = started(place, DEMO_SHOW="1", LAB_TPS="0")
    demo.wait(lambda record: record.get("method") == "notify")
    demo.run("please make it nicer")
    assert "Done" in said(demo)
    edit = demo.wait(lambda record: record.get("type") == "tool_execution_end" and record["toolName"] == "edit")
    assert "+2     print(f'hello {name}')" in edit["result"]["details"]["diff"]
    demo.run("and again")
    assert "Nothing more to change" in said(demo)
    demo.run("help")
    assert "**queue**" in said(demo)
    demo.close()


def test_shown_to_a_person_it_asks_before_a_dangerous_command(place: Place) -> None:
    demo = started(place, DEMO_SHOW="1", LAB_TPS="0")
    since = len(demo.lines)
    demo.call("prompt", message="ask me something")
    asked = demo.wait(lambda record: record.get("method") == "confirm", since)
    demo.tell(type="extension_ui_response", id=asked["id"], confirmed=False)
    demo.event("agent_settled", since)
    blocked = demo.wait(lambda record: record.get("type") == "tool_execution_end", since)
    assert blocked["isError"]
    demo.close()
