"""The part of the README that is made from the table of actions: `python -m tests.readme` writes it anew."""

from pathlib import Path

from pitui.actions import ACTIONS, Action
from pitui.ui.intents.window import panes
from pitui.ui.keys import key_in_words

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- keys: made by `python -m tests.readme` -->\n", "\n<!-- end of keys -->"


def key_table() -> str:
    rows = ["| | Key | Command |", "| --- | --- | --- |"]
    for group in dict.fromkeys(action.group for action in ACTIONS):
        rows.append(f"| **{group}** | | |")
        rows += [_row(action) for action in ACTIONS if action.group == group]
    for pane, keys in panes():
        rows.append(f"| **{pane}** | | |")
        rows += [f"| {title} | {', '.join(f'`{key}`' for key in its_keys.split(', '))} | |" for its_keys, title in keys]
    return "\n".join(rows)


def _row(action: Action) -> str:
    keys = ", ".join(f"`{key_in_words(key)}`" for key in action.keys)
    command = f"/{action.slash} {action.argument}".strip().replace("|", r"\|")
    cells = (action.title, keys, f"`{command}`" if action.slash else "")
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


if __name__ == "__main__":
    text = README.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}{key_table()}{END}{after}", "utf-8")
