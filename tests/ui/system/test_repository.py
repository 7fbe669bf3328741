"""The branch of a folder, read from Git's own files."""

import subprocess
from pathlib import Path

import pytest

from pitui.ui.system.repository import branch_of


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    try:
        git(tmp_path, "init", "-q")
    except FileNotFoundError:
        pytest.skip("needs git, to make a repository")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    return tmp_path


def test_the_branch_is_found_from_a_folder_inside(repository: Path) -> None:
    inside = repository / "a" / "b"
    inside.mkdir(parents=True)
    assert branch_of(inside) == "main"


def test_a_worktree_has_a_branch_of_its_own(repository: Path) -> None:
    git(repository, "worktree", "add", "-q", "-b", "topic/one", "tree")
    assert branch_of(repository / "tree") == "topic/one"
    assert branch_of(repository) == "main"


def test_without_a_branch_the_commit_is_named(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "-q", commit)
    assert branch_of(repository) == commit[:8]


def test_outside_of_git_and_in_a_damaged_one_there_is_none(tmp_path: Path) -> None:
    assert branch_of(tmp_path) == ""
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all")
    assert branch_of(tmp_path) == ""
