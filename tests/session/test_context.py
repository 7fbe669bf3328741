"""What fills the context: about how much each thing takes, and what compaction has put away."""

from typing import Any

from pitui.session.context import Context, Kind, reckon
from tests.ui.tree.grove import Grove

CALL = {"type": "toolCall", "id": "a", "name": "read", "arguments": {"path": "tea.py"}}


def reckoned(grove: Grove) -> Context:
    return reckon(grove.entries, grove.leaf)


def sizes(grove: Grove) -> dict[str, int]:
    """The tokens of every kind, by what the person reads."""
    shares = reckoned(grove).shares
    return {f"{kind.value} {tool}".strip(): tokens for (kind, tool), tokens in shares.items()}


def message(grove: Grove, **fields: Any) -> str:
    return grove.add(f"entry-{len(grove.entries)}", "message", message=fields)


def test_every_kind_of_thing_takes_a_token_for_four_characters() -> None:
    grove = Grove()
    grove.prompt("ask", "x" * 400)
    content = [{"type": "thinking", "thinking": "t" * 200}, {"type": "text", "text": "a" * 100}, CALL]
    message(grove, role="assistant", content=content)
    message(grove, role="toolResult", toolCallId="a", toolName="read", content="r" * 801)
    message(grove, role="bashExecution", command="ls", output="o" * 38)
    message(grove, role="custom", customType="todo", content="c" * 44)
    grove.add("note", "custom_message", customType="todo", content="c" * 36)
    grove.add("branch", "branch_summary", summary="s" * 120)
    assert sizes(grove) == {
        "Results read": 201,
        "Prompts": 100,
        "Thinking": 50,
        "Summaries": 30,
        "Answers": 25,
        "From extensions": 20,
        "Your ! commands": 10,
        "Calls of tools": 6,  # read{"path":"tea.py"} has 21 characters
    }


def test_the_biggest_stand_first() -> None:
    grove = Grove()
    for length in (40, 400, 4):
        grove.prompt(f"p{length}", "x" * length)
    assert [piece.tokens for piece in reckoned(grove).pieces] == [100, 10, 1]


def test_images_take_as_much_as_pi_reckons_and_stand_by_themselves() -> None:
    grove = Grove()
    image = {"type": "image", "data": "A" * 90_000, "mimeType": "image/png"}
    message(grove, role="user", content=[{"type": "text", "text": "Look!!!!"}, image])
    message(grove, role="assistant", content=[CALL])
    message(grove, role="toolResult", toolCallId="a", toolName="read", content=[image])
    assert sizes(grove) == {"Images": 2400, "Calls of tools": 6, "Prompts": 2}
    assert [piece.call.id if piece.call else "" for piece in reckoned(grove).pieces[:2]] == ["", "a"]


def test_what_the_model_does_not_see_takes_nothing() -> None:
    grove = Grove()
    message(grove, role="bashExecution", command="ls", output="o" * 99, excludeFromContext=True)
    failed = grove.answer("failed", "x" * 99)
    grove.add("edit", "context_edit", targetId=failed, replacement=None)
    grove.add("state", "custom", customType="todo")
    grove.label(failed, "here")
    message(grove, role="system", content="x" * 99)
    grove.prompt("empty", "")
    assert reckoned(grove).pieces == []


def test_only_the_branch_where_one_is_counts() -> None:
    grove = Grove()
    grove.prompt("one", "x" * 40)
    grove.prompt("two", "x" * 80)
    grove.prompt("other", "x" * 20, after="one")
    assert reckoned(grove).tokens == 15


def test_after_a_compaction_its_summary_and_what_it_kept_are_there() -> None:
    grove = Grove()
    grove.prompt("old", "x" * 4000)
    grove.answer("older", "x" * 400)
    grove.prompt("kept", "x" * 40)
    grove.add("compaction", "compaction", summary="s" * 200, firstKeptEntryId="kept")
    grove.prompt("new", "x" * 80)
    found = reckoned(grove)
    assert [(piece.kind, piece.tokens) for piece in found.pieces] == [
        (Kind.SUMMARY, 50),
        (Kind.PROMPT, 20),
        (Kind.PROMPT, 10),
    ]
    assert (found.compactions, found.put_away, found.put_away_tokens) == (1, 2, 1100)


def test_of_several_compactions_the_newest_summary_counts() -> None:
    grove = Grove()
    grove.prompt("old", "x" * 400)
    grove.add("first", "compaction", summary="s" * 40, firstKeptEntryId="old")
    grove.prompt("kept", "x" * 80)
    grove.add("second", "compaction", summary="s" * 120, firstKeptEntryId="first")
    found = reckoned(grove)
    assert [piece.tokens for piece in found.pieces] == [30, 20]
    assert (found.compactions, found.put_away, found.put_away_tokens) == (2, 1, 100)


def test_a_compaction_that_kept_nothing_leaves_its_summary() -> None:
    grove = Grove()
    grove.prompt("old", "x" * 400)
    grove.add("all", "compaction", summary="s" * 40, firstKeptEntryId="all")
    found = reckoned(grove)
    assert [piece.tokens for piece in found.pieces] == [10]
    assert (found.put_away, found.put_away_tokens) == (1, 100)


def test_where_nothing_was_said_there_is_nothing() -> None:
    assert reckon([], None) == Context([], {}, 0, 0, 0, 0)
