"""The one table of pi's editor keys: what an editor does, by pi's names of it (its ``keybindings.md``)."""

from collections.abc import Mapping, Sequence

Keys = Mapping[str, Sequence[str]]
"""Keys in Textual's names by pi's names of what they do."""

SUBMIT, NEW_LINE, TAB = "tui.input.submit", "tui.input.newLine", "tui.input.tab"
UP, DOWN = "tui.editor.cursorUp", "tui.editor.cursorDown"
HISTORY = ("tui.editor.historyPrevious", "tui.editor.historyNext")

EDITOR_KEYS: Mapping[str, tuple[str, str]] = {
    UP: ("up", "cursor_up"),
    DOWN: ("down", "cursor_down"),
    "tui.editor.cursorLeft": ("left,ctrl+b", "cursor_left"),
    "tui.editor.cursorRight": ("right,ctrl+f", "cursor_right"),
    "tui.editor.cursorWordLeft": ("alt+left,ctrl+left,alt+b", "cursor_word_left"),
    "tui.editor.cursorWordRight": ("alt+right,ctrl+right,alt+f", "cursor_word_right"),
    "tui.editor.cursorLineStart": ("home,ctrl+home,ctrl+a", "cursor_line_start"),
    "tui.editor.cursorLineEnd": ("end,ctrl+end,ctrl+e", "cursor_line_end"),
    "tui.editor.jumpForward": ("ctrl+right_square_bracket", "jump(1)"),
    "tui.editor.jumpBackward": ("alt+ctrl+right_square_bracket", "jump(-1)"),
    "tui.editor.pageUp": ("pageup,ctrl+pageup", "cursor_page_up"),
    "tui.editor.pageDown": ("pagedown,ctrl+pagedown", "cursor_page_down"),
    "tui.editor.deleteCharBackward": ("backspace,shift+backspace", "delete_left"),
    "tui.editor.deleteCharForward": ("delete,ctrl+d", "delete_right"),
    "tui.editor.deleteWordBackward": ("ctrl+w,alt+backspace,ctrl+backspace", "kill_word_left"),
    "tui.editor.deleteWordForward": ("alt+d,alt+delete,ctrl+delete", "kill_word_right"),
    "tui.editor.deleteToLineStart": ("ctrl+u", "kill_to_start"),
    "tui.editor.deleteToLineEnd": ("ctrl+k", "kill_to_end"),
    NEW_LINE: ("shift+enter,ctrl+j", "new_line"),
    SUBMIT: ("enter", ""),
    TAB: ("tab", ""),
    "tui.editor.yank": ("ctrl+y", "yank"),
    "tui.editor.yankPop": ("alt+y", "yank_pop"),
    "tui.editor.historyPrevious": ("", "history_previous"),
    "tui.editor.historyNext": ("", "history_next"),
    "tui.editor.undo": ("ctrl+underscore,ctrl+minus", "undo"),
}
"""pi's keys in Textual's names, and the action of the editor; none where that depends on what the editor is for."""


def editor_keys_in_force(own: Keys) -> dict[str, tuple[str, ...]]:
    """The keys of all that an editor does: the person's `own`, else pi's.

    A key that the person gave to something does nothing else there that pi would have it do.
    """
    given = {name: tuple(keys) for name, keys in own.items() if name in EDITOR_KEYS}
    taken = {key for keys in given.values() for key in keys}
    usual = {name: tuple(key for key in _usual(name) if key not in taken) for name in EDITOR_KEYS}
    return usual | given


def before_actions(own: Keys) -> dict[str, str]:
    """The keys that mean something else in the editor than pi would have it, with what that is.

    They go before the keys of actions, as the keys of the history do in pi.
    """
    return {key: name for name in EDITOR_KEYS for key in own.get(name, ()) if key not in _usual(name)}


def editor_clashes(own: Keys, of_actions: Keys) -> dict[str, list[str]]:
    """The keys that the person gave to the editor and that mean something else as well; what the editor does is first.

    pi says itself that those of the history go before others.
    """
    found: dict[str, list[str]] = {}
    for key, does in before_actions(own).items():
        also = [name for name in EDITOR_KEYS if name != does and key in own.get(name, _usual(name))]
        actions = [name for name, keys in of_actions.items() if key in keys and does not in HISTORY]
        if also or actions:
            found[key] = [does, *also, *actions]
    return found


def _usual(name: str) -> list[str]:
    return [key for key in EDITOR_KEYS[name][0].split(",") if key]
