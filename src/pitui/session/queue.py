"""pi's queue: which of the texts that pi lists is which of ours, and what became of those that have left it."""

from collections.abc import Sequence

from pitui.rpc.records import QueueUpdate
from pitui.session import facts
from pitui.session.blocks import Delivery, PromptBlock
from pitui.session.conversation import changed
from pitui.session.model import Aspect, InPi, Lane, Session


def update(session: Session, record: QueueUpdate) -> None:
    """pi tells its whole queue after every change of it, and nothing but the texts."""
    steering = _follow(session, Lane.STEERING, record.steering)
    session.in_pi = (*steering, *_follow(session, Lane.FOLLOW_UP, record.follow_up))
    changed(session, Aspect.QUEUE)


def _follow(session: Session, lane: Lane, texts: Sequence[str]) -> list[InPi]:
    """The messages of a lane after a change: pi puts new ones last, and of equal ones it takes the first."""
    known = [message for message in session.in_pi if message.lane is lane]
    from_the_end = len(texts) < len(known)
    left, given = (known[::-1], texts[::-1]) if from_the_end else (known, texts)
    now: list[InPi] = []
    for text in given:
        same = next((message for message in left if message.text == text), None)
        if same is not None:
            left.remove(same)
        now.append(same or InPi(_key_for(session, text), lane, text))
    session.leaving += [message for message in known if message in left]
    return now[::-1] if from_the_end else now


def _key_for(session: Session, text: str) -> int:
    """Of the sending that pi has queued already and not listed yet, else one for a message that is not ours."""
    placed = {message.key for message in (*session.in_pi, *session.leaving)}
    for block in session.sending.values():
        if block.delivery is Delivery.QUEUED and block.text == text and block.key not in placed:
            return block.key
    return _foreign_key(session)


def _foreign_key(session: Session) -> int:
    session.memory.last_foreign_key -= 1
    return session.memory.last_foreign_key


def claim(session: Session, block: PromptBlock) -> None:
    """pi has queued what was sent: it listed it just before it said so, with the text that it made of it."""
    listed = [message for message in (*session.in_pi, *session.leaving) if message.key < 0]
    lasts = [message for message in listed if message == _last(session, message.lane)]
    ours = next((message for message in reversed(listed) if message.text == block.text), lasts[-1] if lasts else None)
    if ours is None:
        return
    claimed = InPi(block.key, ours.lane, ours.text)
    session.in_pi = tuple(claimed if message == ours else message for message in session.in_pi)
    session.leaving = [claimed if message == ours else message for message in session.leaving]


def _last(session: Session, lane: Lane) -> InPi | None:
    return next((message for message in reversed(session.in_pi) if message.lane is lane), None)


def leaves(session: Session, text: str) -> InPi | None:
    """The message that has left the queue and is this user message; pi adds to it what it did to an image."""
    leaving = session.leaving
    message = next((message for message in leaving if message.text == text), None)
    message = message or next((message for message in leaving if text.startswith(f"{message.text}\n\n")), None)
    if message is not None:
        leaving.remove(message)
        session.withdrawn = tuple(other for other in session.withdrawn if other != message)
    return message


def cleared(session: Session, fact: facts.QueueCleared) -> None:
    """pi gave back what it had listed. What had left its list before is on its way to the model."""
    memory = session.memory
    memory.clearing -= 1
    if fact.queues is None:
        return
    back: list[InPi] = []
    for lane, texts in ((Lane.STEERING, fact.queues.steering), (Lane.FOLLOW_UP, fact.queues.follow_up)):
        left = [message for message in session.leaving if message.lane is lane and message not in session.withdrawn]
        listed = [message for message in session.in_pi if message.lane is lane]  # a pi that ends does not tell of it
        of_lane: list[InPi] = []
        for text in reversed(texts):
            same = next((message for message in reversed([*listed, *left]) if message.text == text), None)
            if same in left:
                left.remove(same)
            else:
                if same in listed:
                    listed.remove(same)
                same = same or InPi(_foreign_key(session), lane, text)
                session.in_pi = tuple(message for message in session.in_pi if message != same)
                session.leaving.append(same)
            of_lane.insert(0, same)
        back += of_lane
    session.withdrawn = (*session.withdrawn, *back)


def withdraw(session: Session) -> None:
    """What pi gave back is not on its way to the model."""
    memory = session.memory
    for message in session.withdrawn:
        if block := session.sending.get(message.key):
            block.delivery = Delivery.HELD  # else it would be taken for lost when the run is over
    session.leaving = [message for message in session.leaving if message not in session.withdrawn]
    session.withdrawn = ()
    if not memory.running:
        drop_lost(session)
    changed(session, Aspect.QUEUE)


def drop_lost(session: Session) -> None:
    """The run is over: what has left the queue by then, and did not come, never will."""
    memory = session.memory
    if memory.clearing or session.withdrawn:
        return
    listed = {message.key for message in session.in_pi}
    for block in [block for block in session.sending.values() if block.delivery is Delivery.QUEUED]:
        if block.key not in listed:
            del session.sending[block.key]
            block.delivery = Delivery.FAILED
    session.leaving.clear()
    changed(session, Aspect.QUEUE)
