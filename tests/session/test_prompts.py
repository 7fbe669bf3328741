"""What the person says, from sending to delivery."""

from pitui.rpc.records import AgentSettled, AgentStart
from pitui.rpc.results import State
from pitui.session.apply import apply
from pitui.session.blocks import Delivery, PromptBlock
from pitui.session.facts import Accepted, Refused, Sent, Written
from pitui.session.model import Phase, Session

from .telling import Telling, text


def prompt(told: Telling, index: int = -1) -> PromptBlock:
    block = [block for block in told.session.blocks if isinstance(block, PromptBlock)][index]
    assert isinstance(block, PromptBlock)
    return block


def test_a_prompt_is_shown_at_once_and_becomes_the_message_that_pi_delivers() -> None:
    told = Telling()
    told.take(Sent(1, "hello"))
    block = prompt(told)
    assert (told.chat, block.delivery, block.finished) == (["> hello"], Delivery.SENDING, False)
    told.take(Accepted(1, "started"))
    assert block.delivery is Delivery.ACCEPTED
    assert told.session.phase is Phase.WORKING
    told.message("user", [text("hello")])
    assert told.session.blocks == [block]
    assert (block.delivery, block.finished, told.session.sending) == (Delivery.DELIVERED, True, {})


def test_a_prompt_that_waits_stays_last_while_pi_goes_on() -> None:
    told = Telling()
    told.pi("agent_start")
    told.begins()
    told.take(Sent(1, "wait for me"))
    told.delta("text_delta", 0, delta="still talking")
    told.pi("tool_execution_start", toolCallId="a", toolName="bash", args={})
    told.pi("extension_error", extensionPath="x", event="e", error="oops")
    assert told.chat[-1] == "> wait for me"
    told.ends(content=[text("still talking")])
    told.message("user", "wait for me", timestamp=2)
    told.ends(content=[text("yes?")], timestamp=3)
    assert told.chat[-2:] == ["> wait for me", "yes?"]


def test_a_prompt_that_was_sent_while_the_run_before_was_about_to_begin_is_shown_once() -> None:
    told = Telling()
    told.take(Sent(1, "one"), Sent(2, "two"), Written(1, "one"), Accepted(1, "started"), Written(2, "two"))
    for key, words in enumerate(("one", "two"), 1):
        told.pi("agent_start")
        told.message("user", words, timestamp=key)
        told.pi("agent_settled")
        if key == 1:
            told.take(Accepted(2, "started"))
    assert told.chat == ["> one", "> two"]


def test_the_text_is_what_pi_made_of_a_template() -> None:
    told = Telling()
    told.take(Sent(1, "/review the code"), Accepted(1, "started"))
    told.message("user", "Review the code with care.")
    assert told.chat == ["> Review the code with care."]


def test_of_several_prompts_each_message_finds_its_own() -> None:
    told = Telling()
    told.take(Sent(1, "one"), Sent(2, "two"), Accepted(1, "started"))
    told.message("user", "two", timestamp=1)
    assert told.chat == ["> two", "> one"]
    assert (prompt(told, 0).key, prompt(told, 1).delivery) == (2, Delivery.ACCEPTED)
    told.message("user", "one, in other words", timestamp=2)
    assert told.chat == ["> two", "> one, in other words"]
    assert not told.session.sending


def test_the_same_words_twice_are_two_prompts() -> None:
    told = Telling()
    told.take(Sent(1, "go on"), Sent(2, "go on"))
    told.message("user", "go on", timestamp=1)
    assert [block.delivery for block in told.session.sending.values()] == [Delivery.SENDING]
    told.message("user", "go on", timestamp=2)
    assert told.chat == ["> go on", "> go on"]


def test_what_was_not_sent_from_here_has_a_block_of_its_own() -> None:
    told = Telling()
    told.message("user", "from an extension")
    assert (told.chat, prompt(told).key) == (["> from an extension"], 0)


def test_a_command_that_waits_for_its_dialog_is_not_taken_for_the_message() -> None:
    told = Telling()
    told.take(Sent(1, "/deploy"), Sent(2, "/template"), Accepted(2, "started"))
    told.message("user", "what the template says")
    assert told.chat == ["> what the template says", "> /deploy"]


