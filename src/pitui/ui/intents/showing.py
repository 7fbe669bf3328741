"""How the chat is shown: times and cost, and diffs side by side."""

from pitui.ui.intents.agent_app import AgentApp


class ShowingIntents(AgentApp):
    def action_times(self, argument: str = "") -> None:
        times = not self.main.transcript.viewport.times
        self.main.transcript.set_times(times)
        kept = f"“times = {str(times).lower()}” in pitui.toml keeps it so."
        self.say(f"Times and cost are shown. {kept}" if times else f"Times and cost are hidden. {kept}")

    def action_diff_sides(self, argument: str = "") -> None:
        transcript = self.main.transcript
        match transcript.toggle_sides():
            case None:
                self.say(f"Two sides need a chat of 80 columns; this one has {transcript.size.width}.", "warning")
            case True:
                self.say("Changes are shown side by side.")
            case False:
                self.say("Changes are shown one below the other.")
