"""The one table of the keys of panes and screens other than the chat: their bindings, hints, help and README.

It is to them what `actions` is to the whole. `does` is what Textual calls to do it, in the widget that shows the pane.
What has no title is understood, and not listed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Keys = Mapping[str, Sequence[str]]
"""The keys of actions by their ids."""


@dataclass(frozen=True, slots=True)
class PaneAction:
    id: str
    title: str
    does: str
    keys: tuple[str, ...]
    pi_action: str = ""
    priority: bool = False
    """Its keys work whatever has the focus in the pane."""


@dataclass(frozen=True, slots=True)
class Pane:
    """`heading` says where the keys hold."""

    heading: str
    actions: tuple[PaneAction, ...]


TREE_MOVES = (
    PaneAction("tree.up", "Previous entry", "move(-1)", ("up",), "tui.select.up"),
    PaneAction("tree.down", "Next entry", "move(1)", ("down",), "tui.select.down"),
    PaneAction("tree.page_up", "", "page(-1)", ("pageup",), "tui.select.pageUp"),
    PaneAction("tree.page_down", "", "page(1)", ("pagedown",), "tui.select.pageDown"),
    PaneAction("tree.first", "The first entry", "go(0)", ("home",)),
    PaneAction("tree.last", "The last entry; in the side bar where you are, and it stays there", "last", ("end",)),
    PaneAction(
        "tree.fold",
        "Fold the branch; go to where it begins",
        "close",
        ("left", "ctrl+left", "alt+left"),
        "app.tree.foldOrUp",
    ),
    PaneAction(
        "tree.unfold",
        "Unfold it; go to the next branch",
        "open",
        ("right", "ctrl+right", "alt+right"),
        "app.tree.unfoldOrDown",
    ),
    PaneAction("tree.menu", "What can be done here", "choose", ("enter",), "tui.select.confirm"),
)
"""What the tree can do wherever it is."""

TREE_FILTERS = (
    PaneAction("tree.shorten", "", "shorten", ("backspace",)),
    PaneAction(
        "tree.conversation", "Only the conversation", "filter('DEFAULT')", ("ctrl+d",), "app.tree.filter.default"
    ),
    PaneAction("tree.no_tools", "The same without tools", "filter('NO_TOOLS')", ("ctrl+t",), "app.tree.filter.noTools"),
    PaneAction("tree.prompts", "Only prompts", "filter('USER')", ("ctrl+u",), "app.tree.filter.userOnly"),
    PaneAction(
        "tree.labelled", "Only what has a label", "filter('LABELLED')", ("ctrl+l",), "app.tree.filter.labeledOnly"
    ),
    PaneAction("tree.everything", "Everything", "filter('ALL')", ("ctrl+a",), "app.tree.filter.all"),
    PaneAction("tree.next_filter", "The next of these", "next_filter(1)", ("ctrl+o",), "app.tree.filter.cycleForward"),
    PaneAction(
        "tree.previous_filter",
        "The one before",
        "next_filter(-1)",
        ("ctrl+shift+o",),
        "app.tree.filter.cycleBackward",
    ),
    PaneAction(
        "tree.label_times",
        "Show or hide how old labels are",
        "toggle_label_times",
        ("alt+t",),
        "app.tree.toggleLabelTimestamp",
    ),
)
"""What the tree can do where nothing else takes letters."""

TREE_DEEDS = (
    PaneAction("tree.leave", "Back to the chat", "back", ("escape",), "tui.select.cancel"),
    PaneAction("tree.look", "What was said there, and back", "look", ("tab", "shift+tab"), priority=True),
    PaneAction("tree.label", "Label it", "want('LABEL')", ("ctrl+e",), "app.tree.editLabel"),
    PaneAction("tree.compare", "Mark it; on another one: compare them", "want('COMPARE')", ("ctrl+k",)),
    PaneAction("tree.copy", "Copy its text", "want('COPY')", ("ctrl+c", "ctrl+y", "ctrl+x"), "app.message.copy"),
)
"""What the screen of the tree can do."""

COMPARE = (
    PaneAction("compare.leave", "Back to the tree", "leave", ("escape", "q", "ctrl+k"), priority=True),
    PaneAction("compare.switch", "The other side", "switch", ("tab", "shift+tab"), priority=True),
    PaneAction("compare.left", "The left side", "side(0)", ("left",), priority=True),
    PaneAction("compare.right", "The right side", "side(1)", ("right",), priority=True),
    PaneAction("compare.page_up", "", "page(-1)", ("pageup",), priority=True),
    PaneAction("compare.page_down", "", "page(1)", ("pagedown",), priority=True),
)


def _beside(pane: str, first: str, rest: tuple[PaneAction, ...]) -> tuple[PaneAction, ...]:
    """What can be done in two lists side by side; `first` says what switching from one to the other means."""
    return (
        PaneAction(f"{pane}.leave", "Back to the prompt", "leave", ("escape", "q"), "tui.select.cancel", priority=True),
        PaneAction(f"{pane}.up", "Previous row", "move(-1)", ("up",), "tui.select.up"),
        PaneAction(f"{pane}.down", "Next row", "move(1)", ("down",), "tui.select.down"),
        PaneAction(f"{pane}.page_up", "", "page(-1)", ("pageup",), "tui.select.pageUp"),
        PaneAction(f"{pane}.page_down", "", "page(1)", ("pagedown",), "tui.select.pageDown"),
        PaneAction(f"{pane}.first", "", "move(-1000000)", ("home",)),
        PaneAction(f"{pane}.last", "", "move(1000000)", ("end",)),
        PaneAction(f"{pane}.switch", first, "switch", ("tab", "shift+tab"), priority=True),
        *rest,
    )


CHANGES = _beside(
    "changes",
    "To the changes of the file, and back",
    (
        PaneAction("changes.show", "Show it in the chat; of a file its latest", "show", ("enter",), priority=True),
        PaneAction("changes.order", "The latest first, or by path", "order", ("ctrl+s",), "app.session.toggleSort"),
        PaneAction("changes.copy", "Copy the path, or the change", "copy", ("ctrl+c", "ctrl+x"), priority=True),
        PaneAction("changes.sides", "Side by side, or one below the other", "sides", ("f9",)),
    ),
)
CONTEXT = _beside(
    "context",
    "To the biggest things in the part, and back",
    (PaneAction("context.show", "Show it in the chat", "show", ("enter",), priority=True),),
)

SESSIONS = (
    PaneAction("sessions.leave", "Back to the prompt", "leave", ("escape", "ctrl+c"), "tui.select.cancel"),
    PaneAction("sessions.scope", "The sessions of this folder, or of all", "toggle_scope", ("tab",), priority=True),
    PaneAction(
        "sessions.order",
        "The latest first, or as the tree of forks",
        "toggle_order",
        ("ctrl+s",),
        "app.session.toggleSort",
        priority=True,
    ),
    PaneAction(
        "sessions.named",
        "Only those with a name, or all",
        "toggle_named",
        ("ctrl+n",),
        "app.session.toggleNamedFilter",
        priority=True,
    ),
    PaneAction(
        "sessions.paths",
        "Show or hide the names of their files",
        "toggle_paths",
        ("ctrl+p",),
        "app.session.togglePath",
        priority=True,
    ),
    PaneAction("sessions.rename", "Rename it", "rename", ("ctrl+r",), "app.session.rename", priority=True),
    PaneAction("sessions.star", "Star it, to stand first, or take the star away", "star", ("ctrl+t",), priority=True),
    PaneAction(
        "sessions.delete",
        "Delete it, to the trash where there is one",
        "delete",
        ("ctrl+d",),
        "app.session.delete",
        priority=True,
    ),
    PaneAction(
        "sessions.delete_unsearched",
        "The same while nothing is searched for",
        "delete_unsearched",
        ("ctrl+backspace",),
        "app.session.deleteNoninvasive",
        priority=True,
    ),
    PaneAction("sessions.up", "", "move(-1)", ("up",), "tui.select.up", priority=True),
    PaneAction("sessions.down", "", "move(1)", ("down",), "tui.select.down", priority=True),
    PaneAction("sessions.page_up", "", "page(-1)", ("pageup",), "tui.select.pageUp", priority=True),
    PaneAction("sessions.page_down", "", "page(1)", ("pagedown",), "tui.select.pageDown", priority=True),
    PaneAction("sessions.first", "", "move(-1000000)", ("ctrl+home",), priority=True),
    PaneAction("sessions.last", "", "move(1000000)", ("ctrl+end",), priority=True),
)

TREE_PANE = Pane("In the tree; on its own screen letters are searched for", (*TREE_MOVES, *TREE_FILTERS, *TREE_DEEDS))
COMPARE_PANE = Pane("Where two branches are compared", COMPARE)
CHANGES_PANE = Pane("In the list of changes", CHANGES)
CONTEXT_PANE = Pane("Where the context is shown", CONTEXT)
SESSIONS_PANE = Pane("In the list of sessions; letters are searched for", SESSIONS)
PANES = (TREE_PANE, COMPARE_PANE, CHANGES_PANE, CONTEXT_PANE, SESSIONS_PANE)
BY_ID: dict[str, PaneAction] = {action.id: action for pane in PANES for action in pane.actions}


def pane_keys_in_force(of_pi: Keys, own: Keys) -> dict[str, tuple[str, ...]]:
    """The keys of every action by its id: the person's `own`, else those of its `pi_action`, else the table's.

    A key that the person gave to something does nothing else in that pane that the table would have it do.
    """
    found: dict[str, tuple[str, ...]] = {}
    for pane in PANES:
        given = _given(pane.actions, of_pi, own)
        taken = {key for keys in given.values() for key in keys}
        for action in pane.actions:
            usual = tuple(key for key in action.keys if key not in taken)
            found[action.id] = given.get(action.id, usual)
    return found


def _given(actions: Iterable[PaneAction], of_pi: Keys, own: Keys) -> dict[str, tuple[str, ...]]:
    """The keys that the person has set."""
    chosen = {action.id: own.get(action.id, of_pi.get(action.pi_action)) for action in actions}
    return {name: tuple(keys) for name, keys in chosen.items() if keys is not None}


def pane_clashes(keys: Keys, everywhere: Keys) -> list[tuple[str, list[str]]]:
    """The keys that more than one action has in a pane, or one `everywhere`, with the ids of those actions."""
    found: list[tuple[str, list[str]]] = []
    for pane in PANES:
        users: dict[str, list[str]] = {}
        for name, its_keys in ({action.id: keys[action.id] for action in pane.actions} | dict(everywhere)).items():
            for key in its_keys:
                users.setdefault(key, []).append(name)
        found += [(key, names) for key, names in users.items() if len(names) > 1]
    return found


PANE_KEYS = pane_keys_in_force({}, {})
"""The keys of the table."""
