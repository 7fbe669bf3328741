"""A session that takes its time to open."""

from typing import Any

from tests.ui.person import Person, Told, at_a_told_pi

WORDS = "The session is being opened"
ENTRY = {
    "type": "message",
    "id": "e",
    "parentId": None,
    "message": {"role": "user", "content": [{"type": "text", "text": "said long ago"}]},
}


async def asked_for_entries(person: Person, told: Told, before: int = 0) -> dict[str, Any]:
    """The request for the entries, which pi does not answer yet."""
    await person.until(lambda: len(told.sent("get_entries")) > before)
    return told.sent("get_entries")[-1]


async def test_a_long_session_that_is_opened_at_the_start_is_waited_for_in_words() -> None:
    answers = {"get_entries": ...}
    async with at_a_told_pi(answers, ready=False, argv=("pi", "--session", "/sessions/s.jsonl")) as (person, told):
        request = await asked_for_entries(person, told)
        await person.sees(WORDS)
        await person.sees("opening the session…")
        told.pi.answers(request, {"entries": [ENTRY], "leafId": "e"})
        await person.sees("said long ago")
        await person.until(lambda: "opened" not in person.screen() and "opening" not in person.screen())


async def test_a_session_that_is_changed_to_is_waited_for_in_words() -> None:
    async with at_a_told_pi({"new_session": {"cancelled": False}}) as (person, told):
        await person.sees("lists the commands")
        told.answers["get_entries"] = ...
        before = len(told.sent("get_entries"))
        person.app.run_worker(person.app.perform("session.new"))
        request = await asked_for_entries(person, told, before)
        await person.sees(WORDS)
        told.pi.answers(request, {"entries": [], "leafId": None})
        await person.sees("lists the commands")
        assert WORDS not in person.screen()


async def test_a_new_session_is_not_called_one_that_is_opened() -> None:
    async with at_a_told_pi({"get_entries": ...}, ready=False) as (person, told):
        await asked_for_entries(person, told)
        await person.sees("lists the commands")
        assert not person.agent.opening
