"""An answer is put together by contentIndex, and its end is the truth."""

from itertools import permutations

import pytest

from pitui.session.blocks import TextBlock

from .telling import Telling, call, text, thinking


def test_parts_stand_in_their_order_at_every_moment_whatever_order_they_come_in() -> None:
    told = Telling()
    told.begins()
    told.delta("text_delta", 2, delta="B1 ")
    told.delta("thinking_start", 0)
    told.delta("thinking_delta", 0, delta="T0 ")
    assert told.chat == ["(T0 )", "B1 "]
    told.delta("text_delta", 1, delta="A1 ")
    assert told.chat == ["(T0 )", "A1 ", "B1 "]
    told.delta("text_delta", 2, delta="B2")
    told.delta("toolcall_start", 3, id="call_1", toolName="read")
    told.delta("text_delta", 1, delta="late")
    told.delta("thinking_end", 0, content="T0 T1!")
    assert told.chat == ["(T0 T1!)", "A1 late", "B1 B2", "read writing"]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_every_order_of_first_pieces_gives_the_same_chat(order: tuple[int, ...]) -> None:
    told = Telling()
    told.begins()
    for index in order:
        told.delta("text_delta", index, delta=str(index))
        assert told.chat == sorted(told.chat)
    assert told.chat == ["0", "1", "2", "3"]


def test_an_index_below_zero_or_far_away_costs_nothing() -> None:
    told = Telling()
    told.begins()
    told.delta("text_delta", 0, delta="here")
    told.delta("text_delta", -1, delta="ghost")
    for kind in ("toolcall_start", "toolcall_delta", "toolcall_end", "thinking_end", "text_start"):
        told.delta(kind, -1, content="ghost", delta="ghost")
    told.delta("text_delta", 999, delta="far")
    assert told.chat == ["here", "far"]
    told.ends(content=[text("here")])
    assert told.chat == ["here"]


def test_the_end_of_a_part_and_of_the_message_replace_what_was_streamed() -> None:
    told = Telling()
    told.begins()
    told.delta("text_delta", 0, delta="helo")
    told.delta("text_end", 0, content="hello")
    assert told.chat == ["hello"]
    told.ends(content=[text("hello!")])
    assert told.chat == ["hello!"]


def test_blocks_keep_their_identity_through_the_end_where_kind_and_place_are_the_same() -> None:
    told = Telling()
    told.begins()
    told.delta("thinking_delta", 0, delta="hm")
    told.delta("text_delta", 1, delta="a")
    told.delta("text_delta", 2, delta="surplus")
    before = {block.id: block for block in told.session.blocks}
    told.ends(content=[thinking("hm!"), text("ab"), call("c", "ls")])
    kept = told.session.blocks[:2]
    assert [before[block.id] for block in kept] == kept
    assert told.chat == ["(hm!)", "ab", "ls waiting"]
    assert all(block.finished for block in kept)


def test_a_part_that_turns_out_to_be_of_another_kind_is_replaced_in_its_place() -> None:
    told = Telling()
    told.begins()
    told.delta("text_delta", 0, delta="a")
    told.delta("text_delta", 1, delta="b")
    told.ends(content=[thinking("a"), text("b")])
    assert told.chat == ["(a)", "b"]


def test_a_message_may_come_without_a_start_and_deltas_too() -> None:
    told = Telling()
    told.ends(content=[text("whole")])
    told.delta("text_delta", 0, delta="no start")
    assert told.chat == ["whole", "no start"]
    told.ends(content=[text("no start at all")])
    assert told.chat == ["whole", "no start at all"]


def test_a_message_may_start_with_content() -> None:
    told = Telling()
    told.begins(content=[text("so far")])
    told.delta("text_delta", 0, delta=" and on")
    assert told.chat == ["so far and on"]


def test_a_new_answer_leaves_one_whose_end_was_lost_as_it_is() -> None:
    told = Telling()
    told.begins()
    told.delta("text_delta", 0, delta="first")
    told.begins(timestamp=2)
    told.delta("text_delta", 0, delta="second")
    assert told.chat == ["first", "second"]
    assert told.session.blocks[0].finished


