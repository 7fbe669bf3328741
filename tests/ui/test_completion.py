"""The list at the cursor: files while they are found, arguments, and keys that are about what is seen."""

import os
from pathlib import Path

from tests.files.test_listing import make
from tests.ui.person import Person, at_the_demo


async def sees_found(person: Person, *labels: str) -> None:
    """Wait until just these are offered and can be chosen."""
    completion = person.app.main.completion
    await person.until(
        lambda: [item.label for item in completion.items] == list(labels) and completion._seen_at < 1e300
    )


async def test_a_file_is_found_and_put_in(tmp_path: Path) -> None:
    make(tmp_path / "project", "src/main.py", "docs/main page.md", "other.txt")
    async with at_the_demo(tmp_path) as person:
        await person.types("see @mai")
        await sees_found(person, "main.py", "main page.md")
        await person.press("down", "enter")
        assert person.prompt.text == 'see @"docs/main page.md" '
        assert person.asked() == []
        await person.types("and @mai")
        await sees_found(person, "main page.md", "main.py")  # what was chosen comes first
        await person.press("tab", "enter")
        await person.until(lambda: person.asked() == ['see @"docs/main page.md" and @"docs/main page.md" '])


async def test_a_folder_goes_on_being_completed(tmp_path: Path) -> None:
    make(tmp_path / "project", "my docs/a.md")
    async with at_the_demo(tmp_path) as person:
        await person.types("@my")
        await sees_found(person, "my docs/", "a.md")
        await person.press("tab")
        await sees_found(person, "a.md")
        assert person.prompt.text == '@"my docs/"'
        await person.press("tab")
        assert person.prompt.text == '@"my docs/a.md" '


async def test_tab_completes_any_word_as_a_path(tmp_path: Path) -> None:
    make(tmp_path / "project", "README.md")
    async with at_the_demo(tmp_path) as person:
        await person.types("read REA")
        await person.press("tab")
        await sees_found(person, "README.md")
        await person.press("tab")
        assert person.prompt.text == "read README.md "


async def test_a_list_of_paths_that_was_closed_is_there_again_by_tab_and_not_by_itself(tmp_path: Path) -> None:
    make(tmp_path / "project", "README.md")
    async with at_the_demo(tmp_path) as person:
        completion = person.app.main.completion
        await person.types("read REA")
        await person.press("tab")
        await sees_found(person, "README.md")
        await person.press("escape")
        await person.types("D")
        assert not completion.is_open
        await person.press("tab")
        await sees_found(person, "README.md")
        await person.press("ctrl+c")
        await person.types("read REA")
        assert not completion.is_open


async def test_enter_pressed_before_the_list_is_there_chooses_nothing(tmp_path: Path) -> None:
    make(tmp_path / "project", "apple.txt")
    async with at_the_demo(tmp_path) as person:
        ask = person.app.main.completion._finder.ask
        person.app.main.completion._finder.ask = lambda *_, **__: 0  # type: ignore[method-assign]
        await person.types("@app")
        await person.press("enter")
        await person.until(lambda: person.asked() == ["@app"])
        person.app.main.completion._finder.ask = ask  # type: ignore[method-assign]


async def test_escape_closes_the_list_alone_and_typing_goes_on(tmp_path: Path) -> None:
    make(tmp_path / "project", "apple.txt", "aok.txt")
    async with at_the_demo(tmp_path) as person:
        await person.types("@a")
        await sees_found(person, "aok.txt", "apple.txt")
        await person.press("escape")
        assert not person.app.main.completion.is_open
        await person.types("ok")
        await person.press("enter")
        await person.until(lambda: person.asked() == ["@aok"])


async def test_no_folder_and_no_name_holds_up_who_types(tmp_path: Path) -> None:
    project = tmp_path / "project"
    make(project, "apple.txt", "re\x1b[31m[b]\nred.txt", "closed/secret", "sub/x")
    (project / "sub" / "again").symlink_to(project)
    os.mkfifo(project / "a pipe")
    os.close(os.open(os.fsencode(project) + b"/plum\xff", os.O_CREAT))
    (project / "closed").chmod(0)
    try:
        async with at_the_demo(tmp_path) as person:
            await person.types("@a")
            await person.sees("apple.txt")
            await person.press("escape")
            await person.types("ok")
            await person.press("enter")
            await person.until(lambda: person.asked() == ["@aok"])
            for typed, words in (("@red", '@"re\\x1b[31m[b]\\nred.txt" '), ("@plum", '@"plum\\xff" ')):
                await person.types(typed)
                await person.until(lambda: len(person.app.main.completion.items) == 1)
                assert "\x1b" not in person.screen()
                await person.press("tab")
                assert person.prompt.text == words
                await person.press("enter")
                await person.until(lambda words=words: person.asked()[-1].strip() == words.strip())
    finally:
        (project / "closed").chmod(0o700)


async def test_arguments_are_offered_where_they_are_known(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        await person.types("/steering ")
        await sees_found(person, "all", "one-at-a-time")
        await person.press("down", "enter")
        await person.until(lambda: person.agent.session.steering_mode == "one-at-a-time")
        await person.types("/model pla")
        await sees_found(person, "lab/plain")
        await person.press("tab")
        assert person.prompt.text == "/model lab/plain"
        await person.press("enter")
        await person.until(lambda: person.agent.session.model and person.agent.session.model.id == "plain")


async def test_a_search_that_takes_long_says_so_and_can_be_left(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        person.app.main.completion._finder.ask = lambda *_, **__: 7  # type: ignore[method-assign]
        await person.types("@a")
        await person.sees("searching…")
        await person.press("escape")
        assert "searching…" not in person.screen()
