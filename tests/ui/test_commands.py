"""Which words a slash may be followed by, and which of them fits."""

import pytest

from pitui.actions import BY_SLASH
from pitui.rpc.results import Command, SourceInfo
from pitui.session.model import Session
from pitui.ui.commands import Word, is_known, matching, read_command, words


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/model", ("model", "")),
        ("/model  a/b ", ("model", "a/b")),
        ("/skill:tea now", ("skill:tea", "now")),
        ("/compact keep\nthe names", ("compact", "keep\nthe names")),
        ("/", None),
        ("/ model", None),
        ("/etc/hosts", None),
        ("/one\ntwo", None),
        ("model", None),
    ],
)
def test_a_command_is_a_word_after_a_slash(text: str, command: tuple[str, str] | None) -> None:
    assert read_command(text) == command


def command(name: str, source: str = "extension", path: str = "/x.ts") -> Command:
    return Command(name=name, description=f"About {name}", source=source, source_info=SourceInfo(path=path))


def test_ours_come_first_and_pis_own_are_left_out() -> None:
    session = Session(
        commands=(
            command("tea"),
            command("model"),
            command("pitui"),
            command("mcp", path="builtin:mcp"),
            command("old", path="<inline:old>"),
            command("review", "prompt"),
            command("skill:brew", "skill"),
        )
    )
    found = words(session)
    assert [word.name for word in found[: len(BY_SLASH)]] == list(BY_SLASH)
    assert [(word.name, word.kind) for word in found[len(BY_SLASH) :]] == [
        ("tea", "extension"),
        ("review", "template"),
        ("skill:brew", "skill"),
    ]
    assert is_known(session, "mcp")
    assert not is_known(session, "frobnicate")


def test_the_word_itself_comes_before_beginnings_and_those_before_likenesses() -> None:
    candidates = [Word(name, "") for name in ("forename", "rename", "name", "named", "model", "skill:name")]
    found = [word.name for word in matching(candidates, "name")]
    assert found[:3] == ["name", "skill:name", "named"]
    assert set(found) == {"name", "named", "forename", "rename", "skill:name"}
    assert matching(candidates, "") == candidates
    assert matching(candidates, "zz") == []


def test_what_was_chosen_most_comes_first_among_words_that_fit_alike() -> None:
    candidates = [Word(name, "") for name in ("tea", "team", "tears", "coffee")]
    used = {"tears": 2.0, "coffee": 1.0}
    assert [word.name for word in matching(candidates, "", used)] == ["tears", "coffee", "tea", "team"]
    assert [word.name for word in matching(candidates, "te", used)] == ["tears", "tea", "team"]
    assert [word.name for word in matching(candidates, "tea", used)] == ["tea", "tears", "team"]


def test_words_of_one_name_say_where_they_come_from() -> None:
    def from_(scope: str, name: str, source: str) -> Command:
        return Command(name=name, source=source, source_info=SourceInfo(path=f"/{scope}/{name}.md", scope=scope))

    session = Session(
        commands=(
            from_("user", "brew", "prompt"),
            from_("project", "skill:brew", "skill"),
            from_("project", "tea", "prompt"),
        )
    )
    found = words(session, {"/user/brew.md": "<pot>"})[len(BY_SLASH) :]
    assert [(word.name, word.argument, word.kind) for word in found] == [
        ("brew", "<pot>", "template, user"),
        ("skill:brew", "", "skill, project"),
        ("tea", "", "template"),
    ]
