"""What is written, with the pastes and pictures in it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.draft import Draft, Part, Pasted, Picture, folded, is_long
from pitui.rpc.messages import ImagePart

PICTURE = Picture("shot.png", ImagePart(data="aGVsbG8=", mime_type="image/png"), "/tmp/shot.png")
CLIPPED = Picture("clipboard.png", ImagePart(data="d29ybGQ=", mime_type="image/png"))
PASTE = Pasted("\n".join(f"line {number}" for number in range(12)))

parts = st.one_of(
    st.text(),
    st.builds(Pasted, st.text()),
    st.builds(Picture, st.text(), st.builds(ImagePart, data=st.text("abcd"), mime_type=st.text()), st.text()),
)


@given(st.lists(parts))
def test_a_draft_comes_back_from_the_disk_as_it_was(written: list[Part]) -> None:
    draft = Draft.of(*written)
    assert Draft.from_json(json.loads(json.dumps(draft.to_json()))) == draft


@given(st.lists(parts))
def test_all_that_was_written_is_sent(written: list[Part]) -> None:
    texts = [part if isinstance(part, str) else getattr(part, "text", getattr(part, "path", "")) for part in written]
    sent = Draft.of(*written).text
    assert sent.replace(" ", "") == "".join(texts).replace(" ", "")
    assert sent == "".join(texts) or any(isinstance(part, Picture) for part in written)


@pytest.mark.parametrize(
    ("draft", "sent"),
    [
        (Draft.of(PICTURE, PICTURE), "/tmp/shot.png /tmp/shot.png"),
        (Draft.of("see", PICTURE, "please"), "see /tmp/shot.png please"),
        (
            Draft.of("see ", PICTURE, ", (", PICTURE, ")\n", PICTURE),
            "see /tmp/shot.png, (/tmp/shot.png)\n/tmp/shot.png",
        ),
        (Draft.of("see", CLIPPED, "please"), "see please"),
        (Draft.of(PASTE, "words"), f"{PASTE.text}words"),
    ],
)
def test_a_picture_parts_the_words_beside_it(draft: Draft, sent: str) -> None:
    assert draft.text == sent


@pytest.mark.parametrize("damaged", [None, {}, "words", [1], [{"paste": 1}], [{"picture": "name"}], [["words"]]])
def test_a_damaged_draft_is_told(damaged: object) -> None:
    with pytest.raises(ValueError, match=r"is expected|a part is"):
        Draft.from_json(damaged)


@pytest.mark.parametrize(
    "draft",
    [
        Draft.of("see ", PASTE, " and ", PICTURE, " please"),
        Draft.of("see ", CLIPPED),
        Draft.of(CLIPPED),
        Draft.of(PASTE, PASTE),
        Draft.of(PICTURE, "\n", PASTE),
    ],
)
def test_what_was_sent_comes_back_with_its_pastes_and_pictures(draft: Draft) -> None:
    assert folded(draft.text, draft.images, draft.chips) == draft


TWIN = Picture("twin.png", PICTURE.image, "/tmp/twin.png")
SAME_CLIPPED = Picture("clipboard.png", PICTURE.image)


@pytest.mark.parametrize("known", [(TWIN, SAME_CLIPPED, PICTURE), (SAME_CLIPPED, PICTURE, TWIN)])
@pytest.mark.parametrize(
    "draft",
    [Draft.of("see ", TWIN), Draft.of("see ", PICTURE), Draft.of("see ", SAME_CLIPPED), Draft.of(TWIN, " ", PICTURE)],
)
def test_a_picture_that_has_several_names_comes_back_by_the_one_it_was_sent_by(
    draft: Draft, known: tuple[Picture, ...]
) -> None:
    assert folded(draft.text, draft.images, known) == draft


def test_a_paste_that_was_changed_elsewhere_comes_back_as_words() -> None:
    assert folded(PASTE.text + "!", (), [Pasted("other")]) == Draft.of(PASTE.text + "!")


def test_a_picture_that_nobody_knows_any_more_is_kept() -> None:
    back = folded("look", [CLIPPED.image], [])
    assert (back.text, back.images) == ("look", (CLIPPED.image,))


def test_a_picture_alone_is_something_to_send_and_white_space_is_not() -> None:
    assert not Draft.of(CLIPPED).is_blank
    assert Draft.of(" \n", Pasted("\n")).is_blank


@pytest.mark.parametrize(
    ("text", "long"),
    [("x" * 1000, False), ("x" * 1001, True), ("line\n" * 9 + "line", False), ("line\n" * 10 + "line", True)],
)
def test_more_than_ten_lines_or_a_thousand_characters_are_one_thing(text: str, long: bool) -> None:
    assert is_long(text) is long
