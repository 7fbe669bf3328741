"""What pi has changed and what fills its context, in a real terminal."""

from tests.e2e.conftest import Start
from tests.e2e.person import send, wait_for_answer
from tests.terminal.screen import Terminal

TURN = """#tool edit {"path":"hello.py","edits":[{"oldText":"'hello'","newText":"'hi'"}]}
#tool write {"path":"notes.md","content":"# Notes\\n"}
#tool edit {"path":"hello.py","edits":[{"oldText":"nowhere","newText":"here"}]}
#tool bash {"command":"echo more >> notes.md"}
#then
#say Changed."""


def see(terminal: Terminal, *texts: str) -> str:
    return terminal.wait(lambda screen: all(text in screen for text in texts))


def test_the_files_that_were_changed_are_listed_and_a_change_is_found_in_the_chat(start: Start) -> None:
    terminal = start()
    send(terminal, TURN)
    wait_for_answer(terminal, "Changed.")
    send(terminal, "/changes")
    see(terminal, "2 files · 2 changes · +2 -1", "hello.py", "notes.md", "1 shell command ran", "Esc closes")
    terminal.press("down")
    see(terminal, "'hi'")
    terminal.press("enter")
    terminal.wait("Tab menu")
    see(terminal, "✓ edit hello.py +1 -1")


def test_the_context_is_told_before_and_after_a_compaction(start: Start) -> None:
    terminal = start(LAB_TPS="0", LAB_CHUNK="2000")
    for length in (81_000, 82_000):
        send(terminal, f"#md {length}\n#say Said {length}.")
        wait_for_answer(terminal, f"Said {length}.")
    send(terminal, "/context")
    see(terminal, "of 200,000 tokens", "What pi adds itself", "Answers", "compacts by itself", "Esc closes")
    terminal.press("escape")
    terminal.wait_gone("Esc closes")
    send(terminal, "/compact")
    terminal.wait("compacted")
    send(terminal, "/context")
    see(terminal, "; the next answer tells how many", "Summaries", "1 compaction put away about", "Esc closes")
    terminal.press("tab", "enter")
    terminal.wait("Tab menu")