def test_a_stream_that_says_done_or_error_itself_is_taken() -> None:
    told = Telling()
    told.begins()
    told.pi("message_update", assistantMessageEvent={"type": "start"})
    told.delta("text_delta", 0, delta="par")
    message = {"role": "assistant", "content": [text("partial")], "stopReason": "stop"}
    told.pi("message_update", assistantMessageEvent={"type": "done", "reason": "stop", "message": message})
    assert told.chat == ["partial"]
    told.pi("message_update", assistantMessageEvent={"type": "error", "reason": "error", "error": message})
    told.ends(content=[text("partial")])
    assert told.chat == ["partial"]


def test_snapshots_of_old_versions_do_not_double_the_text() -> None:
    told = Telling()
    told.begins()
    for count in range(1, 51):
        snapshot = {"role": "assistant", "content": [text("tok " * count)]}
        told.pi(
            "message_update",
            message=snapshot,
            assistantMessageEvent={"type": "text_delta", "contentIndex": 0, "delta": "tok ", "partial": snapshot},
        )
    assert told.chat == ["tok " * 50]
    told.ends(content=[text("tok " * 50)])
    assert told.chat == ["tok " * 50]


def test_unicode_separators_and_controls_stay_as_they_came() -> None:
    odd = "left\u2028mid\u2029right\x85nel\x0bvt\x0cff \x1b[31mred\x00"
    told = Telling()
    told.begins()
    told.delta("text_delta", 0, delta=odd)
    assert told.chat == [odd]
    told.ends(content=[text(odd)])
    assert told.chat == [odd]


def test_what_pitui_does_not_know_is_named_and_the_rest_is_shown() -> None:
    told = Telling()
    told.pi("agent_start")
    told.pi("hologram_started", phase=3)
    told.message("futureRole", [{"type": "hologram"}])
    told.begins()
    told.delta("audio_delta", 0, delta="zzz")
    told.delta("text_delta", 1, delta="known text")
    assert told.chat == ["? hologram_started", "? futureRole", "known text"]
    told.ends(content=[{"type": "audio", "data": "AAAA"}, text("known text")])
    assert told.chat == ["? hologram_started", "? futureRole", "? audio", "known text"]
    told.pi("agent_settled")
    assert not told.session.busy


def test_an_unknown_record_is_named_once_and_not_a_thousand_times() -> None:
    told = Telling()
    for number in range(1000):
        told.pi("hologram", number=number)
        told.pi("extension_ui_request", id=str(number), method="showHologram")
    assert told.chat == ["? hologram", "? showHologram"]


def test_unknown_parts_of_what_the_person_and_extensions_say_are_named() -> None:
    told = Telling()
    told.message("user", [text("look"), {"type": "video"}])
    told.message("custom", [text("seen"), {"type": "video"}], customType="eye", display=True, timestamp=2)
    told.message("custom", [text("not for people")], customType="eye", display=False, timestamp=3)
    assert told.chat == ["> look", "? video", "[eye] seen", "? video"]


def test_system_messages_are_never_shown() -> None:
    told = Telling()
    told.message("system", "you are an agent")
    assert told.chat == []


def test_messages_without_content_leave_no_trace_of_none() -> None:
    told = Telling()
    told.begins()
    told.pi("message_end", message={"role": "assistant", "content": None, "stopReason": "stop", "timestamp": 1})
    told.pi("message_end", message={"role": "user", "content": None})
    assert told.chat == ["! The model said nothing."]


def test_a_delta_tells_of_one_block_and_of_nothing_else() -> None:
    told = Telling()
    told.begins()
    told.delta("text_delta", 0, delta="a")
    told.session.take_changes()
    told.delta("text_delta", 0, delta="b")
    changes = told.session.take_changes()
    block = told.session.blocks[0]
    assert isinstance(block, TextBlock)
    assert changes.blocks == {block.id}
    assert not changes.aspects
    assert not told.session.take_changes()
