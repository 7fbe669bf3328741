"""Commands of the person."""

from pitui.rpc.results import BashResult
from pitui.session.blocks import BashBlock
from pitui.session.facts import BashEnded, BashStarted

from .telling import Telling


def block(told: Telling, index: int = 0) -> BashBlock:
    found = told.session.blocks[index]
    assert isinstance(found, BashBlock)
    return found


def test_the_output_grows_and_the_result_says_how_it_ended() -> None:
    told = Telling()
    told.take(BashStarted("r1", "ls", True))
    told.pi("bash_execution_update", id="r1", delta="a\n")
    told.pi("bash_execution_update", id="r1", delta="b\x1b[0m\n")
    assert (told.chat, block(told).running, block(told).excluded) == (["$ ls: a\nb\x1b[0m\n"], True, True)
    told.now += 2
    told.take(BashEnded("r1", BashResult(output="b\n", exit_code=3, truncated=True, full_output_path="/tmp/x")))
    found = block(told)
    assert found.text == "a\nb\x1b[0m\n"
    assert (found.exit_code, found.truncated, found.full_output_path, found.duration) == (3, True, "/tmp/x", 2)
    assert (found.running, found.finished, told.session.bashes) == (False, True, {})


def test_a_result_that_holds_more_than_was_streamed_is_taken() -> None:
    told = Telling()
    told.take(BashStarted("r1", "ls", False), BashEnded("r1", BashResult(output="all of it")))
    assert told.chat == ["$ ls: all of it"]


def test_commands_at_the_same_time_are_told_apart() -> None:
    told = Telling()
    told.take(BashStarted("r1", "one", False), BashStarted("r2", "two", False))
    told.pi("bash_execution_update", id="r2", delta="2")
    told.pi("bash_execution_update", id="r1", delta="1")
    told.pi("bash_execution_update", id="nobody", delta="3")
    assert told.chat == ["$ one: 1", "$ two: 2"]
    told.take(BashEnded("r1", BashResult(cancelled=True)), BashEnded("nobody", None))
    assert (block(told).cancelled, list(told.session.bashes)) == (True, ["r2"])


def test_a_command_that_could_not_be_run_says_why() -> None:
    told = Telling()
    told.take(BashStarted("r1", "ls", False), BashEnded("r1", None, "no such folder"))
    assert (block(told).error, block(told).finished) == ("no such folder", True)
