"""Whatever happens, and whoever is killed when: every text and image is delivered once, or is back with the person.

A hypothesis state machine does what a person can do, and what can happen, in any order and at any moment, with a pi in
memory. ``HYPOTHESIS_PROFILE=words pytest tests/words/test_every_word.py`` does 500 runs of it.
"""

import asyncio
import base64
import json
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import anyio.to_thread
from hypothesis import HealthCheck, settings
from hypothesis import Phase as HypothesisPhase
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitui import connection, watch
from pitui.agent import Agent, AgentError, Written
from pitui.draft import Draft, Picture
from pitui.launch import Launch
from pitui.outbox import Where
from pitui.rpc.messages import ImagePart
from pitui.session.model import Phase, Returned
from pitui.store import journal as journals
from pitui.store import shelf as shelves
from pitui.store.drafts import Place
from pitui.store.journal import Journal
from tests.words.imagined import Clock, ImaginedPi
from tests.words.loop import JumpingLoop, here

TURNS = st.integers(0, 12)
"""How far everything gets before something else happens."""
ANY = st.integers(0, 7)
MEMORY = "/dev/shm"
"""A disk that needs no waiting for."""
QUIET = 10
"""Steps without anything to do, after which all is done."""


def picture_of(text: str) -> ImagePart:
    return ImagePart(data=base64.b64encode(text.encode()).decode(), mime_type="image/png")


class InEditor(Returned):
    """What is in the editor; `written` is where it is on disk."""

    __slots__ = ("written",)

    def __init__(self, text: str, images: Sequence[ImagePart], written: Written) -> None:
        super().__init__(text, tuple(images))
        object.__setattr__(self, "written", written)


