"""Whether pi may load what a folder has of its own: asked before pi is there, before a switch, and by ``/trust``."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import anyio.to_thread
from textual import events

from pitui.agent import Replacement
from pitui.launch import Launch
from pitui.pi.trust import Answer, Source, Trust, TrustError, contents, decide, look
from pitui.render.text import clean_line
from pitui.session.model import Phase
from pitui.ui.dialogs.desk import Arrival, DialogDesk
from pitui.ui.intents.agent_app import AgentApp, intent
from pitui.ui.widgets.status import shortened

FOR_NOW = (Answer.NOT_NOW, Answer.THIS_TIME)
HELD = "pi is started when you have answered."
NOT_LOADED = "What this folder brings for pi is not trusted, and not loaded. /trust tells why, and changes it."
ELSEWHERE = "pi may run on another machine, where it decides itself what it trusts: --approve, or “pi” there."


class TrustIntents(AgentApp):
    trust: Trust | None
    """How it stands with the folder that pi starts in; None when pi does not look at the files of this machine."""
    decided: asyncio.Event
    """Set when that is no question any more, and pi may be started."""
    _desk: DialogDesk
    _for_now: dict[Path, bool | None]
    """What was answered for this run alone: the word on trust for pi's command line, if there is one."""

    def settle_trust(self) -> None:
        """Ask if need be, and let pi be started."""
        if self.trust and self.trust.trusted is None:
            self.run_worker(self._ask_before_start(self.trust), name="trust")
        else:
            self._tell_of_trust(self.trust)
            self.decided.set()

    async def _ask_before_start(self, trust: Trust) -> None:
        self.main.activity.hold(HELD)
        answer = None
        while answer is None:  # it has made way for whoever was typing
            await self._desk.until_quiet()
            answer = await self._decide(
                trust,
                Arrival.BY_ITSELF,
                escape=Answer.NOT_NOW,
                leaving="not now",
                give_way=self._give_way,
            )
        self.main.activity.hold("")
        self.agent.launch = self._launch_for(trust, answer)
        self.decided.set()

    def _give_way(self, event: events.Key | events.Paste) -> None:
        """The person was writing: the key goes where it was meant to go."""
        self._desk.typed()
        again = events.Key(event.key, event.character) if isinstance(event, events.Key) else events.Paste(event.text)
        self.post_message(again)

    async def open_file(self, path: Path, folder: Path) -> Replacement:
        """Open the session, which belongs to `folder`. What pi would not load there without a word is asked before."""
        now, ended = self.agent.launch, self.session.phase is Phase.ENDED
        if self.trust is None:
            return await (self.agent.open_with(now, path) if ended else self.agent.switch_session(path))
        launch = now.trusting(None) if now.trust_of else now
        trust = await anyio.to_thread.run_sync(look, folder, launch.argv, self._environment)
        if trust.folder in self._for_now:
            launch = launch.trusting(self._for_now[trust.folder], trust.folder)
        elif trust.trusted is None:
            answer = await self._decide(trust, Arrival.NEXT, leaving="stay here")
            if answer is None:
                return Replacement(True, reason="The session was not opened.")
            launch = self._launch_for(trust, answer)
        elif trust.damage:
            launch = launch.trusting(False, trust.folder)
        if launch.argv == now.argv and not ended:
            replacement = await self.agent.switch_session(path)
        else:
            replacement = await self.agent.open_with(launch, path)
        if not replacement.cancelled:
            self._tell_of_trust(trust)
        return replacement

    def _tell_of_trust(self, trust: Trust | None) -> None:
        """Say once that something is there and not loaded, when nobody was asked about it now."""
        if trust and trust.resources and trust.trusted is False:
            self.say(NOT_LOADED)

    @intent
    async def action_trust(self, argument: str = "") -> None:
        if self.trust is None:
            self.say(ELSEWHERE, "warning")
            return
        now = self.agent.launch
        trust = await anyio.to_thread.run_sync(look, self.agent.cwd, now.argv, self._environment)
        session = "on this session" if self.session.file else "without this session, which is not saved"
        notes = (
            f"Now: {_standing(trust, for_now=bool(now.trust_of))}.",
            f"A change starts pi again {session}; what you write stays.",
        )
        answer = await self._decide(trust, Arrival.CALLED, leaving="leave it so", notes=notes)
        if answer is not None:
            await self.agent.restart(self._launch_for(trust, answer))
            self.say("pi was started again.")

    # asking

    async def _decide(
        self,
        trust: Trust,
        arrival: Arrival,
        *,
        leaving: str,
        escape: Answer | None = None,
        notes: Sequence[str] = (),
        give_way: Callable[[events.Key | events.Paste], None] = lambda event: None,
    ) -> Answer | None:
        """What the person answers, written where pi keeps it; None when they do not answer."""
        from pitui.ui.screens.trust import TrustScreen  # late: hardly any run asks

        names = await anyio.to_thread.run_sync(_names, trust)
        while True:
            possible = [answer for answer in Answer if answer in FOR_NOW or not trust.damage]
            screen = TrustScreen(
                trust,
                names,
                possible,
                arrival=arrival,
                escape=escape,
                leaving=leaving,
                notes=notes,
                give_way=give_way,
            )
            answer = await self.push_screen_wait(screen)
            if answer is None:
                return None
            try:
                await anyio.to_thread.run_sync(decide, trust.folder, answer, self._environment)
            except TrustError as error:
                trust, arrival = trust._replace(damage=str(error)), Arrival.NEXT
            else:
                return answer

    def _launch_for(self, trust: Trust, answer: Answer) -> Launch:
        """How pi is started so that the answer holds."""
        self._for_now.pop(trust.folder, None)
        said = None
        if answer is Answer.THIS_TIME:
            said = self._for_now[trust.folder] = True
        elif answer is Answer.NOT_NOW:
            said = self._for_now[trust.folder] = False if trust.trusted or trust.damage else None
        return self.agent.launch.trusting(said, trust.folder)

    @property
    def _environment(self) -> Mapping[str, str]:
        return self.agent.launch.environment or os.environ


def _names(trust: Trust) -> dict[Path, Sequence[str]]:
    return {resource: contents(resource) for resource in trust.resources}


def _standing(trust: Trust, *, for_now: bool) -> str:
    """What holds, and why; `for_now` when it was answered for this run alone."""
    if trust.trusted is None:
        return "undecided, and not loaded"
    stands = "trusted" if trust.trusted else "not trusted"
    match trust.source:
        case Source.OPTION:
            option = "--approve" if trust.trusted else "--no-approve"
            return f"{stands}, as you answered for this time" if for_now else f"{stands}, by {option}"
        case Source.FILE if trust.decided_for != str(trust.folder):
            return f"{stands}, by what was decided for {clean_line(shortened(Path(trust.decided_for)), 300)}"
        case Source.FILE:
            return f"{stands}, as was decided for this folder"
        case Source.SETTING:
            return f"{stands}, by defaultProjectTrust in pi's settings"
        case Source.NOTHING:
            return "nothing needs trust"
