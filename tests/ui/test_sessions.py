"""All sessions: found by their names and by what was said, opened, named and thrown away."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from pitui.companion import COMPANION
from pitui.pi import upkeep
from pitui.pi.index import SessionIndex
from pitui.store.claims import Claim
from pitui.ui.screens.entry_menu import EntryMenu
from pitui.ui.screens.picker import PickerScreen
from pitui.ui.screens.sessions import SessionsScreen
from pitui.ui.screens.tree import TreeScreen
from pitui.ui.widgets.sessions import SessionList
from tests.pi.stored import Store, named, said
from tests.ui.person import Person, at_a_told_pi, at_the_demo


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "PI_CODING_AGENT_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr("send2trash.plat_other.HOMETRASH", str(tmp_path / "Trash"), raising=False)
    monkeypatch.setattr("send2trash.plat_other.HOMETRASH_B", os.fsencode(tmp_path / "Trash"), raising=False)
    yield Store(tmp_path)


def talk(*texts: str, name: str | None = None) -> list[dict[str, Any]]:
    """A person and a model in turn, each entry after the one before."""
    roles = ("user", "assistant")
    entries = [said(roles[number % 2], text) for number, text in enumerate(texts)]
    entries += [named(name)] if name else []
    for number, entry in enumerate(entries):
        entry |= {"id": f"e{number}", "parentId": f"e{number - 1}" if number else None}
        entry["timestamp"] = "2026-11-29T21:38:38.824Z"
    return entries


def writes(store: Store, session_id: str, *texts: str, name: str | None = None, **fields: Any) -> Path:
    return store.write(session_id, *talk(*texts, name=name), folder=store.cwd.parent / "sessions", **fields)


def first_line(file: str) -> dict[str, Any]:
    return json.loads(Path(file).read_text().splitlines()[0])


async def opens_the_list(person: Person) -> SessionList:
    await person.sends("/resume")
    await person.until(lambda: isinstance(person.app.screen, SessionsScreen))
    shown = person.app.screen.query_one(SessionList)
    await person.until(
        lambda: shown.ranked and all(file.messages is not None or file.problem for _, file in shown.ranked)
    )
    return shown


def titles(shown: SessionList) -> list[str]:
    return [file.title for _, file in shown.ranked]


async def test_a_word_said_long_ago_opens_its_session_at_that_place(store: Store, tmp_path: Path) -> None:
    filling = [text for number in range(30) for text in (f"prompt {number}", "a haystack " * 60)]
    path = writes(store, "one", *filling, "where is it", "a needle in the haystack", *filling)
    writes(store, "two", "something else", "yes")
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        assert len(shown.ranked) == 2
        await person.types("needle haystack")
        await person.until(lambda: titles(shown) == ["prompt 0"])
        await person.sees("a needle in the")
        await person.press("enter")
        await person.until(lambda: person.app.screen is person.app.main and person.agent.session.file == str(path))
        await person.sees("a needle in the haystack")
        assert person.prompt.has_focus
        await person.press("escape")  # from the search for one of the words, which is still at the place
        await person.sees("a needle in the haystack")


async def test_enter_right_after_typing_opens_what_is_found(store: Store, tmp_path: Path) -> None:
    writes(store, "one", "first", "apples")
    path = writes(store, "two", "second", "pears")
    writes(store, "three", "third", "plums")
    async with at_the_demo(tmp_path) as person:
        await opens_the_list(person)
        await person.press(*"pears", "enter")
        await person.until(lambda: person.agent.session.file == str(path))


async def test_sessions_of_this_folder_or_of_all_and_as_the_tree_of_forks(store: Store, tmp_path: Path) -> None:
    origin = writes(store, "one", "plan", "a", name="The plan")
    writes(store, "two", "plan", "b", parent=str(origin))
    writes(store, "three", "elsewhere", "c", cwd=tmp_path)
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        assert titles(shown) == ["plan", "The plan"]
        await person.sees("fork of The plan")
        await person.press("tab")
        await person.until(lambda: "elsewhere" in titles(shown))
        await person.press("tab", "ctrl+s")
        await person.until(
            lambda: [(depth, file.title) for depth, file in shown.ranked] == [(0, "The plan"), (1, "plan")]
        )
        await person.press("escape")
        await person.until(lambda: person.app.screen is person.app.main)


async def test_a_session_is_thrown_away_only_after_a_question(store: Store, tmp_path: Path) -> None:
    """B81: what is acted on is what was highlighted, also while the list is made anew."""
    paths = {name: writes(store, name, name, "x") for name in ("one", "two", "three")}
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        await person.press("down", "ctrl+d")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        assert "Delete “two”?" in person.screen()
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, SessionsScreen))
        assert paths["two"].exists()
        await person.press("ctrl+d")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        await person.press("down", "enter")
        await person.until(lambda: titles(shown) == ["three", "one"])
        assert not paths["two"].exists()
        assert [path.name for path in (tmp_path / "Trash").rglob("*.jsonl")] == [paths["two"].name]
        await person.press("enter")
        await person.until(lambda: person.agent.session.file == str(paths["one"]))


async def test_a_key_pressed_often_asks_once_and_a_session_open_elsewhere_is_kept(store: Store, tmp_path: Path) -> None:
    paths = {name: writes(store, name, name, "x") for name in ("one", "two")}
    claims = tmp_path / "claims"
    elsewhere = Claim(claims, paths["one"])
    async with at_the_demo(tmp_path) as person:
        person.agent.launch = replace(person.agent.launch, claims=claims)
        shown = await opens_the_list(person)
        await person.press("ctrl+d", "ctrl+d", "ctrl+d")
        await person.until(lambda: isinstance(person.app.screen, PickerScreen))
        assert "Delete “two”?" in person.screen()
        await person.press("down", "enter")
        await person.until(lambda: titles(shown) == ["one"] and isinstance(person.app.screen, SessionsScreen))
        await person.press("ctrl+d")
        await person.sees("It is open in another pitui. It is kept.")
        elsewhere.release()
        await person.press("ctrl+d")
        await person.sees("Delete “one”?")
        assert paths["one"].exists()


async def test_going_back_to_a_prompt_that_was_never_answered_says_where_that_is(store: Store, tmp_path: Path) -> None:
    path = writes(store, "one", "first", "answer", "never answered")
    async with at_the_demo(tmp_path, "-e", str(COMPANION)) as person:
        await person.sends(f"/resume {path}")
        await person.until(lambda: person.asked() == ["first", "never answered"])
        await person.sends("/tree")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        await person.types("answer")
        await person.press("home", "enter")
        await person.until(lambda: isinstance(person.app.screen, EntryMenu))
        await person.press("enter")
        await person.sees("It goes on from here.")
        await person.press("alt+z")
        await person.sees("Back to before that prompt, which can be sent again.")
        await person.until(lambda: person.prompt.text == "never answered")


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> Iterator[None]:
    """A slow disk: this takes until the end of the block."""
    go_on, real = threading.Event(), getattr(owner, name)

    def slow(*arguments: Any) -> Any:
        go_on.wait(20)
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, slow)
        try:
            yield
        finally:
            go_on.set()


async def test_enter_while_the_list_is_made_anew_means_what_was_highlighted(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B81: after something is deleted, and after it is named, which makes it the latest."""
    paths = {name: writes(store, name, name, "x") for name in ("one", "two", "three")}
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        with held(monkeypatch, upkeep, "move_to_trash"):
            await person.press("down", "ctrl+d")
            await person.until(lambda: isinstance(person.app.screen, PickerScreen))
            await person.press("down", "enter", "enter")
            await person.sees("It is being deleted.")
        await person.until(lambda: titles(shown) == ["three", "one"])
        with held(monkeypatch, SessionIndex, "sessions"):
            await person.press("ctrl+r", "a", "enter")
            await person.until(lambda: b'"name":"a"' in paths["one"].read_bytes())
            await person.press("enter")
            await person.until(lambda: person.agent.session.file == str(paths["one"]))


