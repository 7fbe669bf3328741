"""Somebody whose pi has no model yet logs in from pitui, and can use what they have got at once."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.realpi import pi_command
from tests.terminal.screen import Terminal


@contextmanager
def somebody_new(home: Path, *words: str) -> Iterator[Terminal]:
    """In a project of theirs, with the real pi and nothing in the environment of it."""
    project = home / "shop"
    project.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PI_"))}
    keys = {name: value for name, value in kept.items() if not name.endswith(("_KEY", "_TOKEN"))}
    command = [sys.executable, "-m", "pitui", *(words or ("--pi", shlex.join(pi_command())))]
    with Terminal(command, project, {**keys, "HOME": str(home), "PI_OFFLINE": "1"}) as terminal:
        yield terminal


def test_logging_in_brings_models_and_logging_out_takes_them(tmp_path: Path) -> None:
    def stored() -> list[str]:
        return list(json.loads((tmp_path / ".pi" / "agent" / "auth.json").read_text()))

    with somebody_new(tmp_path) as terminal:
        terminal.wait("pi has no model yet: /login gets one.")
        terminal.type("hello\r")
        assert "No API key" not in terminal.wait(
            "pi has no model to ask. F4 and “login” get one; your words stay here."
        )
        terminal.press("ctrl+u")
        terminal.type("/login groq\r")
        terminal.wait("Enter")
        terminal.type("gsk-very-secret\r")
        terminal.wait("Model: groq/openai/gpt-oss-120b")
        assert stored() == ["groq"]
        assert "no model" not in terminal.wait("/ lists the commands")
        terminal.type("/logout groq\r")
        terminal.wait("0 models can be used now")
        assert stored() == []
        assert "secret" not in terminal.text
        terminal.press("ctrl+q")
        assert terminal.exit_code() == 0
        terminal.assert_as_before()


def test_a_login_that_fails_can_be_read_before_the_screen_comes_back(tmp_path: Path) -> None:
    with somebody_new(tmp_path) as terminal:
        terminal.wait("pi has no model yet")
        terminal.type("half a thought")
        terminal.press("f4")
        terminal.wait("All commands")
        terminal.type("log in\r")
        terminal.wait("Log in to")
        terminal.type("openrouter\r")
        terminal.wait("With an API key")
        terminal.type("\r")
        terminal.wait("paste the authorization code")
        terminal.type("\r")
        terminal.wait("Enter goes back to pitui.")
        terminal.type("\r")
        terminal.wait("The login to openrouter did not succeed.")
        assert "half a thought" in terminal.text


def test_a_login_can_be_left_with_ctrl_c(tmp_path: Path) -> None:
    with somebody_new(tmp_path) as terminal:
        terminal.wait("pi has no model yet")
        browser = "openrouter --no-browser"
        for provider, question in (("groq", "Enter"), (browser, "paste the authorization code")):
            terminal.type(f"/login {provider}\r")
            terminal.wait(question)
            terminal.press("ctrl+c")
            screen = terminal.wait("The login was left.")
            assert "pi has no model yet" in screen and "! " not in screen.replace(", ! for", "")
            terminal.wait_gone("The login was left.")


def test_a_key_can_be_given_where_there_is_an_account_too(tmp_path: Path) -> None:
    with somebody_new(tmp_path) as terminal:
        terminal.wait("pi has no model yet")
        terminal.type("/login anthropic\r")
        terminal.wait("With an account")
        terminal.type("key\r")
        terminal.wait("Enter Anthropic API key")
        terminal.type("sk-very-secret\r")
        terminal.wait("Model: anthropic/")
        terminal.wait_gone("Model: anthropic/")
        terminal.type("/login openai --api-key\r")
        terminal.wait("Enter OpenAI API key")
        terminal.press("ctrl+c")
        terminal.wait("The login was left.")
        terminal.type("/login openai --key\r")
        terminal.wait_told("/login takes --api-key or --no-browser, and not “--key”.")


def test_a_login_with_an_empty_key_is_told(tmp_path: Path) -> None:
    with somebody_new(tmp_path) as terminal:
        terminal.wait("pi has no model yet")
        terminal.type("/login groq\r")
        terminal.wait("Enter")
        terminal.type("\r")
        screen = terminal.wait("was the key empty?")
        assert "/login groq asks again" in screen


def test_a_login_after_something_was_run_here_lets_choose_a_model(tmp_path: Path) -> None:
    with somebody_new(tmp_path) as terminal:
        terminal.wait("pi has no model yet")
        terminal.type("!echo kept for the model\r")
        terminal.wait(lambda text: text.count("kept for the model") > 1)
        terminal.type("/login groq\r")
        terminal.wait("Enter")
        terminal.type("gsk-very-secret\r")
        terminal.wait("groq/openai/gpt-oss-20b")
        terminal.press("escape")
        screen = terminal.wait_gone("Type to filter")
        assert screen.count("kept for the model") > 1 and "no model" in screen


def test_which_keys_pi_looks_for_is_told(tmp_path: Path) -> None:
    with somebody_new(tmp_path) as terminal:
        terminal.wait("pi has no model yet")
        terminal.type("/login nobody\r")
        terminal.wait("pi knows no provider")
        terminal.type("key from the\r")
        terminal.wait("ANTHROPIC_API_KEY")
        terminal.press("escape")
        terminal.wait_gone("ANTHROPIC_API_KEY")
        terminal.type("/login \r")
        terminal.wait("Log in to")
        terminal.type("server of\r")
        terminal.wait("models.json")


def test_the_demo_needs_no_login(tmp_path: Path) -> None:
    with somebody_new(tmp_path, "--demo") as terminal:
        terminal.wait("thoughtful")
        terminal.type("/login\r")
        terminal.wait("needs no login")


def test_a_file_of_models_that_cannot_be_read_is_told_at_the_start_and_with_the_list(tmp_path: Path) -> None:
    models = tmp_path / ".pi" / "agent" / "models.json"
    models.parent.mkdir(parents=True)
    models.write_text('{ "providers": {')
    with somebody_new(tmp_path) as terminal:
        terminal.wait_told("Failed to parse models.json")
        terminal.wait_gone("Failed to parse models.json")
        terminal.type("/model \r")
        terminal.wait("Type to filter")
        terminal.wait_told("Failed to parse models.json")


def test_what_pi_warns_of_at_its_start_is_told(tmp_path: Path) -> None:
    with somebody_new(tmp_path, "--pi", shlex.join(pi_command()), "--thinking", "banana") as terminal:
        terminal.wait_told("pi warns: Invalid thinking level")
        terminal.wait_gone("pi warns")
        terminal.type("/login groq\r")
        terminal.wait("Enter")
        terminal.type("gsk-very-secret\r")
        assert "pi warns" not in terminal.wait("/ lists the commands")
