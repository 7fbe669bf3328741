"""The one table of what a person can do: keys, slash commands, palette, help and README are all made from it.

An action's `id` names the method that does it: ``model.pick`` is ``action_model_pick`` of the app. One with a `slash`
word takes what follows the word as its argument. `keys` are Textual's names; the first is the one shown. `when` says
when the action makes sense; everywhere else it is refused in words, not hidden. `pi_action` is the name under which the
user's ``keybindings.json`` of pi may give it other keys.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

When = Literal["always", "running", "ready"]
"""always; while a pi runs; while pi runs and does nothing."""


@dataclass(frozen=True, slots=True)
class Action:
    id: str
    title: str
    group: str
    keys: tuple[str, ...] = ()
    slash: str = ""
    argument: str = ""
    """What the slash command takes, as shown in menus: ``[name]``, ``<path>``."""
    help: str = ""
    when: When = "running"
    pi_action: str = ""
    priority: bool = False
    """Its keys work whatever has the focus."""
    everywhere: bool = False
    """Its keys hold also on screens that hide the chat."""

    @property
    def method(self) -> str:
        return "action_" + self.id.replace(".", "_")


ACTIONS: tuple[Action, ...] = (
    # Running
    Action(
        "interrupt",
        "Stop, and take the queue back",
        "Run",
        ("escape",),
        help="Closes what is open, else stops bash, else clears the queue, stops pi and puts the queued words back.",
        when="always",
        pi_action="app.interrupt",
    ),
    Action(
        "queue.take_back",
        "Take the queue back without stopping",
        "Run",
        ("alt+up",),
        pi_action="app.message.dequeue",
        priority=True,
    ),
    Action(
        "prompt.follow_up",
        "Send as a follow-up, for when pi is done",
        "Run",
        ("alt+enter",),
        pi_action="app.message.followUp",
    ),
    Action("history.search", "Search in earlier prompts", "Run", ("ctrl+r",), when="always", priority=True),
    Action("compact", "Compact the context", "Run", slash="compact", argument="[instructions]"),
    Action("steering", "How steering is delivered", "Run", slash="steering", argument="[all|one-at-a-time]"),
    Action("follow_up_mode", "How follow-ups are delivered", "Run", slash="followup", argument="[all|one-at-a-time]"),
    Action("auto_compact", "Compact by itself when nearly full", "Run", slash="autocompact", argument="[on|off]"),
    Action("auto_retry", "Retry by itself after an error", "Run", slash="autoretry", argument="[on|off]"),
    # Writing
    Action(
        "prompt.editor",
        "Write in your own editor",
        "Write",
        ("ctrl+g",),
        help="pi's setting externalEditor, $VISUAL, $EDITOR, else nano or vi.",
        when="always",
        pi_action="app.editor.external",
    ),
    Action(
        "prompt.paste",
        "Paste a picture or text from the clipboard",
        "Write",
        ("ctrl+v",),
        when="always",
        pi_action="app.clipboard.pasteImage",
    ),
    Action("prompt.open", "Open the paste or picture at the cursor", "Write", ("alt+o",), when="always"),
    # Model
    Action(
        "model.pick",
        "Choose a model",
        "Model",
        ("ctrl+l",),
        slash="model",
        argument="[provider/id]",
        pi_action="app.model.select",
        priority=True,
    ),
    Action("model.next", "Next model", "Model", ("ctrl+p",), pi_action="app.model.cycleForward", priority=True),
    Action(
        "model.previous",
        "Previous model",
        "Model",
        ("ctrl+shift+p",),
        pi_action="app.model.cycleBackward",
        priority=True,
    ),
    Action("thinking.pick", "Choose how much it thinks", "Model", slash="thinking", argument="[level]"),
    Action(
        "thinking.next",
        "Next thinking level",
        "Model",
        ("shift+tab",),
        pi_action="app.thinking.cycle",
        priority=True,
    ),
    Action("tools.choose", "Tools that the model may use in this session", "Model", slash="tools"),
    Action(
        "login",
        "Log in to a provider",
        "Model",
        slash="login",
        argument="[provider] [--api-key]",
        help="Also which variables hold keys, and how to use a server of your own.",
        when="always",
    ),
    Action("logout", "Log out of a provider", "Model", slash="logout", argument="[provider]", when="always"),
    # Session
    Action("session.new", "New session", "Session", slash="new", pi_action="app.session.new"),
    Action(
        "session.resume",
        "Open another session",
        "Session",
        slash="resume",
        argument="[path or name]",
        help="Where pi has ended, it is started again on that one.",
        when="always",
        pi_action="app.session.resume",
    ),
    Action(
        "session.tree",
        "The tree of this session",
        "Session",
        slash="tree",
        help="Also Esc twice in an empty prompt.",
        pi_action="app.session.tree",
    ),
    Action("tree.back", "Back from the last move in the tree", "Session", ("alt+z",), priority=True),
    Action("session.fork", "Fork before an earlier prompt", "Session", slash="fork", pi_action="app.session.fork"),
    Action("session.clone", "Clone this session", "Session", slash="clone"),
    Action("session.name", "Name this session", "Session", slash="name", argument="[name]"),
    Action(
        "session.writers",
        "Who else writes to this session",
        "Session",
        slash="writers",
        help="And what to do about it: read only, fork, open it anew, go on.",
    ),
    Action("changes", "What pi has changed in this session", "Session", slash="changes", when="always"),
    Action("context", "What fills the context of the model", "Session", slash="context", when="always"),
    Action("session.facts", "Facts of this session, and what pi works with", "Session", slash="session"),
    Action("session.import", "Import a session file", "Session", slash="import", argument="<path>"),
    Action(
        "session.export",
        "Export as HTML, Markdown or JSONL",
        "Session",
        slash="export",
        argument="[path]",
        help="The end of the path says which: .html, .md or .jsonl. Without a path you choose.",
    ),
    Action(
        "trust",
        "Whether pi loads what this folder brings",
        "Session",
        slash="trust",
        help="Its own settings, extensions, MCP servers, skills and prompt templates.",
        when="ready",
    ),
    Action("pi.reload", "Load extensions, skills and settings again", "Session", slash="reload", when="ready"),
    Action("pi.restart", "Start pi again on this session", "Session", slash="restart", when="always"),
    # Reading
    Action("tools.expand", "Open or fold all tools", "Read", ("ctrl+o",), pi_action="app.tools.expand", priority=True),
    Action(
        "thinking.show", "Show or fold thinking", "Read", ("ctrl+t",), pi_action="app.thinking.toggle", priority=True
    ),
    Action("times", "Show or hide times and cost", "Read", ("f7",), slash="times", when="always", priority=True),
    Action(
        "diff.sides",
        "Changes side by side, or one below the other",
        "Read",
        ("f9",),
        slash="sides",
        when="always",
        priority=True,
    ),
    Action(
        "search",
        "Find words in everything",
        "Read",
        ("f3",),
        slash="find",
        argument="[words]",
        help="Also in what is folded. Again, and it is the next one; Esc goes back to where it began.",
        when="always",
        priority=True,
    ),
    Action("chat.page_up", "A page up", "Read", ("pageup",), when="always", priority=True),
    Action("chat.page_down", "A page down", "Read", ("pagedown",), when="always", priority=True),
    Action("chat.half_page_up", "Half a page up", "Read", ("alt+pageup",), when="always", priority=True),
    Action("chat.half_page_down", "Half a page down", "Read", ("alt+pagedown",), when="always", priority=True),
    Action("chat.previous_prompt", "Previous prompt", "Read", ("ctrl+up",), when="always", priority=True),
    Action("chat.next_prompt", "Next prompt, or the end", "Read", ("ctrl+down",), when="always", priority=True),
    Action("chat.previous_error", "Previous error", "Read", ("ctrl+shift+up",), when="always", priority=True),
    Action("chat.next_error", "Next error", "Read", ("ctrl+shift+down",), when="always", priority=True),
    Action("chat.top", "To the top", "Read", ("ctrl+home",), when="always", priority=True),
    Action("chat.end", "To the end, and follow", "Read", ("ctrl+end",), when="always", priority=True),
    Action(
        "copy.answer",
        "Copy the last answer",
        "Read",
        ("ctrl+x",),
        slash="copy",
        pi_action="app.message.copy",
        when="always",
    ),
    # Window
    Action("sidebar", "Show or hide the side bar", "Window", ("f2",), when="always", priority=True),
    Action(
        "sidebar.tree",
        "The tree in the side bar, or not",
        "Window",
        ("f5",),
        slash="sidetree",
        when="always",
        priority=True,
    ),
    Action(
        "dialog.open",
        "Answer a question, or set it aside",
        "Window",
        ("f8",),
        when="always",
        priority=True,
        everywhere=True,
    ),
    Action("dialog.list", "What was asked, and answered", "Window", slash="questions", when="always"),
    Action("pane.next", "To the next pane", "Window", ("f6",), when="always", priority=True),
    Action("palette", "All commands", "Window", ("f4", "alt+x"), when="always", priority=True),
    Action(
        "help",
        "Keys and commands",
        "Window",
        ("f1",),
        slash="hotkeys",
        when="always",
        priority=True,
        everywhere=True,
    ),
    Action("stderr", "What pi wrote to stderr", "Window", slash="stderr", when="always"),
    Action("theme", "Choose a theme", "Window", slash="theme", argument="[name]", when="always"),
    Action("clear", "Clear the prompt; twice to leave", "Window", ("ctrl+c",), when="always", pi_action="app.clear"),
    Action(
        "suspend",
        "Suspend to the shell",
        "Window",
        ("ctrl+z",),
        when="always",
        pi_action="app.suspend",
        priority=True,
        everywhere=True,
    ),
    Action("leave", "Leave, when the prompt is empty", "Window", ("ctrl+d",), when="always", pi_action="app.exit"),
    Action("quit", "Leave pitui", "Window", ("ctrl+q",), slash="quit", when="always", priority=True, everywhere=True),
)

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}
BY_SLASH: dict[str, Action] = {action.slash: action for action in ACTIONS if action.slash}


def keys_in_force(of_pi: Mapping[str, Sequence[str]], own: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The keys of every action by its id: the person's `own`, else those of its `pi_action`, else the table's."""
    return {action.id: tuple(own.get(action.id, of_pi.get(action.pi_action, action.keys))) for action in ACTIONS}


def clashes(keys: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The keys that more than one action has, with the ids of those actions."""
    users: dict[str, list[str]] = {}
    for name, its_keys in keys.items():
        for key in its_keys:
            users.setdefault(key, []).append(name)
    return {key: names for key, names in users.items() if len(names) > 1}
