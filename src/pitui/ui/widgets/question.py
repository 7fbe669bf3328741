"""A question of pitui itself, above the prompt."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from pitui.render.text import cells, clean_line, wrap

LONGEST = 300
"""Characters of a question."""


class Question(Widget, can_focus=True):
    """Asks, and takes the focus while it does. The first answer is the safe one: Esc and typing on mean it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"question--answer", "question--chosen"}

    class Left(Message):
        """The person went on writing instead of answering: the key, or the paste, is for the prompt."""

        def __init__(self, written: events.Key | events.Paste) -> None:
            super().__init__()
            self.written = written

    chosen = reactive(0)

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._answers: Sequence[str] = ()
        self._answered: asyncio.Future[int] | None = None
        self.display = False

    @property
    def is_open(self) -> bool:
        return self._answered is not None

    async def ask(self, text: str, answers: Sequence[str]) -> int:
        """The number of the answer that was given. A question that was open before is answered safely."""
        self.answer(0)
        self._answered = asyncio.get_running_loop().create_future()
        answered = self._answered
        self._text, self._answers, self.chosen = clean_line(text, LONGEST), answers, 0
        self.display = True
        self.refresh(layout=True)
        self.focus()
        return await answered

    def answer(self, number: int) -> None:
        """Close the question, if there is one."""
        answered, self._answered = self._answered, None
        self.display = False
        if answered and not answered.done():
            answered.set_result(number)

    def on_key(self, event: events.Key) -> None:
        match event.key:
            case "left" | "up" | "shift+tab":
                self.chosen = (self.chosen - 1) % len(self._answers)
            case "right" | "down" | "tab":
                self.chosen = (self.chosen + 1) % len(self._answers)
            case "enter":
                self.answer(self.chosen)
            case _ if event.is_printable or event.key == "backspace":
                self._leave(event)
            case _:
                return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        self._leave(event)
        event.stop()

    def _leave(self, written: events.Key | events.Paste) -> None:
        self.answer(0)
        self.post_message(self.Left(written))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        for number, (row, start, end) in enumerate(self._places()):
            if event.y == row and start <= event.x < end:
                self.answer(number)

    def _places(self) -> list[tuple[int, int, int]]:
        """The row of each answer, and from where to where it stands: side by side if there is room for all."""
        first, width = len(self._lines(self.size.width)), self.size.width
        if not self._are_beside(width):
            return [(first + number, 1, cells(answer) + 3) for number, answer in enumerate(self._answers)]
        places: list[tuple[int, int, int]] = []
        start = 1
        for answer in self._answers:
            end = start + cells(answer) + 2
            places.append((first, start, end))
            start = end + 1
        return places

    def _are_beside(self, width: int) -> bool:
        return sum(cells(answer) + 3 for answer in self._answers) < width

    def _lines(self, width: int) -> list[str]:
        wrapped = wrap([Segment(self._text)], max(1, width - 2))
        return ["".join(segment.text for segment in line) for line, _ in wrapped]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width)) + (1 if self._are_beside(width) else len(self._answers))

    def render(self) -> Text:
        width = self.size.width
        text = Text("".join(f" {line}\n" for line in self._lines(width)), no_wrap=True, overflow="crop", end="")
        between = " " if self._are_beside(width) else "\n "
        text.append(" ")
        for number, answer in enumerate(self._answers):
            name = "question--chosen" if number == self.chosen else "question--answer"
            text.append(between if number else "")
            text.append(f" {answer} ", self.get_component_rich_style(name))
        return text
