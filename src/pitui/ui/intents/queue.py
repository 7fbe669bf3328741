"""What the person does with the prompts that wait for pi."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from textual import on

from pitui.agent import AgentError
from pitui.queue import QueuedPrompt
from pitui.session.model import Lane
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.run import RunIntents
from pitui.ui.widgets.queue import Deed, QueuePanel, first_line

if TYPE_CHECKING:
    from pitui.ui.screens.queue_editor import QueueEditor

DOING = {
    Deed.UP: "Moving it…",
    Deed.DOWN: "Moving it…",
    Deed.OTHER_LANE: "Moving it…",
    Deed.HOLD: "Holding it…",
    Deed.SEND_NOW: "Sending it…",
    Deed.DELETE: "Deleting it…",
}
GONE = "It has left the queue already."
DELETED = "Deleted; ↑ in the prompt brings it back."
LEFT_AS_IT_WAS = "It waits as it was; ↑ in the prompt brings back what you made of it."


class QueueIntents(RunIntents):
    _queue_editor: "QueueEditor | None" = None
    """While a prompt that waits is edited."""

    @on(QueuePanel.ModeWanted)
    async def _change_mode(self, event: QueuePanel.ModeWanted) -> None:
        await self.perform("steering" if event.lane is Lane.STEERING else "follow_up_mode")

    @on(QueuePanel.Wanted)
    def _want_in_queue(self, event: QueuePanel.Wanted) -> None:
        self._do_in_queue(event.prompt, event.deed)

    @intent
    async def _do_in_queue(self, prompt: QueuedPrompt, deed: Deed | None) -> None:
        deed = deed or await self._choose_in_queue(prompt)
        match deed:
            case None:
                pass
            case Deed.EDIT:
                await self._edit_in_queue(prompt)
            case Deed.MODE:
                await self.perform("steering" if prompt.lane is Lane.STEERING else "follow_up_mode")
            case Deed.HOLD if prompt.held:
                await self._change_queue("Releasing it…", self.agent.queue.release(prompt.key))
            case _:
                await self._change_queue(DOING[deed], self._done_in_queue(prompt, deed))

    async def _choose_in_queue(self, prompt: QueuedPrompt) -> Deed | None:
        from pitui.ui.queuemenu import offers
        from pitui.ui.screens.menu import MenuScreen

        session = self.session
        mode = session.steering_mode if prompt.lane is Lane.STEERING else session.follow_up_mode
        offered = offers(prompt, self.main.queue.prompts, mode, busy=session.busy)
        return await self.push_screen_wait(MenuScreen(first_line(prompt), offered))

    async def _change_queue(self, words: str, change: Awaitable[bool]) -> None:
        """Do it while the pane says so."""
        pane = self.main.queue
        pane.doing = words
        done, failed = False, ""
        try:
            done = await change
        except AgentError as error:
            failed = f"The queue is as it was: {error}"
        finally:
            pane.doing = ""
        if failed:
            self.say(failed, "error")
        elif not done:
            pane.say(GONE)

    async def _done_in_queue(self, prompt: QueuedPrompt, deed: Deed) -> bool:
        queue, key = self.agent.queue, prompt.key
        match deed:
            case Deed.UP | Deed.DOWN:
                return await queue.move(key, -1 if deed is Deed.UP else 1)
            case Deed.OTHER_LANE:
                return await queue.change_lane(key)
            case Deed.HOLD:
                return await queue.hold(key)
            case Deed.SEND_NOW:
                return await queue.send_now(key)
            case _:
                deleted = await queue.delete(key)
                if deleted:
                    self.main.prompt.keep(prompt.text, prompt.images)
                    self.main.activity.hint(DELETED)
                return deleted

    # editing

    async def _edit_in_queue(self, prompt: QueuedPrompt) -> None:
        from pitui.ui.screens.queue_editor import QueueEditor

        before = self.main.prompt.as_written(prompt.text, prompt.images)
        title = f"Edit what waits · {prompt.lane.value}"
        with self.another_draft(lambda: editor.draft) as (numbers, keep):
            editor = self._queue_editor = QueueEditor(
                prompt.key, title, before, keep, keys=self.editor_keys | self.keys
            )
            try:
                edited = await self.push_screen_wait(editor)
            finally:
                self._queue_editor = None
            text, images = edited.draft.text, edited.draft.images
            if edited.kept and edited.draft != before:
                self.main.prompt.is_sent(edited.draft)
                await self._change_queue("Changing it…", self.agent.queue.edit(prompt.key, text, images, numbers))
            elif edited.draft != before and not edited.draft.is_blank:
                self.main.prompt.keep(text, images)
                self.say(LEFT_AS_IT_WAS)

    def follow_queue(self) -> None:
        """Tell the person when what they are editing does not wait any more."""
        if self._queue_editor is not None and not self._waits(self._queue_editor.key):
            self._queue_editor.leaves_queue()

    def _waits(self, key: int) -> bool:
        return any(prompt.key == key for prompt in self.agent.queue)
