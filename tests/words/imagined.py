"""A pi in memory that does nothing unless it is told to, in as many steps as the real one takes.

It takes messages out of its queue before it tells, as the real one does, says what it has taken before it writes it to
the session file, and loses what is not written when it is killed. Told to end it says nothing more but answers, and
writes what it takes to the session file all the same.
"""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.rpc.memory import MemoryPi

Line = dict[str, Any]


class Clock:
    """Seconds since the epoch; no two moments are in the same millisecond, for pi tells no more."""

    def __init__(self) -> None:
        self._now = 1_800_000_000.0

    def time(self) -> float:
        self._now += 0.0011
        return self._now


@dataclass
class Lane:
    texts: list[str] = field(default_factory=list[str])
    messages: list[Line] = field(default_factory=list[Line])

    def put(self, message: Line) -> None:
        self.texts.append(text_of(message))
        self.messages.append(message)

    def take(self) -> list[Line]:
        taken, self.messages = self.messages[:1], self.messages[1:]
        return taken

    def clear(self) -> list[str]:
        texts, self.texts, self.messages = self.texts, [], []
        return texts


def text_of(message: Line) -> str:
    return "".join(part.get("text", "") for part in message["content"])


class ImaginedPi(MemoryPi):
    """`folder` has its session files. Its clock goes before ours by some seconds."""

    def __init__(self, folder: Path, file: Path | None, clock: Clock, before: float = 0) -> None:
        super().__init__()
        self.pending: list[Line] = []
        """Requests that it is told to answer; what only asks is answered at once."""
        self.refuses = False
        self.made_of_it = "{}"
        """What an extension makes of what is said."""
        self.runs_first = False
        """It begins a run before it answers the prompt that started it."""
        self.stage = ""
        """Of the run: empty while there is none, ``taken`` when messages are out of the queue and not told yet, and
        ``answer``."""
        self.compacts = self.is_alone = self.is_ending = False
        self.steering, self.follow_up = Lane(), Lane()
        self.unwritten: list[Line] = []
        self._taken: list[Line] = []
        self._folder, self._clock, self._before = folder, clock, before
        self._open(file)

    def _open(self, file: Path | None) -> None:
        self.entries: list[Line] = []
        self.file = file or self._folder / f"{int(self._clock.time() * 1000)}.jsonl"
        if self.file.exists():
            lines = [json.loads(line) for line in self.file.read_text().splitlines()]
            self.id, self.entries = lines[0]["id"], lines[1:]
        else:
            self.id = self.file.stem

    async def receive(self) -> bytes:
        """All that it has said comes in one piece."""
        self._chunks[:] = [b"".join(self._chunks)] if self._chunks else []
        return await super().receive()

    # what it is asked

    async def send(self, data: bytes) -> None:
        if self.is_alone:
            return
        known = len(self.lines)
        await super().send(data)
        for line in self.lines[known:]:
            request = json.loads(line)
            if answer := getattr(self, f"_{request['type']}", None):
                self.answers(request, answer(request))
            else:
                self.pending.append(request)

    def _get_state(self, _: Line) -> Line:
        return {"isStreaming": bool(self.stage), "sessionId": self.id, "sessionFile": str(self.file)}

    def _get_entries(self, request: Line) -> Line:
        ids = [entry["id"] for entry in self.entries]
        at = ids.index(request["since"]) + 1 if request.get("since") in ids else 0
        return {"entries": self.entries[at:], "leafId": ids[-1] if ids else None}

    def _get_commands(self, _: Line) -> Line:
        return {"commands": []}

    def _get_session_stats(self, _: Line) -> Line:
        return {}

    def answer(self, number: int = 0) -> None:
        """Do one of the things that it was asked: it handles them side by side."""
        if self.pending and self.returncode is None:
            request = self.pending.pop(number % len(self.pending))
            getattr(self, f"_do_{request['type']}")(request)

    def _do_prompt(self, request: Line) -> None:
        if self.is_ending:
            return
        images = request.get("images") or []
        text = self.made_of_it.format(request["message"])
        message = {"role": "user", "content": [{"type": "text", "text": text}, *images]}
        if self.refuses or self.compacts:
            self.answers(request, success=False, error="Cannot submit a prompt now")
        elif self.stage:
            (self.follow_up if request.get("streamingBehavior") == "followUp" else self.steering).put(message)
            self._queue_changed()
            self.answers(request, {"disposition": "queued"})
        elif self.runs_first:
            self._begin(message)
            self.answers(request, {"disposition": "started"})
        else:
            self.answers(request, {"disposition": "started"})
            self._begin(message)

    def _do_clear_queue(self, request: Line) -> None:
        if self.refuses:
            self.answers(request, success=False, error="Not now")
            return
        queues = {"steering": self.steering.clear(), "followUp": self.follow_up.clear()}
        self._queue_changed()
        self.answers(request, queues)

    def _do_abort(self, request: Line) -> None:
        self._stop()
        self.answers(request)

    def _do_switch_session(self, request: Line) -> None:
        self._leave(Path(request["sessionPath"]))
        self.answers(request, {"cancelled": False})

    def _do_new_session(self, request: Line) -> None:
        self._leave(None)
        self.answers(request, {"cancelled": False})

    def _leave(self, file: Path | None) -> None:
        self._stop()
        self.write()
        self.steering.clear()
        self.follow_up.clear()
        self._open(file)

    # what it does

    def _say(self, type_: str, **fields: Any) -> None:
        if not self.is_ending:
            self.says(json.dumps({"type": type_, **fields}).encode() + b"\n")

    def _queue_changed(self) -> None:
        self._say("queue_update", steering=self.steering.texts, followUp=self.follow_up.texts)

    def _tell(self, message: Line) -> None:
        for lane in (self.steering, self.follow_up):
            if message["role"] == "user" and text_of(message) in lane.texts:
                lane.texts.remove(text_of(message))
                self._queue_changed()
                break
        at = self._clock.time() + self._before
        message = {**message, "timestamp": int(at * 1000)}
        self._say("message_start", message=message)
        self._say("message_end", message=message)
        moment = datetime.fromtimestamp(int(at * 1000) / 1000, UTC)
        entry = {
            "type": "message",
            "id": f"{len(self.entries):08x}",
            "parentId": self.entries[-1]["id"] if self.entries else None,
            "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "message": message,
        }
        self.entries.append(entry)
        self.unwritten.append(entry)

    def write(self) -> None:
        """Bring what was said to the session file."""
        if self.unwritten and not self.file.exists():
            header = {"type": "session", "version": 3, "id": self.id, "cwd": str(self._folder.parent)}
            self.file.write_text(json.dumps(header) + "\n")
        with self.file.open("a") if self.unwritten else open("/dev/null", "a") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in self.unwritten)
        self.unwritten.clear()

    def _begin(self, message: Line) -> None:
        self._say("agent_start")
        self._say("turn_start")
        self._tell(message)
        self._taken, self.stage = self.steering.take(), "taken"

    def goes_on(self) -> None:
        """One step of the run, or of its end."""
        if self.returncode is not None:
            return
        if self.is_ending:
            self.exits(143)
            return
        if self.stage:
            self.write()
        if self.stage == "taken":
            for message in self._taken:
                self._tell(message)
            self._taken, self.stage = [], "answer"
            self._say("message_start", message={"role": "assistant", "content": [], "timestamp": 1})
        elif self.stage == "answer":
            self._ends("stop")
            self._taken = self.steering.take() or self.follow_up.take()
            if self._taken:
                self.stage = "taken"
                self._say("turn_start")
            else:
                self._settles(aborted=False)

    def _ends(self, reason: str) -> None:
        self._tell({"role": "assistant", "content": [{"type": "text", "text": "Yes."}], "stopReason": reason})
        self._say("turn_end", message={"role": "assistant", "content": []}, toolResults=[])

    def _settles(self, *, aborted: bool) -> None:
        self.stage = ""
        self._say("agent_end", messages=[], willRetry=False)
        self._say("agent_settled", aborted=aborted)

    def _stop(self) -> None:
        """End the run, as if it were in a tool: pi says the next steering then, and nothing to it."""
        if self.stage:
            for message in self._taken or self.steering.take():
                self._tell(message)
            self._taken = []
            self._ends("aborted")
            self._settles(aborted=True)

    def compact(self) -> None:
        """Begin to compact by hand, or end it."""
        if self.stage or self.returncode is not None:
            return
        self.compacts = not self.compacts
        if self.compacts:
            self._say("compaction_start", reason="manual")
        else:
            self._say("compaction_end", reason="manual", aborted=False, willRetry=False)

    # its end

    def dies(self, *, written: bool) -> None:
        """It is killed; what it has said is in the session file only if it is `written`."""
        if self.returncode is None:
            if written:
                self.write()
            self.exits(-9)

    def is_told_to_end(self) -> None:
        """By a signal, or because its input is closed."""
        if self.returncode is None and not self.is_alone:
            self.is_ending = True
            self._stop()
            self.write()

    async def stop(self) -> int | None:
        self.is_told_to_end()
        return await super().stop()

    def is_left(self) -> None:
        """pitui is gone. It does what it was asked, and then ends by itself."""
        self.is_alone = True
        self._stop()
        self.write()

    def finish(self) -> None:
        """Do a little of all that there is to do."""
        self.refuses = False
        if self.compacts:
            self.compact()
        self.answer()
        self.goes_on()
        if not self.stage:
            self.write()
