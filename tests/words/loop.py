"""An event loop in which nobody waits: where nothing is to be done the time jumps to when there is something."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    loop: "JumpingLoop"

    def select(self, timeout: float | None = None) -> Any:
        if timeout:
            self.loop.now += timeout
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    """Runs the same way every time, if nothing in it uses a thread."""

    def __init__(self) -> None:
        self.now = 0.0
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now

    def steps(self, count: int) -> None:
        """Let everything that is ready have so many turns."""

        async def idle() -> None:
            for _ in range(count):
                await asyncio.sleep(0)

        self.run_until_complete(idle())

    def until(self, condition: Callable[[], object], seconds: float = 600) -> None:
        async def waiting() -> None:
            end = self.now + seconds
            while not condition():
                if self.now > end:
                    raise TimeoutError
                await asyncio.sleep(0.01)

        self.run_until_complete(waiting())

    def over(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.run_until_complete(coroutine)


async def here(function: Callable[..., T], *arguments: Any, **_options: Any) -> T:
    """What `anyio.to_thread.run_sync` does, without a thread."""
    await asyncio.sleep(0)
    return function(*arguments)
