"""What the demo answers to plain words: scripts that show what pitui can do."""

from itertools import cycle


def _say(markdown: str) -> str:
    return "#say " + markdown.strip().replace("\n", "\\n")


def _turns(*turns: tuple[str, ...]) -> str:
    return "\n#then\n".join("\n".join(turn) for turn in turns)


HELP = _say(
    """
## What you can say here

| word | what happens |
|---|---|
| anything | reads, runs tests, edits, and tells |
| **long** | a long answer, to scroll and to stop |
| **queue** | twelve seconds of work: Enter steers, Alt+Enter queues, Esc stops |
| **ask** | a question before a dangerous command |
| **fail** | the provider is overloaded, and is tried again |
| **error** | a failure that is not tried again |
| **tools** | four tools beside each other |

Commands of an extension: `/ask-select`, `/ask-confirm`, `/ask-input`, `/ask-editor`, `/ask-timeout`, `/show-all`.
The shell is pretended as well: try `!ls`, `!cat hello.py`, `!seq 1 30`.
"""
)
DONE = _say(
    """
## Done

I changed **one line** of `hello.py`, and the test still passes.

```python
def hello(name):
    print(f'hello {name}')
```

| check | result |
|---|---|
| `pytest -q` | 1 passed |
| files changed | 1 |

Say **help** to see what else this demo can show.
"""
)
UNCHANGED = _say(
    """
Nothing more to change: `hello.py` is as it should be.

1. `README.md` describes it
2. `tests/test_hello.py` checks it

> Say **help** to see what else this demo can show.
"""
)
EDIT = """{"oldText":"print('hello', name)","newText":"print(f'hello {name}')"}"""
WORK = _turns(
    (
        r"#think First I look at what is there.\nThen I run the tests, change one line, and tell what I did.",
        "#say Let me look at the project.",
        "#tool ls {}",
        '#tool read {"path":"hello.py"}',
        '#tool bash {"command":"pytest -q"}',
    ),
    (
        "#think The greeting is fine. An f-string would read better.",
        "#say The tests pass. One line would read better as an f-string:",
        '#tool edit {"path":"hello.py","edits":[' + EDIT + "]}",
    ),
    ('#tool bash {"command":"pytest -q"}',),
    (DONE,),
)
AGAIN = _turns(
    (
        "#think The line is an f-string already. I look for other places.",
        '#tool grep {"pattern":"hello"}',
        '#tool read {"path":"README.md"}',
    ),
    (UNCHANGED,),
)
QUEUE = _turns(
    (
        "#say I am busy for a while. Send something: **Enter** steers, **Alt+Enter** waits for the end, **Esc** stops.",
        '#tool bash {"command":"for step in 1 2 3 4 5 6 7 8 9 10 11 12; do echo step $step of 12; sleep 1; done"}',
    ),
    ("#say That was all of it.",),
)
TOOLS = _turns(
    (
        "#say Four at once:",
        '#tool bash {"command":"for part in one two three; do echo part $part; sleep 1; done"}',
        '#tool read {"path":"README.md"}',
        '#tool grep {"pattern":"def "}',
        '#tool bash {"command":"sleep 2; cat missing.txt; exit 3"}',
    ),
    ("#say Three went well. One failed with exit code 3, because `missing.txt` is not there.",),
)
ASK = _turns(
    (
        "#say I would like to remove the build folder. That needs your word.",
        '#tool bash {"command":"rm -rf build"}',
    ),
    ("#say Thank you. That was the question.",),
)
SCRIPTS = {
    "help": HELP,
    "long": "#think A long one, then.\n#md 12000",
    "queue": QUEUE,
    "ask": ASK,
    "fail": "#fail 529 overloaded_error: the provider is busy",
    "error": "#fail 400 invalid_request_error: this one fails for good",
    "tools": TOOLS,
}
WELCOME = "pitui's demo, without pi, key or network: say help to see what it shows."


class Show:
    """Scripts for the words of a person. The first piece of work changes a file; later ones find it changed."""

    def __init__(self) -> None:
        self._works: dict[str, str] = {}
        self._busy = cycle((True, True, False))

    def script(self, words: str) -> str:
        if words.startswith("#"):
            return words
        known = {word.strip(".,!?").lower() for word in words.split()}
        for word, script in SCRIPTS.items():
            if word in known:
                return script
        return self._works.setdefault(words, AGAIN if self._works else WORK)

    def fails(self, message: str) -> bool:
        """Whether a ``#fail`` line fails: an overloaded provider does so twice in a row."""
        return "overloaded" not in message or next(self._busy)
