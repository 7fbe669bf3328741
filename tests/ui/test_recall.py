"""Going through earlier prompts: nothing that is being written is lost on the way."""

from pitui.draft import Draft, Pasted
from pitui.store.history import PastPrompt
from pitui.ui.recall import Past, Recall, restored, stored
from pitui.ui.screens.history import HistoryScreen


class Writer:
    """An editor of one text, and the keys up and down in it."""

    def __init__(self, *stored_texts: str, said: tuple[str, ...] = ()) -> None:
        self.recall = Recall()
        self.recall.load([Past(Draft.of(text)) for text in stored_texts])
        self.said = said
        self.text = ""

    def up(self) -> str:
        return self._show(self.recall.older(Draft.of(self.text), self.said))

    def down(self) -> str:
        return self._show(self.recall.newer(Draft.of(self.text)))

    def _show(self, draft: Draft | None) -> str:
        if draft:
            self.text = draft.text.strip("\x1b")  # as an editor does
            self.recall.shown(Draft.of(self.text))
        return self.text


def test_the_draft_waits_at_the_end() -> None:
    writer = Writer("a", "b")
    writer.text = "draft"
    assert [writer.up(), writer.up(), writer.up()] == ["b", "a", "a"]
    assert [writer.down(), writer.down(), writer.down()] == ["b", "draft", "draft"]
    assert not writer.recall.is_browsing


def test_each_text_is_met_once_where_it_was_written_last() -> None:
    writer = Writer("a", "b", "a", "c")
    assert [writer.up(), writer.up(), writer.up(), writer.up()] == ["c", "a", "b", "b"]


def test_what_was_said_before_the_store_began_is_met_too() -> None:
    writer = Writer("stored", "both", said=("older", "both", "old"))
    assert [writer.up() for _ in range(4)] == ["both", "stored", "old", "older"]


def test_an_earlier_prompt_that_was_changed_is_the_new_draft_and_the_old_one_is_not_lost() -> None:
    writer = Writer("a", "b")
    writer.text = "draft"
    writer.up()
    writer.text = "b changed"
    assert [writer.up(), writer.up(), writer.up()] == ["draft", "b", "a"]
    assert [writer.down() for _ in range(3)] == ["b", "draft", "b changed"]


def test_the_draft_is_not_lost_when_an_earlier_prompt_is_sent() -> None:
    writer = Writer("a", "b")
    writer.text = "draft"
    writer.up()
    writer.recall.keep(Draft.of(writer.text))
    writer.recall.stop()
    writer.text = ""
    assert [writer.up(), writer.up()] == ["draft", "b"]


def test_what_the_editor_shows_otherwise_than_it_was_said_is_no_obstacle() -> None:
    writer = Writer(said=("a", "\x1bb"))
    assert [writer.up(), writer.up()] == ["b", "a"]


def test_where_nothing_was_written_nothing_happens() -> None:
    writer = Writer()
    writer.text = "draft"
    assert [writer.up(), writer.down()] == ["draft", "draft"]
    assert not writer.recall.is_browsing


def test_what_is_written_down_can_still_be_recalled_until_the_store_is_read() -> None:
    writer = Writer("a")
    for text in ("b", "b", " ", "c"):
        writer.recall.keep(Draft.of(text))
    assert [past.draft.text for past in writer.recall.take_unwritten()] == ["b", "c"]
    assert writer.recall.take_unwritten() == []
    assert [writer.up(), writer.up(), writer.up()] == ["c", "b", "a"]


def found(query: str, *texts: str) -> list[str]:
    return [choice.label for choice in HistoryScreen([Past(Draft.of(text)) for text in texts], 0).fitting(query)]


def test_a_search_wants_all_words_and_gives_the_newest_first() -> None:
    assert found("fix bug", "Fix the bug", "fix it", "a BUG\nto fix") == ["a BUG to fix", "Fix the bug"]


def test_a_word_far_inside_a_long_prompt_is_shown() -> None:
    assert found("needle", "hay " * 500 + "needle in it") == ["…" + ("hay " * 6) + "needle in it"]


def test_a_paste_is_one_thing_again_when_it_comes_from_the_store() -> None:
    past = Past(Draft.of("see ", Pasted("long\ntext"), " there"), 12.5)
    assert stored(past).text == "see long\ntext there"
    assert restored(stored(past)) == past
    assert restored(stored(past)).at == past.at


def test_of_chips_that_cannot_be_read_the_text_is_left() -> None:
    for data in ("{", '["words", {"strange": 1}]', "3"):
        assert restored(PastPrompt("words", data)).draft == Draft.of("words")