class EveryWord(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="words-", dir=MEMORY if os.path.isdir(MEMORY) else None))
        self.sessions = self.folder / "sessions"
        self.sessions.mkdir()
        self.loop, self.clock = JumpingLoop(), Clock()
        self.least: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        """How often each text has to be somewhere, and may be."""
        self.open: set[int] = set()
        """Keys of what is being edited or deleted."""
        self.pictured: set[str] = set()
        self.editor: list[InEditor] = []
        self.deeds: list[asyncio.Task[None]] = []
        self.texts = 0
        self.patches = ExitStack()
        for target, name, value in (
            (anyio.to_thread, "run_sync", here),
            (watch, "LOOK_SECONDS", 1e9),
            (connection, "SLICE_SECONDS", 1e9),
            (journals, "time", self.clock),
            (shelves, "SLOW_SECONDS", 1e9),
        ):
            self.patches.enter_context(mock.patch.object(target, name, value))

    @initialize(before=st.sampled_from([0.0, 600.0, -600.0]))
    def starts(self, before: float = 0) -> None:
        """pi's clock is `before` ours."""
        self.before = before
        self.start(None)

    # pitui

    def start(self, file: Path | None) -> None:
        self.journal = Journal(self.folder / "state")
        launch = Launch(["pi"], self.folder, "1.6.0").on_session(str(file or ""))
        self.up, self.down = asyncio.Event(), asyncio.Event()
        self.host = self.loop.create_task(self.live(Agent(launch, self.connect, self.loop.time, self.journal)))
        self.loop.until(lambda: self.up.is_set() or self.host.done())

    async def connect(self, launch: Launch) -> ImaginedPi:
        words = list(launch.argv)
        file = Path(words[words.index("--session") + 1]) if "--session" in words else None
        self.pi = ImaginedPi(self.sessions, file, self.clock, self.before)
        return self.pi

    async def live(self, agent: Agent) -> None:
        async with agent:
            self.agent = agent
            self.up.set()
            await self.down.wait()

    def kill(self) -> None:
        """The system ends pitui where it stands: nothing of it is written any more, and nothing of it reaches pi."""
        self.journal.close()
        self.pi.is_left()
        for task in (self.host, *self.deeds):
            task.cancel()
        self.loop.over(asyncio.wait([self.host, *self.deeds]))
        self.editor.clear()
        self.open.clear()

    def do(self, deed: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = self.loop.create_task(deed())
        self.deeds.append(task)
        task.add_done_callback(self.deeds.remove)

    @property
    def place(self) -> Place:
        return Place(self.agent.session.file, str(self.agent.cwd))

    def keep(self, text: str, images: Sequence[ImagePart]) -> int:
        """What is written is on disk."""
        number = self.journal.drafts.new_number()
        draft = Draft.of(text, *(Picture("picture", image) for image in images))
        self.journal.drafts.keep(number, self.place, draft.to_json())
        return number

    def new_text(self, picture: bool) -> tuple[str, tuple[ImagePart, ...]]:
        self.texts += 1
        text = f"text {self.texts}"
        if picture:
            self.pictured.add(text)
        return text, (picture_of(text),) if picture else ()

    def has_back(self, prompts: Sequence[Returned]) -> None:
        self.editor += [InEditor(prompt.text, prompt.images, Written(prompts=[prompt.key])) for prompt in prompts]

    # what the person does

    def send(self, text: str, images: Sequence[ImagePart], follow_up: bool, written: Written) -> None:
        agent = self.agent

        async def deed() -> None:
            with suppress(AgentError):
                await agent.submit(text, images, follow_up=follow_up, written=written)

        self.do(deed)

    @rule(picture=st.booleans(), follow_up=st.booleans(), same=st.integers(0, 5), turns=TURNS)
    def sends(self, picture: bool, follow_up: bool, same: int, turns: int) -> None:
        text, images = ("again", ()) if same == 0 else self.new_text(picture)
        self.least[text] += 1
        self.most[text] += 1
        self.send(text, images, follow_up, Written(drafts=[self.keep(text, images)]))
        self.loop.steps(turns)

    @precondition(lambda self: self.editor)
    @rule(at=ANY, follow_up=st.booleans(), turns=TURNS)
    def sends_again(self, at: int, follow_up: bool, turns: int) -> None:
        entry = self.editor.pop(at % len(self.editor))
        self.send(entry.text, entry.images, follow_up, entry.written)
        self.loop.steps(turns)

    @precondition(lambda self: self.editor)
    @rule(at=ANY)
    def throws_away(self, at: int) -> None:
        entry = self.editor.pop(at % len(self.editor))
        self.journal.drafts.forget(entry.written.drafts, entry.written.prompts)
        self.agent.is_elsewhere(entry.written.prompts)
        self.least[entry.text] -= 1
        self.most[entry.text] -= 1

    @rule(turns=TURNS)
    def presses_escape(self, turns: int) -> None:
        self.takes_back(self.agent.interrupt, turns)

    @rule(turns=TURNS)
    def takes_the_queue_back(self, turns: int) -> None:
        self.takes_back(self.agent.take_queue_back, turns)

    def takes_back(self, back: Callable[[], Awaitable[Sequence[Returned]]], turns: int) -> None:
        async def deed() -> None:
            with suppress(AgentError):
                self.has_back(await back())

        self.do(deed)
        self.loop.steps(turns)

    @rule()
    def sees_what_came_back(self) -> None:
        self.has_back(self.agent.rescue())

    @precondition(lambda self: any(self.agent.queue))
    @rule(at=ANY, picture=st.booleans(), turns=TURNS)
    def edits(self, at: int, picture: bool, turns: int) -> None:
        prompt, queue = self.one_of_the_queue(at), self.agent.queue
        if not prompt.ours or prompt.key in self.open:
            return
        self.open.add(prompt.key)
        text, images = self.new_text(picture)
        number = self.keep(text, images)
        self.least.update([text])
        self.most.update([text])
        self.least[prompt.text] -= 1

        async def deed() -> None:
            try:
                if await queue.edit(prompt.key, text, images, [number]):
                    self.most[prompt.text] -= 1
            except AgentError:
                self.least[prompt.text] += 1
            self.open.discard(prompt.key)

        self.do(deed)
        self.loop.steps(turns)

    @precondition(lambda self: any(self.agent.queue))
    @rule(at=ANY, turns=TURNS)
    def deletes(self, at: int, turns: int) -> None:
        prompt, queue = self.one_of_the_queue(at), self.agent.queue
        if prompt.key in self.open:
            return
        self.open.add(prompt.key)
        self.least[prompt.text] -= 1

        async def deed() -> None:
            try:
                done = await queue.delete(prompt.key)
            except AgentError:
                done = False
            if done:
                self.most[prompt.text] -= 1
            else:
                self.least[prompt.text] += 1
            self.open.discard(prompt.key)

        self.do(deed)
        self.loop.steps(turns)

    @precondition(lambda self: any(self.agent.queue))
    @rule(at=ANY, what=st.sampled_from(["up", "down", "lane", "hold", "release", "now"]), turns=TURNS)
    def changes_the_queue(self, at: int, what: str, turns: int) -> None:
        queue, key = self.agent.queue, self.one_of_the_queue(at).key
        changes: dict[str, Callable[[], Awaitable[bool]]] = {
            "up": lambda: queue.move(key, -1),
            "down": lambda: queue.move(key, 1),
            "lane": lambda: queue.change_lane(key),
            "hold": lambda: queue.hold(key),
            "release": lambda: queue.release(key),
            "now": lambda: queue.send_now(key),
        }

        async def deed() -> None:
            with suppress(AgentError):
                await changes[what]()

        self.do(deed)
        self.loop.steps(turns)

    def one_of_the_queue(self, at: int) -> Any:
        prompts = list(self.agent.queue)
        return prompts[at % len(prompts)]

    @rule(at=ANY, turns=TURNS)
    def opens_another_session(self, at: int, turns: int) -> None:
        files = sorted(self.sessions.iterdir())
        agent = self.agent

        async def deed() -> None:
            try:
                if at < len(files):
                    await agent.switch_session(files[at])
                else:
                    await agent.new_session()
            except AgentError:
                pass

        self.do(deed)
        self.loop.steps(turns)

    @precondition(lambda self: self.agent.session.phase is Phase.ENDED)
    @rule(turns=TURNS)
    def starts_pi_again(self, turns: int) -> None:
        self.restart()
        self.loop.steps(turns)

    def restart(self) -> None:
        agent = self.agent

        async def deed() -> None:
            with suppress(AgentError, RuntimeError):  # pitui was killed meanwhile
                await agent.restart()

        self.do(deed)

    # what happens

    @rule(number=st.integers(0, 2), steps=st.sampled_from([0, 0, 1, 2, 3]), turns=TURNS)
    def pi_answers(self, number: int, steps: int, turns: int) -> None:
        """And goes on, so that the answer and what comes after it are read at once."""
        self.pi.answer(number)
        for _ in range(steps):
            self.pi.goes_on()
        self.loop.steps(turns)

    @rule(turns=TURNS)
    def pi_goes_on(self, turns: int) -> None:
        self.pi.goes_on()
        self.loop.steps(turns)

    @rule(turns=TURNS)
    def pi_compacts(self, turns: int) -> None:
        self.pi.compact()
        self.loop.steps(turns)

    @rule(refuses=st.booleans(), runs_first=st.booleans())
    def pi_is_in_another_mood(self, refuses: bool, runs_first: bool) -> None:
        self.pi.refuses, self.pi.runs_first = refuses, runs_first

    @rule(written=st.booleans(), turns=TURNS)
    def pi_is_killed(self, written: bool, turns: int) -> None:
        self.pi.dies(written=written)
        self.loop.steps(turns)

    @rule(escape=st.booleans(), turns=TURNS)
    def pi_is_told_to_end(self, escape: bool, turns: int) -> None:
        """By somebody else, just before the person presses Esc perhaps. It is gone when it has gone on once more."""
        self.pi.is_told_to_end()
        if escape:
            self.presses_escape(turns)
            self.pi.answer()
        self.loop.steps(turns)

    @precondition(lambda self: self.agent.session.phase is not Phase.ENDED)
    @rule(turns=TURNS)
    def starts_pi_anew(self, turns: int) -> None:
        self.restart()
        self.loop.steps(turns)

    @rule(turns=st.integers(0, 60))
    def time_passes(self, turns: int) -> None:
        self.loop.steps(turns)

    @rule(more=st.integers(0, 3), at=ANY)
    def pitui_is_killed(self, more: int, at: int) -> None:
        """pi lives a little longer, and may say what it was sent."""
        pi, file = self.pi, self.pi.file
        self.journal.close()
        for _ in range(more):
            pi.answer()
            pi.goes_on()
        self.kill()
        files = sorted(self.sessions.iterdir())
        self.start(file if file in files else files[at % len(files)] if files else None)

    # what holds

    def delivered(self) -> Counter[str]:
        found: Counter[str] = Counter()
        unwritten = [json.dumps(entry) for entry in self.pi.unwritten]
        lines = [line for file in self.sessions.iterdir() for line in file.read_text().splitlines()]
        for line in [*lines, *unwritten]:
            message = json.loads(line).get("message", {})
            if message.get("role") == "user":
                text, *images = message["content"]
                found[text["text"]] += 1
                self.check_images(text["text"], [image["data"] for image in images])
        return found

    def check_images(self, text: str, images: Sequence[str]) -> None:
        assert list(images) == ([picture_of(text).data] if text in self.pictured else []), text

    def with_person(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for prompt in (*self.editor, *self.agent.session.returned):
            found[prompt.text] += 1
            self.check_images(prompt.text, [image.data for image in prompt.images])
        return found

    @invariant()
    def nothing_is_twice(self) -> None:
        if hasattr(self, "agent"):
            found = self.delivered() + self.with_person()
            assert found <= +self.most, found - +self.most

    def teardown(self) -> None:
        try:
            if hasattr(self, "agent"):
                self.all_is_there_at_the_end()
        finally:
            self.kill()
            self.loop.close()
            self.patches.close()
            shutil.rmtree(self.folder)

    def all_is_there_at_the_end(self) -> None:
        """When everything is done, and once more when pitui was killed then and started in every session."""
        if self.pi.is_ending:
            self.pi.goes_on()
            self.loop.steps(20)
        if self.agent.session.phase is Phase.ENDED:
            self.restart()
            self.loop.steps(20)
        quiet = 0
        while quiet < QUIET:
            quiet = 0 if self.pi.pending or self.pi.stage or self.pi.compacts else quiet + 1
            self.pi.finish()
            self.loop.steps(6)
        here_held = Counter(prompt.text for prompt in self.agent.queue if prompt.where is Where.HERE and prompt.held)
        self.loop.until(lambda: len(self.deeds) <= here_held.total())  # those who have sent them wait
        self.has_back(self.agent.rescue())
        self.check(self.delivered() + self.with_person() + here_held + self.on_disk_alone())
        self.kill()
        back: Counter[str] = Counter()
        for file in (*sorted(self.sessions.iterdir()), None):
            self.start(file)
            self.loop.until(lambda: self.agent.session.stats is not None)
            self.loop.steps(50)
            self.has_back(self.agent.rescue())
            for kept in self.journal.drafts.take(self.place):
                draft = Draft.from_json(kept.parts)
                self.editor.append(InEditor(draft.text, draft.images, Written(drafts=[kept.number])))
            back += self.with_person()
            for entry in self.editor:
                self.journal.drafts.forget(entry.written.drafts, entry.written.prompts)
            self.kill()
        self.check(self.delivered() + back)

    def on_disk_alone(self) -> Counter[str]:
        """What is of another session, or of a pitui that was killed, and comes back when that is opened."""
        ours = {key for entry in self.editor for key in entry.written.prompts}
        drafts = {number for entry in self.editor for number in entry.written.drafts}
        found: Counter[str] = Counter()
        with closing(sqlite3.connect(self.folder / "state" / "prompts.db")) as database:
            for owner, key, text, state in database.execute("SELECT owner, key, text, state FROM prompt"):
                if owner != self.journal_owner or (state == "returned" and key not in ours):
                    found[text] += 1
            for owner, number, words in database.execute("SELECT owner, number, words FROM draft"):
                if owner != self.journal_owner or number not in drafts:
                    found["".join(part for part in json.loads(words) if isinstance(part, str))] += 1
        return found

    @property
    def journal_owner(self) -> str:
        return self.journal._shelf.owner

    def check(self, found: Counter[str]) -> None:
        assert found <= +self.most, f"twice: {found - +self.most}"
        assert +self.least <= found, f"lost: {+self.least - found}"


MANY = os.environ.get("HYPOTHESIS_PROFILE") == "words"
TestEveryWord = EveryWord.TestCase
TestEveryWord.settings = settings(
    max_examples=500 if MANY else 50,
    derandomize=not MANY,  # the same runs each time, where nobody is looking for new ones
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    phases=[phase for phase in HypothesisPhase if phase is not HypothesisPhase.explain],
)


def test_what_is_said_while_the_session_is_loaded_does_not_come_back() -> None:
    state = EveryWord()
    state.starts()
    state.sends(follow_up=False, picture=False, same=0, turns=0)
    state.pi_answers(number=0, steps=0, turns=0)
    state.sends(follow_up=False, picture=False, same=1, turns=1)
    state.pi_answers(number=0, steps=1, turns=0)
    state.teardown()


def working_with(queued: int) -> EveryWord:
    """pi works, and has so many texts in its queue."""
    state = EveryWord()
    state.starts()
    for number in range(1 + queued):
        state.sends(follow_up=False, picture=False, same=1, turns=12)
        state.pi_answers(number=0, steps=0 if number else 1, turns=12)
    return state


def test_what_pi_says_when_it_is_started_anew_does_not_come_back() -> None:
    state = working_with(queued=3)
    state.starts_pi_anew(turns=12)
    state.time_passes(turns=60)
    assert [prompt.text for prompt in state.agent.session.returned] == ["text 3", "text 4"]
    state.nothing_is_twice()
    state.teardown()


def test_escape_while_pi_ends_brings_every_text_back_once() -> None:
    state = working_with(queued=3)
    state.pi_is_told_to_end(escape=True, turns=2)
    state.time_passes(turns=12)
    state.pi_goes_on(turns=60)
    state.sees_what_came_back()
    assert [entry.text for entry in state.editor] == ["text 3", "text 4"]
    state.throws_away(at=0)
    state.throws_away(at=0)
    state.teardown()


def test_what_waits_comes_back_though_the_clock_of_pi_is_ahead_and_the_same_was_said_before() -> None:
    state = EveryWord()
    state.starts(before=600)
    state.sends(follow_up=False, picture=False, same=0, turns=12)
    state.pi_answers(number=0, steps=3, turns=12)
    state.sends(follow_up=False, picture=False, same=1, turns=12)
    state.pi_answers(number=0, steps=2, turns=12)
    state.sends(follow_up=False, picture=False, same=0, turns=12)
    state.pi_is_killed(written=True, turns=0)
    state.pitui_is_killed(more=0, at=0)
    state.time_passes(turns=60)
    assert [prompt.text for prompt in state.agent.session.returned] == ["again"]
    state.teardown()


def test_what_was_said_does_not_come_back_though_the_clock_of_pi_is_behind() -> None:
    state = EveryWord()
    state.starts(before=-600)
    state.sends(follow_up=False, picture=False, same=1, turns=12)
    state.pitui_is_killed(more=2, at=0)
    state.time_passes(turns=60)
    assert not state.agent.session.returned
    state.teardown()


def with_an_extension() -> EveryWord:
    """That makes another text of each prompt."""
    state = EveryWord()
    state.starts()
    state.pi.made_of_it = "{} [checked]"
    state.sends(follow_up=False, picture=False, same=1, turns=12)
    return state


def ends(state: EveryWord) -> None:
    state.kill()
    state.loop.close()
    state.patches.close()
    shutil.rmtree(state.folder)


def test_what_an_extension_has_changed_and_pi_has_said_does_not_come_back() -> None:
    state = with_an_extension()
    state.pi_answers(number=0, steps=0, turns=12)
    state.pitui_is_killed(more=1, at=0)
    state.time_passes(turns=60)
    assert not state.agent.session.returned
    ends(state)


def test_what_an_extension_may_have_changed_comes_back_and_what_pi_may_have_made_of_it_is_told() -> None:
    state = with_an_extension()
    state.pitui_is_killed(more=2, at=0)
    state.time_passes(turns=60)
    assert [prompt.text for prompt in state.agent.session.returned] == ["text 1"]
    told = state.agent.session.notices[-1].text
    assert "may have" in told
    assert "text 1 [checked]" in told
    ends(state)
