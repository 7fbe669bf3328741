"""What the person says: from the moment it is sent until pi delivers it."""

from pitui.rpc.messages import ImagePart, UserMessage, text_of
from pitui.session import facts
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
    waits,
)
from pitui.session.model import Aspect, Session, Spoken, Undelivered


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
    block.delivery = Delivery.ACCEPTED
    changed(session, Aspect.QUEUE)
    if fact.disposition == "queued":
        session.memory.queued.add(fact.key)
        remove(session, block)
        return False
    if place(session, block) is None:
        add_last(session, block)
    looks(session, block)
    if session.memory.begun > session.memory.begun_before.pop(fact.key, session.memory.begun):
        if not session.memory.running:
            run_is_over(session)
        return False  # pi was faster with the run than with its answer
    return True


def run_is_over(session: Session) -> None:
    """A prompt that started it was delivered, also where its user message did not come."""
    for key, block in list(session.sending.items()):
        if block.delivery is Delivery.ACCEPTED and key not in session.memory.queued:
            del session.sending[key]
            block.delivery = Delivery.DELIVERED
            settle_in_place(session, block)
            finish(session, block)


def refused(session: Session, fact: facts.Refused) -> None:
    block = session.sending.pop(fact.key, None)
    session.memory.queued.discard(fact.key)
    if block is not None:
        remove(session, block)
        changed(session, Aspect.QUEUE)
    if fact.reason:
        notify(session, "error", fact.reason)


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
    finish(session, block)


def _adopt(session: Session, text: str) -> PromptBlock | None:
    """The sending that this user message is: with the same text, else the oldest, as pi expands templates and skills.

    One that is not answered yet may be a command of an extension, which will have no user message.
    """
    candidates = [block for block in session.sending.values() if waits(block)]
    candidates.sort(key=lambda block: block.delivery is Delivery.SENDING)
    block = next((block for block in candidates if block.text == text), candidates[0] if candidates else None)
    if block is not None:
        del session.sending[block.key]
        session.memory.queued.discard(block.key)
        block.delivery = Delivery.DELIVERED
        settle_in_place(session, block)
        changed(session, Aspect.QUEUE)
    return block


def drop_queued(session: Session) -> None:
    """The run is over and pi's queue is empty: what waited in it and did not come was taken out."""
    for key in session.memory.queued:
        session.sending.pop(key, None)
    session.memory.queued.clear()
    changed(session, Aspect.QUEUE)


def rescue(session: Session) -> None:
    """pi is gone: keep what it had taken and not delivered, for the person."""
    sent = [block for block in session.sending.values() if block.delivery is Delivery.ACCEPTED]
    kept: list[Undelivered] = []
    for text in (*session.steering, *session.follow_up):
        block = next((block for block in sent if block.text == text), None)
        if block is not None:
            sent.remove(block)
        kept.append(Undelivered(text, block.images if block else ()))
    started = [block for block in sent if block.key not in session.memory.queued]
    kept = [*(Undelivered(block.text, block.images) for block in started), *kept]
    session.undelivered = (*session.undelivered, *kept)
    session.steering = session.follow_up = ()
    changed(session, Aspect.QUEUE)


def rescued(session: Session) -> None:
    session.undelivered = ()


def fail_all(session: Session) -> None:
    """pi is gone: nothing that was sent will be delivered. What was not answered may still be refused."""
    for key, block in list(session.sending.items()):
        if block.delivery is Delivery.ACCEPTED:
            del session.sending[key]
        block.delivery = Delivery.FAILED
        finish(session, block)
    session.memory.queued.clear()
    changed(session, Aspect.QUEUE)
