"""What of the outbox a test looks at."""

from collections.abc import Sequence

from pitui.agent import Agent
from pitui.outbox import Where
from pitui.session.model import Returned


def held(agent: Agent) -> Sequence[Returned]:
    """Prompts that wait here until pi takes prompts again."""
    return [Returned(prompt.text, prompt.images) for prompt in agent.queue if prompt.where is Where.HERE]