async def test_what_comes_meanwhile_changes_the_rows_and_not_what_is_highlighted(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B81: a new session while the files are read, and what was said while it is looked for."""
    writes(store, "one", "apples", "x")
    writes(store, "two", "pears", "more apples")
    async with at_the_demo(tmp_path) as person:
        await opens_the_list(person)
        await person.press("escape")
        writes(store, "three", "plums", "even more apples")
        with held(monkeypatch, SessionIndex, "refresh"):
            await person.sends("/resume")
            await person.until(lambda: isinstance(person.app.screen, SessionsScreen))
            shown = person.app.screen.query_one(SessionList)
            await person.until(lambda: titles(shown) == ["pears", "apples"])
        await person.until(lambda: titles(shown) == ["plums", "pears", "apples"])
        assert shown.file == shown.ranked[1][1]
        with held(monkeypatch, SessionIndex, "search"):
            await person.types("apples")
            await person.until(lambda: titles(shown) == ["apples"])
            await person.press("down")
        await person.until(lambda: titles(shown) == ["plums", "pears", "apples"])
        assert shown.file == shown.ranked[2][1]


async def test_the_open_session_is_marked_named_by_pi_and_never_thrown_away(store: Store, tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say Hello.")
        await person.until(lambda: person.said() and person.is_idle())
        shown = await opens_the_list(person)
        await person.sees(" • #say Hello.")
        await person.press("ctrl+d")
        await person.sees("This session is open.")
        await person.press("ctrl+r")
        await person.types("mine")
        await person.press("enter")
        await person.until(lambda: titles(shown) == ["mine"])
        await person.until(lambda: person.agent.session.name == "mine")


async def test_another_session_is_named_starred_and_looked_for_by_its_name(store: Store, tmp_path: Path) -> None:
    path = writes(store, "one", "first", "x")
    writes(store, "two", "second", "y")
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        await person.press("down", "ctrl+r")
        await person.types("garden")
        await person.press("escape", "ctrl+r")
        await person.types("tea house")
        await person.press("enter")
        await person.until(lambda: titles(shown) == ["second", "tea house"])
        assert json.loads(path.read_text().splitlines()[-1])["name"] == "tea house"
        await person.press("ctrl+t")
        await person.sees("★")
        await person.types("hou")
        await person.until(lambda: titles(shown) == ["tea house"])


async def test_a_name_is_written_on_at_its_end_every_time(store: Store, tmp_path: Path) -> None:
    path = writes(store, "one", "first", "x")
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        for written, name in (("1", "1"), ("2", "12"), ("3", "123")):
            await person.press("ctrl+r", written, "enter")
            await person.until(lambda name=name: titles(shown) == [name])
        assert json.loads(path.read_text().splitlines()[-1])["name"] == "123"


async def test_an_empty_name_takes_the_name_away(store: Store, tmp_path: Path) -> None:
    writes(store, "one", "first", "x", name="Beans")
    async with at_the_demo(tmp_path, "-e", str(COMPANION)) as person:
        await person.sends("#say Hello.")
        await person.until(lambda: person.said() and person.is_idle())
        await person.sends("/name Peas")
        await person.until(lambda: person.agent.session.name == "Peas")
        shown = await opens_the_list(person)
        assert titles(shown) == ["Peas", "Beans"]
        await person.press("ctrl+r", "ctrl+a", "ctrl+k", "enter")
        await person.until(lambda: not person.agent.session.name)
        await person.press("down", "ctrl+r", *["backspace"] * 5, "space", "enter")
        await person.until(lambda: sorted(titles(shown)) == ["#say Hello.", "first"])


async def test_it_is_said_why_the_name_of_the_open_session_stays(store: Store, tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say Hello.")
        await person.until(lambda: person.said() and person.is_idle())
        await person.sends("/name Peas")
        await person.until(lambda: person.agent.session.name == "Peas")
        await opens_the_list(person)
        await person.press("ctrl+r", *["backspace"] * 4, "enter")
        await person.sees("companion")


async def test_what_was_written_from_here_does_not_keep_a_session_from_being_deleted(
    store: Store, tmp_path: Path
) -> None:
    path = writes(store, "one", "first", "x")
    async with at_the_demo(tmp_path) as person:
        await person.sends("#say Hello.")
        await person.until(lambda: person.said() and person.is_idle())
        left = Path(person.agent.session.file)
        await person.sends("/new")
        await person.until(lambda: person.agent.session.file != str(left) and person.agent.session.stats)
        shown = await opens_the_list(person)
        assert titles(shown) == ["#say Hello.", "first"]
        await person.press("down", "ctrl+r", "a", "enter", "ctrl+d")
        await person.sees("Delete “")
        await person.press("down", "enter")
        await person.until(lambda: titles(shown) == ["#say Hello."])
        await person.press("ctrl+d")
        await person.sees("Delete “#say Hello.”?")
        await person.press("down", "enter")
        await person.sees("No session of this folder.")
    assert not path.exists()
    assert not await anyio.Path(left).exists()


async def test_a_starred_session_stands_first(store: Store, tmp_path: Path) -> None:
    writes(store, "one", "first", "x")
    writes(store, "two", "second", "y")
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        shown = await opens_the_list(person)
        await person.sees("star to the top")
        await person.press("down", "ctrl+t")
        await person.until(lambda: titles(shown) == ["first", "second"])
        assert shown.highlighted == 0
        await person.press("ctrl+t")
        await person.until(lambda: titles(shown) == ["second", "first"])
        assert shown.highlighted == 1


async def test_as_many_messages_are_counted_as_were_said(store: Store, tmp_path: Path) -> None:
    told = {"type": "message", "message": {"role": "system", "content": "You are an agent."}}
    store.write("one", told, *talk("first", "x"), folder=tmp_path / "sessions")
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        assert [file.messages for _, file in shown.ranked] == [2]


async def test_all_the_words_that_were_looked_for_are_marked_in_the_chat(store: Store, tmp_path: Path) -> None:
    path = writes(store, "one", "what of it", "Here are the ZEBRA and the other findings.", "and the findings?", "none")
    async with at_the_demo(tmp_path) as person:
        shown = await opens_the_list(person)
        await person.types("zebra findings")
        await person.until(lambda: titles(shown) == ["what of it"] and person.app.screen.query_one(SessionList).words)
        await person.press("enter")
        await person.until(lambda: person.agent.session.file == str(path))
        await person.sees("1 of 1")
        await person.sees("zebra and the other findings")


async def test_it_is_said_that_words_which_stand_apart_are_not_marked_together(store: Store, tmp_path: Path) -> None:
    path = writes(store, "one", "what of it", f"Here is the ZEBRA.\n\n{'And more. ' * 9}\n\nThe findings.")
    async with at_the_demo(tmp_path) as person:
        await opens_the_list(person)
        await person.types("zebra findings")
        await person.press("enter")
        await person.until(lambda: person.agent.session.file == str(path))
        await person.sees("The words stand apart in it; “findings” is marked.")


async def test_a_session_is_opened_by_its_name(store: Store, tmp_path: Path) -> None:
    writes(store, "one", "first", "x", name="Recipes")
    path = writes(store, "two", "second", "y", name="Recipes of tea")
    writes(store, "three", "third", "z", name="Beans")
    writes(store, "four", "fourth", "z", name="Beans")
    async with at_the_demo(tmp_path) as person:
        await person.sends("/resume recipes of tea")
        await person.until(lambda: person.agent.session.file == str(path))
        await person.until(lambda: person.asked() == ["second"])
        for words, found in (("Beans", ["Beans", "Beans"]), ("recip", ["Recipes of tea", "Recipes"])):
            await person.sends(f"/resume {words}")
            await person.until(lambda: isinstance(person.app.screen, SessionsScreen))
            shown = person.app.screen.query_one(SessionList)
            await person.until(lambda shown=shown, found=found: titles(shown) == found)
            await person.sees(words)
            await person.press("escape", "escape")
            await person.until(lambda: person.app.screen is person.app.main)


async def test_the_end_of_a_folder_is_seen_in_the_list_of_all(store: Store, tmp_path: Path) -> None:
    deep = tmp_path / "a folder with a name that is long" / "and another one that is as long"
    origin = writes(store, "one", "plan", "a", cwd=deep / "the-garden")
    writes(store, "two", "plan", "b", "and now\nsomething else", "c", cwd=deep / "the-house", parent=str(origin))
    async with at_the_demo(tmp_path, size=(120, 40)) as person:
        await person.sends("/resume")
        await person.until(lambda: isinstance(person.app.screen, SessionsScreen))
        await person.press("tab")
        await person.sees("/the-garden ")
        await person.sees("/the-house ")


async def test_on_a_small_screen_the_list_tells_its_keys_and_shows_what_was_said(store: Store, tmp_path: Path) -> None:
    writes(store, "one", "first", "This was the answer.")
    async with at_the_demo(tmp_path, size=(80, 24)) as person:
        await opens_the_list(person)
        for words in ("Tab all folders", "rename", "star", "delete", "closes", "This was the answer."):
            await person.sees(words)


async def test_a_damaged_file_is_listed_and_not_opened(store: Store, tmp_path: Path) -> None:
    store.write_lines("bad", [b"hello"], tmp_path / "sessions")
    async with at_the_demo(tmp_path) as person:
        await person.sends("/resume")
        await person.until(lambda: isinstance(person.app.screen, SessionsScreen))
        await person.sees("No session of this folder. Tab shows those of all.")
        await person.press("tab")
        await person.sees("damaged")
        await person.press("enter")
        await person.sees("It cannot be opened")
        assert isinstance(person.app.screen, SessionsScreen)


async def test_a_session_that_pi_refuses_leaves_the_open_one_open_and_says_why(store: Store, tmp_path: Path) -> None:
    """B77, with a name that means something to a markup language."""
    path = store.write_lines("]x", [b"hello"], tmp_path / "[")
    reason = f"Session file is not a valid pi session: {path}"
    async with at_a_told_pi({"switch_session": reason}, size=(200, 30)) as (person, told):
        await person.sends(f"/resume {path}")
        await person.until(lambda: told.sent("switch_session"))
        await person.sees("Session file is not a valid pi session")
        await person.sees("[/2026")
        assert person.agent.session.file == "/sessions/s.jsonl"
        await person.sends(f"/resume {tmp_path / 'none.jsonl'}")
        await person.sees("there is no session file")
        assert len(told.sent("switch_session")) == 1


async def test_a_folder_for_sessions_may_be_told_as_it_is_seen_from_here(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B79: ``--session-dir`` relative to where pi was started, and the open session in it is known as such."""
    writes(store, "one", "apples", "x")
    store.cwd.mkdir()
    monkeypatch.chdir(store.cwd)
    async with at_the_demo(tmp_path, "--session-dir", "../sessions") as person:
        await person.sends("#say Hello.")
        await person.until(lambda: person.said() and person.is_idle())
        shown = await opens_the_list(person)
        assert titles(shown) == ["#say Hello.", "apples"]
        await person.sees(" • #say Hello.")


@pytest.mark.parametrize("answer", ["cancel", "fork", "folder"])
async def test_a_session_whose_folder_is_gone_is_asked_about(store: Store, tmp_path: Path, answer: str) -> None:
    gone = tmp_path / "gone"
    path = writes(store, "one", "hi", "ho", cwd=gone)
    before = path.read_bytes()
    async with at_the_demo(tmp_path) as person:
        first = person.agent.session.file
        await person.sends(f"/resume {path}")
        await person.sees("The folder of this session is gone")
        await person.press(*["right"] * ("cancel", "fork", "folder").index(answer), "enter")
        if answer == "cancel":
            await person.until(lambda: person.prompt.has_focus)
            assert person.agent.session.file == first
        elif answer == "fork":
            await person.until(lambda: person.asked() == ["hi"])
            header = first_line(person.agent.session.file)
            assert (header["cwd"], header["parentSession"]) == (str(tmp_path / "project"), str(path))
        else:
            await person.until(lambda: person.agent.session.file == str(path))
        assert gone.exists() == (answer == "folder")
        assert path.read_bytes() == before


async def test_a_session_file_from_elsewhere_is_imported(store: Store, tmp_path: Path) -> None:
    path = store.write("one", *talk("from elsewhere", "yes"), folder=tmp_path / "elsewhere")
    gone = store.write("two", *talk("a", "b"), folder=tmp_path / "elsewhere", cwd=tmp_path / "gone")
    async with at_the_demo(tmp_path) as person:
        await person.sends(f"/import {path}")
        await person.until(lambda: person.asked() == ["from elsewhere"])
        await person.sees("Imported: this is the copy.")
        assert person.agent.session.file == str(tmp_path / "sessions" / path.name)
        await person.sends(f"/import {gone}")
        await person.sees("The folder of this session is gone")
        await person.press("enter")
        await person.until(lambda: not (tmp_path / "sessions" / gone.name).exists())
        await person.sends("/import nowhere.jsonl")
        await person.sees("imported: ")
    assert path.exists()
    assert gone.exists()


@pytest.mark.parametrize("way", ["opened", "new", "restarted"])
async def test_pitui_is_where_the_session_works_as_pi_is(store: Store, tmp_path: Path, way: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = writes(store, "one", "hi", "ho", cwd=elsewhere)
    async with at_the_demo(tmp_path, size=(200, 30)) as person:
        await person.sends(f"/resume {path}")
        await person.until(lambda: person.asked() == ["hi"])
        await person.sees("/elsewhere")
        if way == "new":
            await person.sends("/new")
            await person.until(lambda: person.agent.session.file != str(path))
        elif way == "restarted":
            await person.agent.restart()
            await person.until(lambda: person.agent.session.commands and person.is_idle())
        await person.sees("/elsewhere")
        await person.sends("!pwd")
        await person.sees(str(elsewhere))
        await person.sends("/export here.html")
        await person.until((elsewhere / "here.html").exists)
