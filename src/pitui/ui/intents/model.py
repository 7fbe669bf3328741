"""The model and how much it thinks."""

from typing import TYPE_CHECKING

from pitui.pi.warnings import LONG
from pitui.quoting import brief
from pitui.ui.intents.agent_app import AgentApp, intent
from pitui.ui.screens.picker import Choice

if TYPE_CHECKING:
    from pitui.rpc.results import Model


class ModelIntents(AgentApp):
    @intent
    async def action_model_pick(self, argument: str = "") -> None:
        if not self.agent.companion.missing:
            refreshed = await self.agent.refresh_models()  # pi does not notice by itself that somebody has logged in
            if refreshed.problem:
                self.say(brief(refreshed.problem, LONG), "warning")
        models = await self.agent.models()
        named = [model for model in models if argument and argument in (f"{model.provider}/{model.id}", model.id)]
        if len(named) == 1:
            await self._use(named[0])
            return
        if argument and not named:
            self.say(f"There is no model {brief(argument)}; choose one.", "warning")
        chosen = await self.pick(
            "Model", [self._choice(model) for model in models], empty="pi has no model yet: /login gets one."
        )
        if chosen:
            await self._use(chosen)

    def _choice(self, model: "Model") -> "Choice[Model]":
        now = self.session.model
        current = now is not None and (now.provider, now.id) == (model.provider, model.id)
        window = f"{model.context_window // 1000}k" if model.context_window else ""
        return Choice(model, f"{model.provider}/{model.id}", model.name, window, current=current)

    async def _use(self, model: "Model") -> None:
        await self.agent.set_model(model.provider, model.id)
        self.say(f"Model: {model.provider}/{model.id}")

    @intent
    async def action_model_next(self, argument: str = "") -> None:
        await self._cycle(backward=False)

    @intent
    async def action_model_previous(self, argument: str = "") -> None:
        await self._cycle(backward=True)

    async def _cycle(self, *, backward: bool) -> None:
        model = await self.agent.cycle_model(backward=backward)
        self.say(f"Model: {model.provider}/{model.id}" if model else "There is only this model.")

    @intent
    async def action_thinking_pick(self, argument: str = "") -> None:
        levels = await self.agent.thinking_levels()
        if argument in levels:
            await self.agent.set_thinking_level(argument)
            return
        self.say_unknown(argument, levels)
        choices = [Choice(level, level, current=level == self.session.thinking_level) for level in levels]
        if chosen := await self.pick("How much it thinks", choices, empty="This model does not think."):
            await self.agent.set_thinking_level(chosen)

    @intent
    async def action_thinking_next(self, argument: str = "") -> None:
        if await self.agent.cycle_thinking_level() is None:
            self.say("This model does not think.")

    @intent
    async def action_tools_choose(self, argument: str = "") -> None:
        """Switch one tool after another on or off, until Esc."""
        chosen: str | None = None
        while True:
            tools = (await self.agent.info()).tools
            choices = [Choice(tool.name, tool.name, tool.description, current=tool.active) for tool in tools]
            at = next((number for number, tool in enumerate(tools) if tool.name == chosen), 0)
            title = "Tools that the model may use in this session: Enter switches one on or off, Esc closes"
            chosen = await self.pick(title, choices, empty="pi has no tools.", highlighted=at)
            if chosen is None:
                return
            await self.agent.set_tools([tool.name for tool in tools if tool.active != (tool.name == chosen)])
