"""Others who write to the session that is open here: telling of them, and what is done about it."""

from functools import partial
from typing import TYPE_CHECKING

from pitui.ui.dialogs.desk import DialogDesk
from pitui.ui.intents.agent_app import intent
from pitui.ui.intents.session import CLONED
from pitui.ui.intents.tree import TreeIntents
from pitui.watch import Stance

if TYPE_CHECKING:
    from pitui.rpc.requests import Answer
    from pitui.session.model import OpenDialog
    from pitui.ui.dialogs.writers import Choice

READ_ONLY = "Read only: /writers changes it."
WRITABLE = "What you send is written again."
REOPENED = "Opened anew, with all that was written."
SAVED = "Saved anew: this is the new file."


class WriterIntents(TreeIntents):
    _desk: DialogDesk
    _writers_question: "OpenDialog | None" = None
    _leaves_to_others = False
    """What was chosen is being done: until then it is not decided."""

    def _writers_changed(self) -> None:
        """Ask, or stop asking. What is asked stays as it is, however much more is written."""
        if not self.agent.watch.unanswered:
            self._withdraw_writers_question()
        elif self._leaves_to_others:
            pass
        elif self._writers_question is None or not self._desk.is_asking(self._writers_question):
            self._ask_about_writers(called=False)

    def action_session_writers(self, argument: str = "") -> None:
        if self.agent.watch.others:
            self._ask_about_writers(called=True)
        else:
            self.say("Nobody else has written to this session while it was open here.")

    def _ask_about_writers(self, *, called: bool, aside: bool = False) -> None:
        from pitui.session.model import OpenDialog
        from pitui.ui.dialogs.writers import choices, question

        watch = self.agent.watch
        offered = choices(watch.others, watch.stance, called=called)
        self._withdraw_writers_question()
        dialog = self._writers_question = OpenDialog(question(watch.others, offered), None)
        self._desk.ask(dialog, partial(self._answer_about_writers, offered), called=called, aside=aside)

    def _withdraw_writers_question(self) -> None:
        if self._writers_question is not None:
            self._desk.withdraw(self._writers_question)
            self._writers_question = None

    def _answer_about_writers(self, offered: "list[Choice]", answer: "Answer") -> None:
        from pitui.rpc.requests import Value
        from pitui.ui.dialogs.writers import Choice

        self._writers_question = None
        watch = self.agent.watch
        match Choice(answer.value) if isinstance(answer, Value) else None:
            case None if watch.unanswered:
                self._ask_about_writers(called=False, aside=True)  # what is sent waits until they choose
            case None:
                pass
            case Choice.STAY:
                watch.decide(watch.stance)
            case Choice.READ_ONLY:
                watch.decide(Stance.READ_ONLY)
                self.say(READ_ONLY)
            case Choice.GO_ON | Choice.IGNORE:
                if watch.read_only:
                    self.say(WRITABLE)
                watch.decide(Stance.GO_ON)
            case choice:
                self._leave_to_others(choice)

    @intent
    async def _leave_to_others(self, choice: "Choice") -> None:
        from pitui.ui.dialogs.writers import Choice

        self._leaves_to_others = True
        try:
            if not await self.may_stop():
                return
            match choice:
                case Choice.REOPEN:
                    self.agent.watch.accept_company()
                    self._replaced(await self.agent.reopen(), REOPENED)
                case Choice.SAVE:
                    self._replaced(await self.agent.save_anew(), SAVED)
                case _:
                    self._replaced(await self.agent.clone(), CLONED)
        finally:
            self._leaves_to_others = False
            self._writers_changed()
