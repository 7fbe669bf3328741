"""A session as Markdown: all of it is there, and nothing that was said gets out of its place."""

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pitui.render import document
from pitui.rpc.messages import (
    AssistantMessage,
    CompactionEntry,
    Entry,
    ImagePart,
    MessageEntry,
    ModelChangeEntry,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultMessage,
    UserMessage,
)

HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *("```", "~~~", "````", "`", "# Prompt", "## Answer", "Title\n===", "<details>", "</details>", "<!--"),
                *("<script>", "[a]: http://b", "[a]", "> ", "- ", "1. ", "    ", "\t", "---", "\n", "\n\n", "|a|b|"),
                *("\\", "&lt;", "\r", "\x1b[2J", "\u2028", "\ud800", "<b>", "*", "![x](y)", "<![CDATA[", "|-|-|"),
            ]
        ),
        st.text(max_size=8),
    ),
    max_size=8,
).map("".join)


def said(hostile: str) -> list[Entry]:
    """The same words in every place that foreign words have."""
    call = ToolCallPart(id="1", name=hostile, arguments={"command": hostile, "a": hostile, hostile: 1})
    answer = [ThinkingPart(thinking=hostile), TextPart(text=hostile), call]
    return [
        MessageEntry(message=UserMessage(content=[TextPart(text=hostile), ImagePart(mime_type=hostile)])),
        MessageEntry(message=AssistantMessage(content=answer, error_message=hostile)),
        MessageEntry(message=ToolResultMessage(tool_call_id="1", tool_name=hostile, content=[TextPart(text=hostile)])),
        CompactionEntry(summary=hostile),
        ModelChangeEntry(provider=hostile, model_id=hostile),
    ]


def whole(entries: list[Entry], title: str = "A talk") -> str:
    return "".join(document.pieces(entries, title, [("Id", title)], "talk-images"))


def headings(text: str) -> list[str]:
    """Those of the document itself: of the first three levels, and in nothing else."""
    tokens = MarkdownIt("commonmark").parse(text)
    return [
        f"{token.tag} {tokens[number + 1].content.split()[0]}"
        for number, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.tag in ("h1", "h2", "h3")
    ]


@given(HOSTILE)
def test_whatever_was_said_the_document_has_its_own_headings_and_no_others(hostile: str) -> None:
    text = whole([*said(f"{hostile}\nend"), *said("plain")], hostile)
    found = [heading.split()[0] + heading.split()[1][:4] for heading in headings(text)]
    tail = ["h2Prom", "h2Answ", "h3Tool", "h2Comp"]
    assert found[0].startswith("h1")
    assert found[1:] == tail + tail
    parsed = MarkdownIt("commonmark").parse(text)
    markup = [token.content for token in parsed if token.type == "html_block"]
    assert [piece for piece in markup if not piece.startswith(("<details>\n<summary>", "</details>"))] == []
    assert not any(child.type == "html_inline" for token in parsed for child in token.children or ())


@given(HOSTILE)
def test_a_fence_holds_exactly_what_was_put_out(hostile: str) -> None:
    from pitui.render.text import clean

    [token] = MarkdownIt("commonmark").parse(document.fence(hostile, "sh"))
    assert (token.type, token.info) == ("fence", "sh")
    assert token.content == clean(hostile, tab_size=0) + "\n"


def test_an_answer_stays_markdown_below_the_headings_of_the_document() -> None:
    answer = "# Plan\n\nFirst\n-----\n\n- one\n- two\n\n```py\n# no heading\n```"
    assert document.contained(answer) == "#### Plan\n\n##### First\n\n- one\n- two\n\n```py\n# no heading\n```"


def test_what_would_not_end_or_brings_html_stands_in_a_fence() -> None:
    for text in ("```py\nnever closed", "<details>", "a <b>bold</b> word", "[link]: http://example.com"):
        assert document.contained(text).startswith("```")


def test_a_long_output_is_folded_and_an_image_is_linked() -> None:
    image = ImagePart(data="aGVsbG8=", mime_type="image/png")
    result = ToolResultMessage(tool_name="bash", content=[TextPart(text="line\n" * 30), image])
    entries: list[Entry] = [MessageEntry(message=result)]
    text = whole(entries)
    assert "<summary>Output of bash, 31 lines</summary>" in text
    assert f"![Image](<talk-images/{document.image_name(image)}>)" in text
    assert list(document.images_of(entries)) == [image]
