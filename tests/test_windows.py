"""pitui on Windows: it says that it does not run there, and where it does."""

import subprocess
import sys
from pathlib import Path

import pitui

ROOT = Path(pitui.__file__).parent
ONLY_THERE = {"ui/system/driver.py"}
"""What is chosen by the operating system."""
AS_ON_WINDOWS = """
import importlib, os, signal, sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
for name in ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource"):
    sys.modules.pop(name, None)
for name in ("SIGHUP", "SIGKILL", "SIGTSTP", "SIGCONT", "SIGWINCH"):
    delattr(signal, name)
for name in ("killpg", "getpgrp", "getsid", "nice", "getuid", "fork", "set_blocking"):
    delattr(os, name)
for name in [name for name in sys.modules if name.startswith("pitui")]:
    del sys.modules[name]
sys.platform = "win32"
"""


def on_windows(code: str) -> subprocess.CompletedProcess[str]:
    """Run `code` there, with everything but pitui loaded before."""
    names = sorted(
        "pitui." + ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in ROOT.rglob("*.py")
        if path.name != "__main__.py" and path.relative_to(ROOT).as_posix() not in ONLY_THERE
    )
    load = f"for name in {names}:\n    importlib.import_module(name)\n"
    command = [sys.executable, "-c", f"import importlib\n{load}{AS_ON_WINDOWS}{load}{code}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_module_needs_what_windows_has_not() -> None:
    done = on_windows("print(sys.modules['pitui.agent'].__name__)")
    assert (done.stderr, done.stdout) == ("", "pitui.agent\n")


def test_somebody_on_windows_is_told_where_it_runs() -> None:
    done = on_windows("from pitui.cli import main; sys.exit(main(['--demo']))")
    assert done.returncode == 1
    assert "does not run on Windows itself" in done.stderr
    assert "WSL" in done.stderr
