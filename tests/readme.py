"""The part of the README that is made from the table of actions: `python -m tests.readme` writes it anew."""

from pathlib import Path

from pitui.actions import ACTIONS, Action

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- keys: made by `python -m tests.readme` -->\n", "\n<!-- end of keys -->"
SHORT = {"pageup": "PgUp", "pagedown": "PgDn", "escape": "Esc"}


def key_table() -> str:
    rows = ["| | Key | Command |", "| --- | --- | --- |"]
    for group in dict.fromkeys(action.group for action in ACTIONS):
        rows.append(f"| **{group}** | | |")
        rows += [_row(action) for action in ACTIONS if action.group == group]
    return "\n".join(rows)


def _row(action: Action) -> str:
    keys = ", ".join(f"`{_shown(key)}`" for key in action.keys)
    command = f"/{action.slash} {action.argument}".strip().replace("|", r"\|")
    cells = (action.title, keys, f"`{command}`" if action.slash else "")
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def _shown(key: str) -> str:
    return "+".join(SHORT.get(part, part.capitalize()) for part in key.split("+"))


if __name__ == "__main__":
    text = README.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}{key_table()}{END}{after}", "utf-8")
