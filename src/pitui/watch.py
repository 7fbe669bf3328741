"""Watches the file of the open session for what others write into it.

pi tells no event for most of what it writes, often hears later of it than we can read it, and never of what others
write. What it knows it has told itself, though: an entry is in its memory before it is in the file. So an entry that
stands in the file, and that pi does not know when it is asked afterwards, is somebody else's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from pitui import rpc
from pitui.pi.ours import Ours
from pitui.pi.tail import Damage, Tail, Written
from pitui.rpc.errors import RequestError
from pitui.session.model import Phase, Session
from pitui.store.claims import Claim

if TYPE_CHECKING:
    from pitui.rpc.requests import Request
    from pitui.rpc.results import Entries, State

READ_ONLY = "This session is read only here, as you chose. /writers changes that."
UNDECIDED = "Others write to this session: say first what to do about it, with /writers."
WAITS = "It waits here: others write to this session. Say what to do about it with /writers."
LOOK_SECONDS = 0.5
QUIET_SECONDS = 600.0
"""Somebody who has written nothing for so long is asked about again when they do."""


class Stance(Enum):
    """What the person wants about others who write to the session."""

    NONE = auto()
    """Nothing was decided, or nobody else writes."""
    GO_ON = auto()
    READ_ONLY = auto()


@dataclass(frozen=True, slots=True)
class Others:
    """What others do to the file. `count` entries were written, the first of them at `since`, the last at `at` (seconds
    since the epoch); `words` are the first that were said. `present`: another pitui had the session open before us.
    """

    present: bool = False
    count: int = 0
    since: float = 0.0
    at: float = 0.0
    words: str = ""
    damage: Damage | None = None

    def __bool__(self) -> bool:
        return self.present or self.count > 0 or self.damage is not None


class Watch:
    """What is known of others who write to the session's file, and what the person wants about it.

    `request` asks pi. `changed` hears when `others` or `stance` are new. `claims` is the folder in which pituis tell
    each other what they have open. `ours` are the files that were left, and to which nobody else wrote meanwhile.
    """

    def __init__(
        self,
        session: Session,
        request: Callable[[Request[Any]], Awaitable[Any]],
        changed: Callable[[], None],
        clock: Callable[[], float],
        claims: Path | None = None,
        *,
        ours: Ours | None = None,
    ) -> None:
        self.others = Others()
        self.stance = Stance.NONE
        self.unanswered = False
        """The person has to be asked about `others`: until they have decided nothing is to be written from here."""
        self._looked = False
        """It is known who else has the session open."""
        self._session = session
        self._request = request
        self._changed = changed
        self._clock = clock
        self._claims = claims
        self._ours = ours
        self._claim: Claim | None = None
        self._company: Path | None = None
        """The file that the person knows to be open in another pitui, too."""
        self._tail: Tail | None = None
        self._suspects: list[Written] = []
        """In the file, and not known to be pi's."""
        self._known: set[str] = set()
        self._last_known: str | None = None
        self._heard_at = float("-inf")

    @property
    def read_only(self) -> bool:
        return self.stance is Stance.READ_ONLY

    @property
    def undecided(self) -> bool:
        """Whether it is not known yet if anything may be written to the session."""
        return self.unanswered or not self._looked

    def watches(self, file: Path) -> bool:
        """Whether it has seen this file."""
        return self._tail is not None and self._tail.path == file and self._tail.is_there

    def decide(self, stance: Stance) -> None:
        """The person has decided. Who goes on is asked again when somebody writes after a long silence."""
        self.stance, self.unanswered = stance, False
        self._changed()

    def accept_company(self) -> None:
        """The person knows that others have this session open, and opens it anew: they hear of what is written then."""
        self._company = Path(self._session.file)

    def forget(self) -> None:
        """pi has read the file, or opens another one: it knows all that is in it."""
        session = self._session
        if self._ours is not None and session.file and not (session.preview or self.others):
            self._ours.leave(Path(session.file))
        self._tail, self._looked = None, False
        self._suspects, self._known, self._last_known = [], set(), None
        if self.others or self.stance is not Stance.NONE:
            self.others, self.stance, self.unanswered = Others(), Stance.NONE, False
            self._changed()

    async def open(self) -> None:
        """pi has opened the session, or could not: see who else has it open before anything is written to it."""
        try:
            if self._is_open() and self._tail is None:
                await self._begin()
        finally:
            self._looked = True
            self._changed()

    async def run(self) -> None:
        """Look at the file again and again, until cancelled."""
        try:
            while True:
                await anyio.sleep(LOOK_SECONDS)
                if self._is_open():
                    await self._look()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(self._release)

    def _is_open(self) -> bool:
        """Whether pi has told which session it has open, and its entries."""
        session = self._session
        ready = session.phase not in (Phase.STARTING, Phase.ENDED)
        return ready and bool(session.file and session.entries) and not session.preview

    async def _look(self) -> None:
        tail = self._tail or await self._begin()
        look = await anyio.to_thread.run_sync(tail.look)
        if tail is not self._tail:
            return
        if look.damage:
            self._tell(replace(self.others, damage=look.damage))
        self._suspects += look.written
        self._acquit()
        if self._suspects:
            with suppress(RequestError):  # the next look asks again
                await self._ask_pi(tail)

    async def _begin(self) -> Tail:
        tail = self._tail = Tail(Path(self._session.file))
        self._last_known = next(reversed(self._session.entries))
        await self._claim_session(tail)
        return tail

    async def _claim_session(self, tail: Tail) -> None:
        if self._claims is None:
            return
        file, claims = Path(self._session.file), self._claims
        await anyio.to_thread.run_sync(self._release)
        claim = self._claim = await anyio.to_thread.run_sync(Claim, claims, file)
        company, self._company = self._company, None
        if tail is self._tail and not claim.alone and file != company:
            self._tell(replace(self.others, present=True))

    def _release(self) -> None:
        claim, self._claim = self._claim, None
        if claim:
            claim.release()

    async def _ask_pi(self, tail: Tail) -> None:
        try:
            found: Entries = await self._request(rpc.requests.GetEntries(self._last_known))
        except RequestError:
            self._last_known = None  # pi may have left the session in which that was
            raise
        if tail is not self._tail:
            return
        self._known.update(entry.id for entry in found.entries)
        self._last_known = found.entries[-1].id if found.entries else self._last_known
        self._acquit()
        if not self._suspects:
            return
        state: State = await self._request(rpc.requests.GetState())
        if state.session_file != self._session.file or tail is not self._tail:
            return  # what it told was of another session, which it has just opened
        theirs, self._suspects = self._suspects, []
        self._take(theirs)

    def _acquit(self) -> None:
        entries, known = self._session.entries, self._known
        self._suspects = [one for one in self._suspects if one.id not in known and one.id not in entries]

    def _take(self, theirs: Sequence[Written]) -> None:
        others = self.others
        words = others.words or next((written.words for written in theirs if written.words), "")
        times = [written.at for written in theirs if written.at]
        since = others.since or min(times, default=0.0)
        at = max([others.at, *times])
        self._tell(replace(others, count=others.count + len(theirs), since=since, at=at, words=words))

    def _tell(self, others: Others) -> None:
        now, before = self._clock(), self.others
        quiet = now - self._heard_at > QUIET_SECONDS
        self.others, self._heard_at = others, now
        worse = others.damage is not None and others.damage is not before.damage
        if worse or self.stance is Stance.NONE or (self.stance is Stance.GO_ON and quiet):
            self.unanswered = True
        self._changed()
