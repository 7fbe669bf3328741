"""What a folder has of its own is loaded only where a person trusts it; what they decide is kept as pi keeps it."""

import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pitui.pi.trust import Answer, Source, Trust, TrustError, contents, decide, look


class Place:
    """A home folder, pi's folder in it, and a project."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.agent = self.home / ".pi" / "agent"
        self.project = self.home / "work" / "project"
        self.project.mkdir(parents=True)
        self.environ = {"HOME": str(self.home), "PI_CODING_AGENT_DIR": str(self.agent)}
        self.file = self.agent / "trust.json"

    def has(self, name: str, folder: Path | None = None) -> Path:
        path = (folder or self.project) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
        return path

    def decided(self, **folders: bool | None) -> None:
        self.keeps(json.dumps({str(self.home / name): value for name, value in folders.items()}))

    def keeps(self, text: str) -> None:
        self.agent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(text)

    def kept(self) -> dict[str, bool | None]:
        return json.loads(self.file.read_text("utf-8"))

    def look(self, *argv: str, folder: Path | None = None) -> Trust:
        return look(folder or self.project, argv, self.environ)

    def decide(self, answer: Answer, folder: Path | None = None) -> None:
        decide(folder or self.project, answer, self.environ)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(Path(os.path.realpath(tmp_path)))


def test_an_ordinary_folder_needs_no_trust(place: Place) -> None:
    place.has("AGENTS.md")
    place.has(".pi/notes.md")
    assert place.look() == Trust(place.project, [], True, Source.NOTHING)


@pytest.mark.parametrize(
    "name", ["settings.json", "mcp.json", "extensions/a.ts", "skills/a", "prompts/a", "themes/a", "SYSTEM.md"]
)
def test_a_folder_with_pi_resources_is_undecided(place: Place, name: str) -> None:
    place.has(f".pi/{name}")
    trust = place.look()
    assert trust.trusted is None
    assert trust.resources == [place.project / ".pi" / name.partition("/")[0]]


def test_skills_for_all_agents_in_a_folder_above_need_trust_but_those_of_the_person_do_not(place: Place) -> None:
    place.has(".agents/skills/mine/SKILL.md", place.home)
    assert place.look().resources == []
    assert place.look(folder=place.home).resources == []
    place.has(".agents/skills/theirs/SKILL.md", place.home / "work")
    assert place.look().resources == [place.home / "work/.agents/skills"]


def test_the_nearest_folder_that_is_decided_counts(place: Place) -> None:
    place.has(".pi/SYSTEM.md")
    place.decided(work=True)
    assert place.look()[2:5] == (True, Source.FILE, str(place.home / "work"))
    place.keeps(json.dumps({str(place.home / "work"): True, str(place.project): False}))
    assert place.look()[2:5] == (False, Source.FILE, str(place.project))
    place.keeps(json.dumps({str(place.home / "work"): False, str(place.project): None}))
    assert place.look().trusted is False


def test_a_link_counts_as_the_folder_it_leads_to(place: Place) -> None:
    place.has(".pi/SYSTEM.md")
    link = place.home / "link"
    link.symlink_to(place.project)
    place.decide(Answer.ALWAYS, link)
    assert place.kept() == {str(place.project): True}
    assert place.look(folder=link).trusted is True


def test_an_option_comes_before_what_is_kept_and_the_setting_after_it(place: Place) -> None:
    place.has(".pi/SYSTEM.md")
    place.agent.mkdir(parents=True)
    (place.agent / "settings.json").write_text('{"defaultProjectTrust": "always"}')
    assert place.look()[2:4] == (True, Source.SETTING)
    place.decided(work=False)
    assert place.look()[2:4] == (False, Source.FILE)
    assert place.look("--mode", "rpc", "-a")[2:4] == (True, Source.OPTION)
    assert place.look("--approve", "--no-approve").trusted is False
    place.keeps("{}")
    (place.agent / "settings.json").write_text('{"defaultProjectTrust": "ask"}')
    assert place.look().trusted is None


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (Answer.ALWAYS, {"work/project": True}),
        (Answer.NEVER, {"work/project": False}),
        (Answer.PARENT, {"work": True}),
        (Answer.THIS_TIME, {"work/project": False}),
        (Answer.NOT_NOW, {"work/project": False}),
    ],
)
def test_an_answer_is_kept_beside_what_was_there(place: Place, answer: Answer, kept: dict[str, bool]) -> None:
    place.keeps(json.dumps({"/z": True, "/other": None, str(place.project): False}))
    place.decide(answer)
    expected = {"/z": True, "/other": None} | {str(place.home / name): value for name, value in kept.items()}
    assert place.kept() == expected
    assert not list(place.agent.glob("trust.json?*"))


def test_the_file_is_made_as_pi_makes_it(place: Place) -> None:
    folder = place.home / "b é"
    folder.mkdir()
    place.decide(Answer.ALWAYS, folder)
    place.decide(Answer.NEVER, place.home)
    assert place.file.read_text("utf-8") == f'{{\n  "{place.home}": false,\n  "{folder}": true\n}}\n'


def test_a_file_that_is_a_link_stays_one_and_its_mode_stays(place: Place) -> None:
    real = place.home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o600)
    place.agent.mkdir(parents=True)
    place.file.symlink_to(real)
    place.decide(Answer.ALWAYS)
    assert place.file.is_symlink()
    assert json.loads(real.read_text()) == {str(place.project): True}
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ['{"broken', "[]", '{"/x": "yes"}', "[" * 100_000, "\udcff"])
def test_a_damaged_file_is_told_of_and_never_overwritten(place: Place, text: str) -> None:
    place.has(".pi/SYSTEM.md")
    place.agent.mkdir(parents=True)
    before = text.encode("utf-8", "surrogateescape")
    place.file.write_bytes(before)
    trust = place.look()
    assert trust.trusted is None
    assert "damaged" in trust.damage
    with pytest.raises(TrustError, match="damaged"):
        place.decide(Answer.ALWAYS)
    assert place.file.read_bytes() == before
    assert place.look("--approve").trusted is True


def test_what_cannot_be_read_or_written_is_said(place: Place) -> None:
    place.has(".pi/SYSTEM.md")
    place.file.mkdir(parents=True)
    assert "cannot be read" in place.look().damage
    with pytest.raises(TrustError, match="cannot be read"):
        place.decide(Answer.ALWAYS)
    place.file.rmdir()
    place.agent.rmdir()
    place.agent.write_text("a file")
    with pytest.raises(TrustError, match="cannot be written"):
        place.decide(Answer.ALWAYS)


def test_another_program_that_writes_is_waited_for(place: Place) -> None:
    place.keeps("{}")
    lock = place.agent / "trust.json.lock"
    lock.mkdir()
    answered = threading.Thread(target=place.decide, args=(Answer.ALWAYS,))
    answered.start()
    answered.join(0.1)
    assert answered.is_alive()
    assert place.kept() == {}
    lock.rmdir()
    answered.join()
    assert place.kept() == {str(place.project): True}


def test_a_lock_that_is_never_given_back_is_said(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitui.pi.trust.LOCK_SECONDS", 0)
    (place.agent / "trust.json.lock").mkdir(parents=True)
    with pytest.raises(TrustError, match=r"Another program holds .*trust\.json\.lock"):
        place.decide(Answer.ALWAYS)


def test_the_lock_of_a_dead_program_is_taken_over(place: Place) -> None:
    lock = place.agent / "trust.json.lock"
    lock.mkdir(parents=True)
    os.utime(lock, (1, 1))
    place.decide(Answer.ALWAYS)
    assert place.kept() == {str(place.project): True}
    assert not lock.exists()


def test_many_writers_at_once_lose_nothing(place: Place) -> None:
    folders = [place.home / str(number) for number in range(8)]

    def answers(folder: Path) -> Callable[[], None]:
        return lambda: place.decide(Answer.ALWAYS, folder)

    threads = [threading.Thread(target=answers(folder)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert place.kept() == {str(folder): True for folder in folders}


def test_what_is_in_a_resource_can_be_listed(place: Place) -> None:
    place.has(".pi/extensions/b.ts")
    place.has(".pi/extensions/a.ts")
    place.has(".pi/extensions/.hidden")
    settings = place.has(".pi/settings.json")
    assert contents(place.project / ".pi/extensions") == ["a.ts", "b.ts"]
    assert contents(settings) == ()
