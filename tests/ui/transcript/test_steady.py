"""Whatever happens in the session, the text at the top of the view stays there until the person moves away from it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from pitui.rpc.messages import TextPart
from pitui.session.blocks import Block, ThinkingBlock, ToolBlock, ToolState
from pitui.session.model import Aspect
from pitui.ui.widgets.transcript.folds import Folds
from tests.ui.transcript.talk import Chat, Talk

SIZE = (80, 24)
WORD = re.compile(r"w\d{5}")
number = st.integers(0, 10_000)
few = st.integers(1, 40)
SHAPES = ("{} ", "{} " * 14, "\n\n{}", "\n\n- {}\n- {}", "\n\n```\n{}\n{}\n```\n\n", "\n\n> {}")


@dataclass
class Anchor:
    """What has to stay at the top: a block, and of its text this word, where the row has one."""

    block_id: int
    word: str | None


class Reading(RuleBasedStateMachine):
    """A person reads while pi works."""

    chat: Chat

    def __init__(self) -> None:
        super().__init__()
        self.words = 0
        self.talk = Talk()
        self.transcript = self.chat.transcript
        self.transcript.session = self.talk.session
        for _ in range(5):
            self.talk.prompt(self.said("{} {} {}"))
            self.talk.thinking(self.said("{}\n\n{}"))
            self.talk.tool("bash", output=self.said("{}\n" * 9), command=self.said("{}"))
            self.talk.answer(self.said("{} " * 30 + "\n\n- {}\n  - {}\n\n{}\n"))
        self.open = self.talk.answer(self.said("{}"), finished=False)
        self.talk.changes.aspects |= Aspect.REPLACED
        self.view.folds, self.view.times = Folds(), False
        self.resize(*SIZE)
        self.sync()
        self.anchor: Anchor | None = None

    # what stays

    def said(self, shape: str) -> str:
        """Words that nobody has said before."""

        def word(_: re.Match[str]) -> str:
            self.words += 1
            return f"w{self.words:05}"

        return re.sub(r"\{\}", word, shape)

    @property
    def view(self) -> Any:
        return self.transcript.viewport

    def row(self, y: int = 0) -> str:
        row = self.view.screen[y]
        return "" if row.line < 0 else row.drawn.lines[row.line].strip.text

    def block_at(self, y: int = 0) -> Block:
        return self.view.blocks[self.view.screen[y].number]

    def rows_of(self, block: Block) -> list[int]:
        """The rows of the screen where some of it stands."""
        return [y for y, row in enumerate(self.view.screen) if row.line >= 0 and self.block_at(y) is block]

    def let_go(self) -> None:
        """The person moved, or what was at the top is no longer there to be seen."""
        word = WORD.search(self.row())
        self.anchor = None if self.view.following else Anchor(self.block_at().id, word and word.group())

    def is_at_the_top(self, block: Block) -> bool:
        return self.anchor is not None and self.anchor.block_id == block.id

    @invariant()
    def the_same_text_is_at_the_top(self) -> None:
        if self.view.following:
            assert self.view.at_end
            self.anchor = None
        elif self.anchor is None:
            self.let_go()
        else:
            assert self.block_at().id == self.anchor.block_id
            assert self.anchor.word is None or self.anchor.word in self.row() or self.row().endswith("…")

    def sync(self) -> None:
        self.transcript.sync(self.talk.take())

    def comes(self, happens: Callable[[], object]) -> None:
        """Something is added, which is no reason to follow."""
        following = self.view.following
        happens()
        self.sync()
        assert self.view.following == following

    def any_block(self, at: int) -> Block:
        return self.talk.session.blocks[at % len(self.talk.session.blocks)]

    # what pi does

    @rule(shape=st.sampled_from(SHAPES))
    def says_more(self, shape: str) -> None:
        self.comes(lambda: self.talk.says(self.open, self.said(shape)))

    @rule()
    def ends_its_answer_and_begins_another(self) -> None:
        def ends() -> None:
            self.open.finished = True
            self.open.replace(self.open.text)
            self.talk.changes.blocks.add(self.open.id)
            self.open = self.talk.answer(self.said("{}"), finished=False)

        self.comes(ends)

    @rule(lines=few)
    def runs_a_tool(self, lines: int) -> None:
        def runs() -> None:
            tool = self.talk.tool("bash", output=self.said("{}\n" * lines), command=self.said("{}"))
            tool.state = ToolState.RUNNING

        self.comes(runs)

    @rule(at=number, lines=few, state=st.sampled_from([ToolState.RUNNING, ToolState.DONE, ToolState.FAILED]))
    def a_tool_goes_on(self, at: int, lines: int, state: ToolState) -> None:
        tools = [block for block in self.talk.session.blocks if isinstance(block, ToolBlock)]
        tool = tools[at % len(tools)]
        tool.output = [TextPart(text=self.said("{}\n" * lines))]
        tool.state = state
        self.talk.changed(tool)
        self.sync()
        if self.is_at_the_top(tool):
            assert self.view.following or self.block_at() is tool
            self.let_go()

    @rule(at=number)
    def something_is_put_between(self, at: int) -> None:
        def put() -> None:
            block = self.talk.tool("read", output=self.said("{}\n{}"), path=self.said("{}"))
            self.talk.session.blocks.remove(block)
            self.talk.session.blocks.insert(at % len(self.talk.session.blocks), block)

        self.comes(put)

    @rule(at=number)
    def something_is_taken_away(self, at: int) -> None:
        block = self.any_block(at)
        if block is not self.open and not self.is_at_the_top(block):
            self.talk.session.blocks.remove(block)
            self.talk.changes.aspects |= Aspect.BLOCKS
            self.sync()

    # what the person does

    @rule(rows=st.integers(-60, 40))
    def scrolls(self, rows: int) -> None:
        self.transcript.scroll_rows(rows)
        self.let_go()

    @rule(page=st.sampled_from(["page_up", "page_up", "page_down", "top", "end", "previous_prompt", "next_prompt"]))
    def goes(self, page: str) -> None:
        getattr(self.transcript, page)()
        self.let_go()

    @rule(width=st.integers(16, 120), height=st.integers(3, 40))
    def resizes(self, width: int, height: int) -> None:
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        self.view.resize(width, height)
        self.transcript.show()

    @rule(y=st.integers(0, 39))
    def opens_or_folds_what_is_seen(self, y: int) -> None:
        block = self.block_at(y % len(self.view.screen))
        rows = self.rows_of(block)
        if not rows or not isinstance(block, ToolBlock | ThinkingBlock):
            return
        self.transcript.toggle_block(block.id)
        assert self.view.following or self.block_at(rows[0]) is block
        self.let_go()  # the line that was opened stays; a blank row above it may come or go

    @rule(at=number)
    def opens_or_folds_what_is_elsewhere(self, at: int) -> None:
        block = self.any_block(at)
        if isinstance(block, ToolBlock | ThinkingBlock) and not self.rows_of(block):
            self.view.folds.set(block, not self.view.folds(block))
            self.talk.changed(block)
            self.sync()

    @rule(kind=st.sampled_from(["tool", "thinking"]))
    def opens_or_folds_all(self, kind: str) -> None:
        top = self.block_at()
        self.transcript.toggle_kind(kind)
        if self.anchor and top.kind == kind and not self.view.following:
            assert self.block_at() is top
            self.let_go()

    @rule(times=st.booleans())
    def shows_or_hides_times(self, times: bool) -> None:
        self.transcript.set_times(times)


async def test_nothing_but_the_person_moves_the_view() -> None:
    chat = Chat(Talk())
    async with chat.run_test(size=SIZE):
        Reading.chat = chat
        run_state_machine_as_test(
            Reading,
            settings=settings(
                max_examples=40,
                stateful_step_count=30,
                deadline=None,
                phases=[Phase.reuse, Phase.generate, Phase.shrink],
                print_blob=False,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            ),
        )
