"""A pi in memory: the bytes a test lets it say, and the lines it was sent."""

import json
from typing import Any

import anyio
import anyio.lowlevel

from pitui.rpc.framing import Framer


class MemoryPi:
    """A `Transport`."""

    def __init__(self) -> None:
        self.returncode: int | None = None
        self.stderr_tail = ""
        self.stops = 0
        self.broken = False
        self.lines: list[bytes] = []
        self._framer = Framer()
        self._chunks: list[bytes] = []
        self._closed = False
        self._stalled = False
        self._news = anyio.Event()

    @property
    def sent(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]

    def says(self, *chunks: bytes) -> None:
        self._chunks.extend(chunks)
        self._changed()

    def stops_reading(self) -> None:
        self._stalled = True

    def reads_again(self) -> None:
        self._stalled = False
        self._changed()

    def answers(self, request: dict[str, Any], data: Any = None, **fields: Any) -> None:
        """A successful response to a request that it was sent, unless `fields` say otherwise."""
        response = {"id": request["id"], "type": "response", "command": request["type"], "success": True} | fields
        self.says(json.dumps(response | ({} if data is None else {"data": data})).encode() + b"\n")

    def exits(self, code: int | None, stderr: str = "") -> None:
        self.stderr_tail = stderr
        self.returncode = code
        self._closed = True
        self._changed()

    async def gets(self, number: int) -> dict[str, Any]:
        """The request with that number, counted from 1, once it has come."""
        await until(lambda: len(self.lines) >= number)
        return self.sent[number - 1]

    async def more_than(self, number: int) -> list[dict[str, Any]]:
        """What it was sent after that many requests, once there is any."""
        while len(self.lines) <= number:
            await self._news.wait()
        return [json.loads(line) for line in self.lines[number:]]

    async def receive(self) -> bytes:
        while not self._chunks and not self._closed:
            await self._news.wait()
        if self._chunks:
            return self._chunks.pop(0)
        raise anyio.EndOfStream

    async def send(self, data: bytes) -> None:
        while self._stalled and not self._closed:
            await self._news.wait()
        if self._closed or self.broken:
            raise anyio.BrokenResourceError
        self.lines.extend(self._framer.feed(data))
        self._changed()

    async def stop(self) -> int | None:
        await anyio.lowlevel.checkpoint()  # as a real one, it takes a while
        self.stops += 1
        if self.returncode is None:
            self.returncode = 0
        self._closed = True
        self._changed()
        return self.returncode

    def kill(self) -> None:
        pass

    def _changed(self) -> None:
        self._news.set()
        self._news = anyio.Event()


async def until(condition: Any, seconds: float = 10) -> None:
    """Wait until it holds; fails after `seconds`."""
    with anyio.fail_after(seconds):
        while not condition():  # noqa: ASYNC110 - any condition, of any owner
            await anyio.sleep(0.001)
