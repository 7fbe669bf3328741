"""Reading and copying what was said."""

from pitui.ui.intents.agent_app import AgentApp, intent
from pitui.ui.system import clipboard


class ReadingIntents(AgentApp):
    def action_tools_expand(self, argument: str = "") -> None:
        self.main.transcript.toggle_kind("tool")

    def action_thinking_show(self, argument: str = "") -> None:
        self.main.transcript.toggle_kind("thinking")

    async def action_search(self, argument: str = "") -> None:
        await self.main.open_search(argument)

    def action_chat_page_up(self, argument: str = "") -> None:
        self.main.transcript.page_up()

    def action_chat_page_down(self, argument: str = "") -> None:
        self.main.transcript.page_down()

    def action_chat_half_page_up(self, argument: str = "") -> None:
        self.main.transcript.half_page_up()

    def action_chat_half_page_down(self, argument: str = "") -> None:
        self.main.transcript.half_page_down()

    def action_chat_previous_prompt(self, argument: str = "") -> None:
        self._said_if_none(self.main.transcript.previous_prompt(), "No prompt above.")

    def action_chat_next_prompt(self, argument: str = "") -> None:
        if not self.main.transcript.next_prompt():
            self.main.transcript.end()  # past the last one comes what is being said
        self.main.activity.hint("")

    def action_chat_previous_error(self, argument: str = "") -> None:
        self._said_if_none(self.main.transcript.previous_error(), "No error above.")

    def action_chat_next_error(self, argument: str = "") -> None:
        self._said_if_none(self.main.transcript.next_error(), "No error below.")

    def _said_if_none(self, found: bool, told: str) -> None:
        """Nothing moves where there is none: say so, near to where the person looks."""
        self.main.activity.hint("" if found else told)

    def action_chat_top(self, argument: str = "") -> None:
        self.main.transcript.top()

    def action_chat_end(self, argument: str = "") -> None:
        self.main.transcript.end()

    def action_copy_answer(self, argument: str = "") -> None:
        text = self.main.transcript.last_answer_source()
        if text:
            self.copy_to_clipboard(text)
        else:
            self.say("There is no answer to copy yet.")

    def copy_to_clipboard(self, text: str, name: str = "") -> None:
        """Copy in every way there is, and say which; also what Textual's own widgets copy. `name` tells what it is."""
        self._clipboard = text
        self._copy(text, name)

    @intent
    async def _copy(self, text: str, name: str) -> None:
        self.say(await clipboard.copy(text, self.write, name=name))

    def write(self, sequence: str) -> None:
        """Send a control sequence to the terminal."""
        if self._driver is not None:
            self._driver.write(sequence)
