"""How it looks what pi has changed, and what fills the context."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from pitui.ui.screens.changes import ChangesScreen
from pitui.ui.screens.context import ContextScreen
from tests.pictured import told_workday
from tests.ui.person import Person, at_a_told_pi
from tests.ui.test_context import STATE, usage
from tests.ui.test_snapshots import SIZES, Picture

Pose = Callable[[Person], Awaitable[None]]
NO_MODEL = {"model": {"provider": "unknown", "id": "unknown", "contextWindow": 0}, "sessionId": "s"}


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


def has_read(person: Person) -> bool:
    return person.app.screen.is_mounted and not any(worker.group == "read" for worker in person.app.workers)


async def changes(person: Person) -> None:
    await person.sends("/changes")
    await person.until(lambda: isinstance(person.app.screen, ChangesScreen) and has_read(person))


async def changes_of_a_file(person: Person) -> None:
    await changes(person)
    await person.press("down", "ctrl+s", "f9", "tab", "down")


async def context(person: Person) -> None:
    await person.sends("/context")
    await person.until(lambda: isinstance(person.app.screen, ContextScreen) and has_read(person))


async def context_of_a_part(person: Person) -> None:
    await context(person)
    await person.press("down", "down", "tab", "down")


async def what_pi_adds(person: Person) -> None:
    await context(person)
    await person.press("down")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize(
    "pose",
    [changes, changes_of_a_file, context, context_of_a_part, what_pi_adds],
    ids=lambda pose: pose.__name__,
)
async def test_after_a_day_of_work(picture: SnapshotAssertion, pose: Pose, size: tuple[int, int]) -> None:
    entries = told_workday()
    told = {"entries": entries, "leafId": entries[-1]["id"]}
    await is_pictured(picture, pose, size, {"get_entries": told, "get_session_stats": usage(171_280)})


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
async def test_right_after_a_compaction(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    entries = told_workday()[:8]
    told = {"entries": entries, "leafId": entries[-1]["id"]}
    await is_pictured(picture, context, size, {"get_entries": told, "get_session_stats": usage(None)})


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("pose", [changes, context], ids=lambda pose: pose.__name__)
async def test_where_nothing_was_said(picture: SnapshotAssertion, pose: Pose, size: tuple[int, int]) -> None:
    await is_pictured(picture, pose, size, {"get_state": NO_MODEL})


async def is_pictured(picture: SnapshotAssertion, pose: Pose, size: tuple[int, int], answers: dict[str, Any]) -> None:
    async with at_a_told_pi({"get_state": STATE, **answers}, size=size, clock=lambda: 100.0) as (person, _):
        await person.until(lambda: person.agent.session.stats)
        await pose(person)
        await person.pilot.pause()
        assert await person.picture() == picture
