"""How the list of sessions looks, and what is asked about one."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.pi.stored import Store
from tests.ui.person import Person, at_a_told_pi
from tests.ui.test_sessions import opens_the_list, store, talk
from tests.ui.test_snapshots import Picture

__all__ = ["store"]
GROUPS = {"index", "load", "search", "look"}
HOUR = 3600


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


PICTURED = {"120x40": (120, 40), "80x24": (80, 24), "40x12": (40, 12)}


def dated(entries: list[dict[str, Any]], hours: float) -> list[dict[str, Any]]:
    """The same, said so long ago."""
    for entry in entries:
        if "message" in entry:
            entry["message"] |= {"timestamp": round((time.time() - hours * HOUR) * 1000)}
            entry["message"] |= {"usage": {"totalTokens": 900, "cost": {"total": 0.0421}}}
    return entries


@pytest.fixture
def pictured(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions of every kind, in a folder that is the same everywhere."""
    monkeypatch.setenv("PI_CODING_AGENT_DIR", store.environ["PI_CODING_AGENT_DIR"])
    store.cwd = Path("/project")

    def add(session_id: str, *texts: str, hours: float, name: str | None = None, **fields: Any) -> Path:
        path = store.write(session_id, *dated(talk(*texts, name=name), hours), **fields)
        aged(path, hours)
        return path

    plan = "Plan the tea garden: beds, paths and a small pond."
    answer = "## A plan\n\n1. **Beds** along the south wall\n2. A gravel path\n3. A pond of 2 m, with a *pump*"
    origin = add("a", plan, answer, "How deep must the pond be?", "At least 80 cm.", hours=29.5, name="Tea garden")
    add("b", plan, answer, "Without a pond, please.", "Then there is room for a bench.", hours=5.5, parent=str(origin))
    add("c", "日本語のセッションを探す", "はい、見つかりました。", hours=0.51)
    add("d", "Fix the test that waits for ever when the child has ended " * 3, "It holds the pipe.", hours=75)
    add("e", "Elsewhere", "There is a pond too.", hours=3000, cwd=Path("/other/project"))
    aged(store.write_lines("f", [b"hello"]), 4000)


def aged(path: Path, hours: float) -> None:
    """Written so long ago."""
    when = time.time() - hours * HOUR
    os.utime(path, (when, when))


@pytest.fixture
def damaged(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written half, or by something else, or by somebody who means harm."""
    monkeypatch.setenv("PI_CODING_AGENT_DIR", store.environ["PI_CODING_AGENT_DIR"])
    store.cwd = Path("/project")
    header = {"type": "session", "version": 3, "id": "x", "cwd": "/project"}

    def two(hours: float) -> tuple[bytes, bytes]:
        first, second = dated(talk("Before the damage", "After the damage"), hours)
        return json.dumps(first).encode(), json.dumps(second).encode()

    (first, second), (glued, after), (alone, _) = two(5), two(8), two(12)
    hostile = "\x1b]0;owned\x07\x1b[31mred\x1b[2J [bold]no markup[/] \u202ereversed\nanother line"
    files = (
        store.write_lines("torn", [header | {"id": "torn"}, first + b"\n", b"\0" * 300 + b"\n", second + b"\n"]),
        store.write_lines("glued", [header | {"id": "glued"}, glued + after + b"\n", after]),
        store.write_lines("hello", [b"hello"]),
        store.write_lines("empty", []),
        store.write_lines("no-folder", [{"type": "session", "version": 3, "id": "no-folder"}, alone]),
        store.write("evil", *dated(talk("x", "y", name=hostile), 30)),
        store.write("wide", *dated(talk("木を開く。" * 9, "はい。", name="木と枝 👩‍👩‍👧 と山"), 40)),
        store.write("long", *dated(talk("x" * 3000, "y", name="Supercalifragilistic" * 30), 50)),
    )
    for number, path in enumerate(files):
        aged(path, 2 + 30.5 * number)
    folder = files[0].parent
    (folder / "2026-11-29T21-38-38-824Z_folder.jsonl").mkdir()
    aged(folder / "2026-11-29T21-38-38-824Z_folder.jsonl", 500)
    (folder / "2026-11-29T21-38-38-824Z_gone.jsonl").symlink_to(folder / "nowhere")


def is_at_work(person: Person) -> bool:
    return any(worker.group in GROUPS for worker in person.app.workers)


async def shows_forks(person: Person) -> None:
    await opens_the_list(person)
    await person.until(lambda: not is_at_work(person))
    await person.press("tab", "ctrl+s", "ctrl+home", "down", "ctrl+t")
    await person.sees("★")


async def searches(person: Person) -> None:
    shown = await opens_the_list(person)
    await person.press("tab")
    await person.types("pond")
    await person.until(lambda: shown.excerpts is not None and len(shown.excerpts) == 3)


async def finds_nothing(person: Person) -> None:
    await opens_the_list(person)
    await person.types("zebra")
    await person.sees("Nothing fits")


async def renames(person: Person) -> None:
    await opens_the_list(person)
    await person.press("down", "ctrl+r")
    await person.sees("Rename “")


async def asks_before_it_deletes(person: Person) -> None:
    await opens_the_list(person)
    await person.until(lambda: not is_at_work(person))
    await person.press("down", "ctrl+d")
    await person.sees("Keep it")


async def asks_what_to_do_without_its_folder(person: Person) -> None:
    await opens_the_list(person)
    await person.until(lambda: not is_at_work(person))
    await person.press("tab", "ctrl+end", "up", "enter")
    await person.sees("The folder of this session is gone")


@pytest.mark.parametrize(
    "state",
    [shows_forks, searches, finds_nothing, renames, asks_before_it_deletes, asks_what_to_do_without_its_folder],
    ids=lambda state: state.__name__,
)
@pytest.mark.parametrize("size", PICTURED.values(), ids=PICTURED)
async def test_how_it_looks(
    pictured: None, picture: SnapshotAssertion, size: tuple[int, int], state: Callable[[Person], Any]
) -> None:
    answers = {"get_state": {"isStreaming": False, "sessionId": "s", "sessionFile": ""}}
    async with at_a_told_pi(answers, size=size) as (person, _):
        await state(person)
        await person.until(lambda: not is_at_work(person))
        await person.pilot.pause()
        assert await person.picture() == picture


@pytest.mark.parametrize("size", list(PICTURED.values())[:2], ids=list(PICTURED)[:2])
async def test_how_damaged_files_look(damaged: None, picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    answers = {"get_state": {"isStreaming": False, "sessionId": "s", "sessionFile": ""}}
    async with at_a_told_pi(answers, size=size) as (person, _):
        await opens_the_list(person)
        await person.press("tab")
        await person.until(lambda: not is_at_work(person))
        await person.pilot.pause()
        assert await person.picture() == picture
