"""What the person says: from the moment it is sent until pi delivers it."""

from pitui.rpc.messages import ImagePart, UserMessage, text_of
from pitui.session import facts, queue
from pitui.session.blocks import Delivery, PromptBlock
from pitui.session.conversation import (
    add,
    add_last,
    changed,
    finish,
    looks,
    next_id,
    notify,
    place,
    remove,
    settle_in_place,
)
from pitui.session.model import Aspect, Session, Spoken
from pitui.session.refusals import explained


def sent(session: Session, fact: facts.Sent) -> None:
    old = session.sending.pop(fact.key, None)
    if old is not None:
        remove(session, old)
    delivery = Delivery.HANDLING if fact.command else Delivery.SENDING
    block = PromptBlock(id=next_id(session), text=fact.text, images=tuple(fact.images), delivery=delivery, key=fact.key)
    session.sending[fact.key] = block
    session.memory.begun_before[fact.key] = session.memory.begun
    if fact.command:
        add(session, block)
    elif not fact.queued:
        add_last(session, block)
    changed(session, Aspect.QUEUE)


def accepted(session: Session, fact: facts.Accepted) -> bool:
    """pi took it. Gives whether a run is about to begin for it: not when its user message has come already."""
    block = session.sending.get(fact.key)
    if block is None or block.delivery is Delivery.FAILED:
        return False
    if fact.disposition == "handled":
        del session.sending[fact.key]
        block.delivery = Delivery.HANDLED
        settle_in_place(session, block)
        finish(session, block)
        return False
    changed(session, Aspect.QUEUE)
    if fact.disposition == "queued":
        block.delivery = Delivery.QUEUED
        queue.claim(session, block)
        remove(session, block)
        return False
    block.delivery = Delivery.ACCEPTED
    if place(session, block) is None:
        add_last(session, block)
    looks(session, block)
    if session.memory.begun > session.memory.begun_before.pop(fact.key, session.memory.begun):
        if not session.memory.running:
            run_is_over(session)
        return False  # pi was faster with the run than with its answer
    session.memory.begun += 1
    session.memory.awaits_run = True
    return True


def run_is_over(session: Session) -> None:
    """A prompt that started it was delivered, also where its user message did not come."""
    for key, block in list(session.sending.items()):
        if block.delivery is Delivery.ACCEPTED:
            del session.sending[key]
            block.delivery = Delivery.DELIVERED
            settle_in_place(session, block)
            finish(session, block)


def refused(session: Session, fact: facts.Refused) -> None:
    block = session.sending.pop(fact.key, None)
    if block is not None:
        remove(session, block)
        changed(session, Aspect.QUEUE)
    if fact.reason:
        notify(session, "error", explained(session, fact.reason))


def taken(session: Session, fact: facts.Taken) -> None:
    session.sending.pop(fact.block.key, None)
    remove(session, fact.block)
    changed(session, Aspect.QUEUE)


def held(session: Session, fact: facts.Held) -> None:
    _stands(session, fact.key, Delivery.HELD)


def written(session: Session, fact: facts.Written) -> None:
    session.memory.begun_before[fact.key] = session.memory.begun
    block = _stands(session, fact.key, Delivery.SENDING)
    if block is not None and (block.text, block.images) != (fact.text, tuple(fact.images)):
        block.text, block.images = fact.text, tuple(fact.images)
        looks(session, block)


def _stands(session: Session, key: int, delivery: Delivery) -> PromptBlock | None:
    block = session.sending.get(key)
    if block is not None and block.delivery not in (delivery, Delivery.HANDLING):
        block.delivery = delivery
        looks(session, block)
        changed(session, Aspect.QUEUE)
    return block


def show(session: Session, spoken: Spoken, message: UserMessage, *, live: bool) -> None:
    """The block of a user message; a live one may be what was sent from here."""
    session.memory.failure, session.memory.failures = None, 0
    text, images = text_of(message.content), tuple(part for part in message.content if isinstance(part, ImagePart))
    block = spoken.parts.get(0)
    if not isinstance(block, PromptBlock):
        block = _adopt(session, text) if live else None
        if block is None and not (text or images):
            return
        if block is None:
            block = add(session, PromptBlock(id=next_id(session)))
        spoken.parts[0] = block
    if block.text != text or block.images != images:
        block.text, block.images = text, images
        looks(session, block)
    block.timestamp = spoken.timestamp
    if live:
        session.memory.heard = spoken.timestamp
    finish(session, block)


def _adopt(session: Session, text: str) -> PromptBlock | None:
    """The sending that this user message is.

    pi expands templates and skills: what was queued is known by the text that pi listed, and what has started a run by
    being the oldest. One that is not answered yet may be a command of an extension, which will have no user message.
    """
    block = None
    if left := queue.leaves(session, text):
        block = session.sending.get(left.key)
    else:
        placed = {message.key for message in (*session.in_pi, *session.leaving)}
        sent = [block for block in session.sending.values() if block.key not in placed]
        taken = [block for block in sent if block.delivery in (Delivery.ACCEPTED, Delivery.QUEUED)]
        candidates = [*taken, *(block for block in sent if block.delivery in (Delivery.SENDING, Delivery.HANDLING))]
        block = next((block for block in candidates if block.text == text), taken[0] if taken else None)
    if block is not None:
        del session.sending[block.key]
        block.delivery = Delivery.DELIVERED
        settle_in_place(session, block)
        changed(session, Aspect.QUEUE)
    return block


def given_back(session: Session, fact: facts.GivenBack) -> None:
    before = session.returned
    session.returned = (*fact.prompts, *before) if fact.above else (*before, *fact.prompts)
    changed(session, Aspect.RETURNED)


def rescued(session: Session) -> None:
    session.returned = ()


def fail_all(session: Session) -> None:
    """pi is gone: nothing that was sent will be delivered. What was not answered may still be refused."""
    for key, block in list(session.sending.items()):
        if block.delivery in (Delivery.ACCEPTED, Delivery.QUEUED):
            del session.sending[key]
        block.delivery = Delivery.FAILED
        finish(session, block)
    session.in_pi = session.withdrawn = ()
    session.leaving.clear()
    changed(session, Aspect.QUEUE)
