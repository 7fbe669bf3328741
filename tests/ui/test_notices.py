"""What is said in passing."""

from pathlib import Path

from textual.widgets._toast import Toast

from .person import at_the_demo


async def test_a_flood_of_notices_does_not_cover_the_screen(tmp_path: Path) -> None:
    async with at_the_demo(tmp_path) as person:
        for number in range(300):
            person.agent.notice("info", f"notice {number}")
        await person.until(lambda: any("299" in str(toast.render()) for toast in person.app.screen.query(Toast)))
        toasts = [str(toast.render()) for toast in person.app.screen.query(Toast)]
        assert len(toasts) <= 4
        assert any("more notices" in toast for toast in toasts)
        await person.types("still here")
        assert person.prompt.text == "still here"
