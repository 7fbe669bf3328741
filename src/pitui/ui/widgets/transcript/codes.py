"""The code blocks of a Markdown text."""


def codes(markdown: str) -> list[str]:
    """The contents of all fenced and indented code, also within lists and quotes, without a line break at the end."""
    from markdown_it import MarkdownIt  # late: the first screen has no Markdown

    tokens = MarkdownIt("commonmark").parse(markdown)
    return [token.content.rstrip("\n") for token in tokens if token.type in ("fence", "code_block")]
