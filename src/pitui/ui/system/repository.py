"""Which branch of Git a folder is on, from its files alone: no program is run."""

from pathlib import Path


def branch_of(folder: Path) -> str:
    """The branch, or the first letters of the commit when there is none; empty outside of Git. It reads files."""
    for place in (folder, *folder.parents):
        try:
            head = (_git_folder(place / ".git") / "HEAD").read_text("utf-8", "replace").strip()
        except OSError:
            continue
        if head.startswith("ref: "):
            branch = head.removeprefix("ref: ").removeprefix("refs/heads/")
            return "" if branch == ".invalid" else branch  # Git's reftable format keeps the branch elsewhere
        return head[:8]
    return ""


def _git_folder(path: Path) -> Path:
    """In a worktree ``.git`` is a file that names the folder."""
    if not path.is_file():
        return path
    return path.parent / path.read_text("utf-8", "replace").strip().removeprefix("gitdir: ")