def test_a_handled_command_is_over_at_once() -> None:
    told = Telling()
    told.take(Sent(1, "/deploy"), Sent(2, "and more"))
    told.pi("extension_ui_request", id="d", method="confirm", title="Deploy?", message="to staging")
    told.take(Accepted(1, "handled"))
    block = prompt(told, 0)
    assert (block.delivery, block.finished) == (Delivery.HANDLED, True)
    assert told.session.phase is not Phase.WORKING
    assert list(told.session.sending) == [2]


def test_a_handled_command_does_not_hold_up_the_prompt_that_waits_before_it() -> None:
    told = Telling()
    told.take(Sent(1, "first"), Sent(2, "/deploy"), Accepted(2, "handled"))
    told.ends(content=[text("news")])
    assert told.chat == ["> /deploy", "news", "> first"]


def test_a_queued_prompt_is_in_the_queue_and_not_in_the_chat_until_it_is_delivered() -> None:
    told = Telling()
    told.pi("agent_start")
    told.take(Sent(1, "turn left", queued=True))
    assert (told.chat, list(told.session.sending)) == ([], [1])
    told.pi("queue_update", steering=["turn left"], followUp=[])
    told.take(Accepted(1, "queued"))
    assert told.chat == []
    told.pi("queue_update", steering=[], followUp=[])
    told.message("user", "turn left")
    assert (told.chat, prompt(told).key, told.session.sending) == (["> turn left"], 1, {})


def test_a_prompt_that_pi_queued_though_we_thought_it_idle_leaves_the_chat() -> None:
    told = Telling()
    told.take(Sent(1, "hello"), Accepted(1, "queued"))
    assert told.chat == []
    told.message("user", "hello")
    assert told.chat == ["> hello"]


def test_a_prompt_that_pi_starts_though_we_thought_it_busy_is_shown() -> None:
    told = Telling()
    told.take(Sent(1, "hello", queued=True), Accepted(1, "started"))
    assert told.chat == ["> hello"]


def test_a_refused_prompt_leaves_the_chat_and_the_reason_is_told() -> None:
    told = Telling()
    told.take(Sent(1, "hello"), Refused(1, "No API key found"))
    assert (told.chat, told.session.sending) == ([], {})
    assert [notice.text for notice in told.session.notices] == ["No API key found"]


def test_words_taken_back_from_the_queue_need_no_reason() -> None:
    told = Telling()
    told.take(Sent(1, "hello", queued=True), Accepted(1, "queued"), Refused(1, ""))
    assert not told.session.sending
    assert not told.session.notices


def test_an_answer_that_comes_after_the_run_is_over_starts_nothing() -> None:
    told = Telling()
    told.take(Sent(1, "hello"))
    told.pi("agent_start")
    told.message("user", "hello")
    told.pi("agent_settled")
    told.take(Accepted(1, "started"))
    assert told.session.phase is Phase.IDLE


def test_what_was_taken_out_of_the_queue_is_forgotten_when_the_run_is_over() -> None:
    told = Telling()
    told.pi("agent_start")
    told.take(Sent(1, "kept", queued=True), Accepted(1, "queued"))
    told.pi("queue_update", steering=["kept"], followUp=[])
    told.pi("agent_settled")
    assert list(told.session.sending) == [1]
    told.pi("queue_update", steering=[], followUp=[])
    told.pi("agent_settled")
    assert not told.session.sending


def test_the_queue_is_what_pi_said_last() -> None:
    told = Telling()
    told.pi("queue_update", steering=["", "a"], followUp=["x" * 5000])
    assert (told.session.steering, told.session.follow_up) == (("", "a"), ("x" * 5000,))
    told.pi("queue_update", steering=["a", "a"], followUp=[])
    assert (told.session.steering, told.session.follow_up) == (("a", "a"), ())
    told.pi("queue_update", steering=[{"text": "an object"}], followUp=None)
    assert (told.session.steering, told.session.follow_up) == (("an object",), ())
    told.pi("queue_update", steering=[], followUp=[])
    assert told.session.steering == ()


def test_images_of_a_message_are_kept() -> None:
    told = Telling()
    told.message("user", [{"type": "image", "data": "AAAA", "mimeType": "image/png"}])
    assert [image.mime_type for image in prompt(told).images] == ["image/png"]


def test_a_run_that_was_over_before_pi_answered_the_prompt_leaves_pi_idle() -> None:
    session = Session()
    for record in (State(), Sent(1, "Hello"), AgentStart(), AgentSettled(), Accepted(1, "started")):
        apply(session, record)
    assert session.phase is Phase.IDLE
    assert session.sending == {}
