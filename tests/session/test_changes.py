"""What pi has changed: which files, by which calls, in whose turn."""

from collections.abc import Iterator, Sequence
from typing import Any

from pitui.session.blocks import BashBlock, Block, Delivery, PromptBlock, ToolBlock, ToolState
from pitui.session.changes import changed, changed_path


class Talk:
    """Blocks one after another."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []

    def asks(self, text: str, delivery: Delivery = Delivery.DELIVERED) -> PromptBlock:
        block = PromptBlock(id=len(self.blocks), text=text, delivery=delivery)
        self.blocks.append(block)
        return block

    def runs(self, name: str, state: ToolState = ToolState.DONE, **arguments: Any) -> ToolBlock:
        block = ToolBlock(id=len(self.blocks), name=name, state=state, arguments=arguments)
        self.blocks.append(block)
        return block


def paths(blocks: Sequence[Block], cwd: str = "/garden") -> list[str]:
    return list(changed(blocks, cwd).files)


def test_the_file_that_was_changed_last_is_at_the_end() -> None:
    talk = Talk()
    talk.runs("write", path="a.py")
    talk.runs("edit", path="b.py")
    talk.runs("edit", path="a.py")
    assert paths(talk.blocks) == ["b.py", "a.py"]


def test_a_change_is_known_with_the_prompt_it_was_made_for() -> None:
    talk = Talk()
    before = talk.runs("write", path="a.py")
    prompt = talk.asks("Greet by name")
    after = talk.runs("edit", path="a.py")
    assert changed(talk.blocks, "").files["a.py"] == [(before, None), (after, prompt)]


def test_a_prompt_that_waits_or_never_came_is_nobodys_turn() -> None:
    talk = Talk()
    prompt = talk.asks("Greet by name")
    talk.asks("refused", Delivery.FAILED)
    talk.asks("queued", Delivery.QUEUED)
    run = talk.runs("edit", path="a.py")
    assert changed(talk.blocks, "").files["a.py"] == [(run, prompt)]


def test_what_failed_or_has_not_come_to_its_end_has_changed_nothing() -> None:
    talk = Talk()
    for state in ToolState:
        talk.runs("edit", state, path=f"{state.name}.py")
    assert paths(talk.blocks) == ["DONE.py"]


def test_only_tools_that_write_files_change_them() -> None:
    talk = Talk()
    talk.runs("read", path="a.py")
    talk.runs("mcp__files__edit", path="b.py")
    talk.runs("edit", path=["no", "text"])
    talk.runs("write")
    assert paths(talk.blocks) == []


def test_a_file_has_one_name_however_it_is_written() -> None:
    written = ("src/a.py", "./src/a.py", "src/../src//a.py", "/garden/src/a.py", "@src/a.py")
    assert {changed_path("edit", {"path": path}, "/garden") for path in written} == {"src/a.py"}
    assert {changed_path("edit", {"path": path}) for path in written if path[0] != "/"} == {"src/a.py"}


def test_a_file_elsewhere_keeps_its_whole_path() -> None:
    assert changed_path("edit", {"path": "/gardener/a.py"}, "/garden") == "/gardener/a.py"
    assert changed_path("edit", {"path": "../a.py"}, "/garden/shed") == "/garden/a.py"
    assert changed_path("edit", {"path": "a.py"}, "/") == "a.py"


def test_commands_that_ran_are_counted_for_nobody_knows_what_they_changed() -> None:
    talk = Talk()
    for state in ToolState:
        talk.runs("bash", state, command="rm x")
    talk.blocks.append(BashBlock(id=99, command="rm y"))
    assert changed(talk.blocks, "").commands == 4  # running, done and failed ones, and that of the person


def test_thousands_of_changes_of_one_file_take_no_longer_than_those_of_many() -> None:
    def edits(count: int, files: int) -> Iterator[Block]:
        for number in range(count):
            yield ToolBlock(id=number, name="edit", state=ToolState.DONE, arguments={"path": f"{number % files}.py"})

    assert len(changed(edits(50_000, 1), "").files["0.py"]) == 50_000
    assert len(changed(edits(50_000, 1000), "").files) == 1000
