"""What is played to the real pi to record it, and to the demo agent to compare the two.

A step that sends while the agent works waits for an event of the agent first, so that the order is always the same.
"""

from tests.e2e.conversation import ASKING, COMPANION, MODEL, Conversation, Scenario

TURNS = r"""
#think I should look first.
#say Let me look at the file.
#tool read {"path":"hello.py"}
#tool bash {"command":"ls; echo two; sleep 0.2; echo three"}
#then
#say Now the change.
#tool edit {"path":"hello.py","edits":[{"oldText":"print('hello', name)","newText":"print(f'hello {name}')"}]}
#then
#md 700
""".strip()
THREE_TOOLS = r"""
#think Three things at once.
#tool bash {"command":"sleep 0.3; echo slow"}
#tool read {"path":"hello.py"}
#tool write {"path":"notes/today.md","content":"# Today\n"}
#then
#tool edit {"path":"hello.py","edits":[{"oldText":"hello(","newText":"greet("},{"oldText":"'hello'","newText":"'hi'"}]}
#tool edit {"path":"hello.py","edits":[{"oldText":"not there","newText":"x"}]}
#then
#say Three tools and an edit.
""".strip()
FAILING_TOOLS = r"""
#tool write {"path":"new.txt","content":"one\ntwo\n"}
#tool bash {"command":"cat missing; exit 3"}
#tool read {"path":"nowhere.txt"}
#tool nosuch {"a":1}
#then
#tool bash {"command":"for i in $(seq 1 3000); do echo line $i of a long output; done"}
#then
#say All done.
""".strip()
LONG_COMMAND = '#say Working on it now.\n#tool bash {"command":"echo started; sleep 30; echo late"}\n#then\n#md 400'


def chat(pi: Conversation) -> None:
    pi.call("get_state")
    pi.call("get_commands")
    pi.call("get_available_models")
    pi.run("Hello there")
    pi.run(TURNS)
    for query in ("get_messages", "get_entries", "get_tree", "get_fork_messages", "get_session_stats"):
        pi.call(query)
    pi.call("get_last_assistant_text")


def tools(pi: Conversation) -> None:
    pi.run(FAILING_TOOLS)


def three_tools(pi: Conversation) -> None:
    pi.run(THREE_TOOLS)
    pi.call("get_session_stats")


def running(pi: Conversation) -> None:
    """A command that has begun to print."""
    since = len(pi.lines)
    pi.call("prompt", message=LONG_COMMAND)
    pi.wait(lambda r: r.get("type") == "tool_execution_update" and r["partialResult"]["content"], since)


def queue_and_escape(pi: Conversation) -> None:
    running(pi)
    pi.call("prompt", message="no behaviour named")
    pi.call("prompt", message="turn left", streamingBehavior="steer")
    pi.call("steer", message="and then right")
    pi.call("follow_up", message="summarise at the end")
    pi.call("get_state")
    pi.send("clear_queue")
    pi.call("abort")
    pi.call("get_state")
    pi.run("Hello again")


def queue_kept(pi: Conversation) -> None:
    running(pi)
    pi.call("steer", message="turn left")
    pi.call("steer", message="and then right")
    pi.call("follow_up", message="summarise at the end")
    pi.call("abort")
    pi.call("get_state")
    pi.run("Hello again")
    pi.call("steer", message="said while idle")
    pi.call("get_state")
    pi.call("clear_queue")


def steer_delivered(pi: Conversation) -> None:
    pi.start('#tool bash {"command":"echo first; sleep 0.5; echo second"}\n#then\n#say Continuing.', "turn_start")
    pi.wait(lambda r: r.get("type") == "tool_execution_update" and r["partialResult"]["content"])
    since = len(pi.lines)
    pi.call("steer", message="#say Steered.")
    pi.call("steer", message="#say Steered again.")
    pi.call("follow_up", message="#say Followed up.")
    pi.call("follow_up", message="#say And once more.")
    pi.event("agent_settled", since)


def delivered_together(pi: Conversation) -> None:
    pi.call("set_steering_mode", mode="all")
    pi.call("set_follow_up_mode", mode="all")
    steer_delivered(pi)


def escape_in_stream(pi: Conversation) -> None:
    pi.start("#think One moment.\n#md 200000", "message_update")
    pi.wait(lambda r: r.get("assistantMessageEvent", {}).get("type") == "text_delta")
    pi.call("prompt", message="later", streamingBehavior="followUp")
    pi.send("clear_queue")
    pi.call("abort")
    pi.call("abort")
    pi.call("get_session_stats")
    pi.call("get_last_assistant_text")


def escape_in_call(pi: Conversation) -> None:
    """In the middle of a tool's arguments."""
    content = "x" * 100_000
    pi.start(f'#say Writing.\n#tool write {{"path":"big.txt","content":"{content}"}}', "message_update")
    pi.wait(lambda r: r.get("assistantMessageEvent", {}).get("type") == "toolcall_delta")
    pi.call("abort")


def retry(pi: Conversation) -> None:
    pi.run("#fail 529 overloaded_error")
    pi.call("get_messages")
    pi.call("get_entries")


def failure(pi: Conversation) -> None:
    pi.run("#fail 400 invalid_request_error: bad tool schema")
    pi.call("set_auto_retry", enabled=False)
    pi.run("#fail 529 overloaded_error")
    pi.call("get_state")
    pi.run("Hello again")


def escape_in_retry(pi: Conversation) -> None:
    pi.start("#fail 529 overloaded_error", "auto_retry_start")
    pi.call("get_state")
    pi.call("steer", message="are you there?")
    pi.send("clear_queue")
    pi.call("abort")
    since = len(pi.lines)
    pi.start("#fail 529 overloaded_error", "auto_retry_start")
    pi.call("abort_retry")
    pi.event("agent_settled", since)


def tree_and_fork(pi: Conversation) -> None:
    pi.run("first question")
    pi.run("second question")
    pi.run("third question")
    forks = pi.call("get_fork_messages")["data"]["messages"]
    pi.call("set_session_name", name="the first try")
    pi.call("get_state")
    pi.call("get_tree")
    pi.call("fork", entryId=forks[1]["entryId"])
    pi.call("get_state")
    pi.call("get_messages")
    pi.run("second question, other way")
    pi.call("get_tree")
    pi.call("clone")
    pi.call("get_state")
    entries = pi.call("get_entries")["data"]["entries"]
    pi.call("get_entries", since=entries[-2]["id"])
    pi.call("fork", entryId="nope")
    pi.call("get_entries", since="nope")
    pi.call("new_session")
    pi.call("get_state")
    pi.call("get_last_assistant_text")
    pi.call("clone")


def sessions(pi: Conversation) -> None:
    first = pi.call("get_state")["data"]["sessionFile"]
    pi.run("remember this")
    pi.call("set_session_name", name="  kept \n apart ")
    pi.call("new_session")
    pi.run("another matter")
    pi.call("switch_session", sessionPath=first)
    pi.call("get_state")
    pi.call("get_messages")
    pi.call("get_session_stats")
    pi.run("go on")
    pi.call("fork", entryId=pi.call("get_fork_messages")["data"]["messages"][0]["entryId"])
    pi.call("get_entries")
    pi.call("get_state")


def models(pi: Conversation) -> None:
    pi.call("get_available_models")
    pi.call("get_available_thinking_levels")
    pi.call("set_thinking_level", level="high")
    pi.call("cycle_thinking_level")
    pi.call("cycle_thinking_level")
    pi.call("set_thinking_level", level="bogus")
    pi.call("cycle_model")
    pi.call("set_model", provider="lab", modelId="plain")
    pi.call("get_available_thinking_levels")
    pi.call("cycle_thinking_level")
    pi.call("set_model", provider="no", modelId="such")
    pi.call("cycle_model")
    pi.call("set_thinking_level", level="low")
    pi.call("set_model", provider="lab", modelId="plain")
    pi.call("set_steering_mode", mode="all")
    pi.call("set_follow_up_mode", mode="all")
    pi.call("set_auto_compaction", enabled=False)
    pi.call("set_auto_retry", enabled=False)
    pi.call("get_state")
    pi.call("get_entries")


def bash(pi: Conversation) -> None:
    pi.call("bash", command="for i in 1 2 3; do echo $i; sleep 0.1; done; exit 3")
    pi.call("bash", command="seq 1 5000", excludeFromContext=True)
    since = len(pi.lines)
    run = pi.send("bash", command="echo begun; sleep 30")
    pi.event("bash_execution_update", since)
    pi.call("abort_bash")
    pi.answered(run)
    pi.run("what did that print?")
    pi.call("get_messages")
    pi.call("abort_bash")


def bash_while_busy(pi: Conversation) -> None:
    running(pi)
    pi.call("bash", command="ls")
    pi.call("get_messages")
    pi.call("abort")
    pi.call("get_messages")


def compaction(pi: Conversation) -> None:
    pi.call("compact")
    for size in range(40_000, 40_004):
        pi.run(f"#md {size}")
    pi.call("compact", customInstructions="keep the names")
    pi.call("get_session_stats")
    pi.call("get_entries")
    pi.call("get_messages")
    pi.call("compact")
    pi.run("and on it goes")
    pi.call("get_session_stats")


def escape_in_compaction(pi: Conversation) -> None:
    for size in (41_000, 41_001):
        pi.run(f"#md {size}")
    since = len(pi.lines)
    compact = pi.send("compact", customInstructions="write at length")
    pi.event("compaction_start", since)
    pi.call("prompt", message="are you there?", streamingBehavior="steer")
    pi.call("get_state")
    pi.call("abort")
    pi.answered(compact)
    pi.call("get_state")
    pi.run("go on")


def asked(pi: Conversation, since: int) -> str:
    """The id of the next question to the person."""
    methods = ("select", "confirm", "input", "editor")
    return pi.wait(lambda r: r.get("type") == "extension_ui_request" and r["method"] in methods, since)["id"]


def dialogs(pi: Conversation) -> None:
    for name, answer in (
        ("ask-select", {"value": "Blue"}),
        ("ask-confirm", {"confirmed": True}),
        ("ask-input", {"value": "typed"}),
        ("ask-editor", {"value": "one\ntwo"}),
        ("ask-select", {"cancelled": True}),
        ("ask-confirm", {"cancelled": True}),
        ("ask-input", {"cancelled": True}),
        ("ask-editor", {"cancelled": True}),
        ("ask-confirm", {"value": "the wrong field"}),
        ("ask-input", {"value": ""}),
    ):
        since = len(pi.lines)
        command = pi.send("prompt", message=f"/{name}")
        pi.tell(type="extension_ui_response", id=asked(pi, since), **answer)
        pi.answered(command)
    pi.call("prompt", message="/ask-timeout")
    pi.call("prompt", message="/show-all")
    pi.call("prompt", message="/throw")
    pi.call("get_commands")
    for confirmed in (False, True):
        since = len(pi.lines)
        pi.call("prompt", message='#tool bash {"command":"rm -rf build"}\n#then\n#say Done.')
        pi.tell(type="extension_ui_response", id=asked(pi, since), confirmed=confirmed)
        pi.event("agent_settled", since)


def dialog_while_busy(pi: Conversation) -> None:
    running(pi)
    since = len(pi.lines)
    command = pi.send("prompt", message="/ask-select")
    question = asked(pi, since)
    pi.call("abort")
    pi.tell(type="extension_ui_response", id=question, value="Red")
    pi.answered(command)
    pi.tell(type="extension_ui_response", id=question, value="Green")
    pi.call("get_state")


def messages_of(pi: Conversation, role: str) -> list[str]:
    """The ids of the messages, in the order of the file."""
    entries = pi.call("get_entries")["data"]["entries"]
    return [entry["id"] for entry in entries if entry["type"] == "message" and entry["message"]["role"] == role]


def companion_in_the_tree(pi: Conversation) -> None:
    pi.call("get_commands")
    for text in ("#say One.", "#say Two.", "#say Three."):
        pi.run(text)
    prompts, answers = messages_of(pi, "user"), messages_of(pi, "assistant")
    pi.companion("label", entryId=answers[0], label="good")
    pi.companion("label", entryId=answers[2], label="bad")
    pi.companion("label", entryId=answers[2], label="")
    pi.companion("label", entryId="nope", label="x")
    pi.companion("navigate", entryId=prompts[1])
    pi.companion("navigate", entryId="nope")
    pi.run("#say Two, the other way.")
    pi.companion("navigate", entryId=answers[2], summarize=True, instructions="keep the names")
    pi.call("get_messages")
    pi.call("get_entries")
    pi.companion("navigate", entryId=pi.call("get_entries")["data"]["leafId"], summarize=True)
    pi.companion("navigate", entryId=answers[1])
    pi.companion("navigate", entryId=prompts[0])
    pi.call("get_entries")
    pi.companion("navigate", entryId=answers[2])
    pi.companion("fork_at", entryId=answers[1])
    pi.call("get_entries")
    pi.call("get_state")
    pi.companion("fork_at", entryId="nope")
    pi.run("#say Four.")
    pi.companion("fork_at", entryId=prompts[0])
    pi.call("get_entries")
    pi.call("new_session")
    pi.companion("fork_at", entryId=pi.call("get_entries")["data"]["leafId"])


def companion_stopped(pi: Conversation) -> None:
    pi.run("#say One.")
    pi.run("#say Two.")
    question = pi.ask_companion(
        "navigate", entryId=messages_of(pi, "assistant")[0], summarize=True, instructions="write at length"
    )
    while not pi.call("get_state")["data"]["isCompacting"]:
        pass
    pi.call("prompt", message="are you there?", streamingBehavior="steer")
    pi.companion("reload")
    pi.call("abort")
    pi.answered(question)
    pi.call("get_entries")


def companion_and_the_rest(pi: Conversation) -> None:
    pi.companion("clear_name")
    pi.run("#say One.")
    pi.call("set_session_name", name="a name")
    pi.companion("clear_name")
    pi.call("get_state")
    pi.companion("refresh_models")
    pi.companion("set_tools", tools=["read", "telepathy"])
    pi.companion("set_tools", tools=["read"])
    pi.companion("set_tools", tools=["read", "bash", "edit", "write"])
    pi.companion("reload")
    pi.companion("nosuch")
    pi.call("prompt", message="/pitui hello")
    pi.call("set_model", provider="lab", modelId="plain")
    pi.call("cycle_model")
    prompt = messages_of(pi, "user")[0]
    running(pi)
    pi.companion("navigate", entryId=prompt)
    pi.companion("reload")
    pi.call("abort")
    since = len(pi.lines)
    pi.call("prompt", message="/ask-timeout")
    pi.wait(lambda r: "dialogs_ended" in r.get("statusText", ""), since)
    pi.call("clone")


def errors(pi: Conversation) -> None:
    since = len(pi.lines)
    for line in (b"{not json", b"", b"[]", b"5", b'{"type": "get_state", "id": 7}', b'{"type": "prompt", "id": "x"}'):
        pi.write(line)
    pi.wait(lambda r: r.get("id") == "x", since)
    pi.call("no_such_command")
    pi.call("switch_session", sessionPath="none.jsonl")
    pi.call("set_session_name", name="   ")
    pi.call("abort")
    pi.call("abort_retry")
    pi.call("get_fork_messages")
    pi.run("")
    pi.run("/nosuch command")


SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        Scenario("chat", chat),
        Scenario("tools", tools),
        Scenario("three_tools", three_tools),
        Scenario("queue_and_escape", queue_and_escape),
        Scenario("queue_kept", queue_kept),
        Scenario("steer_delivered", steer_delivered),
        Scenario("delivered_together", delivered_together),
        Scenario("escape_in_stream", escape_in_stream, environment={"LAB_TPS": "400"}),
        Scenario("escape_in_call", escape_in_call, environment={"LAB_TPS": "400"}),
        Scenario("retry", retry, environment={"LAB_FAILS": "2"}),
        Scenario("failure", failure),
        Scenario("escape_in_retry", escape_in_retry),
        Scenario("tree_and_fork", tree_and_fork),
        Scenario("sessions", sessions),
        Scenario("models", models),
        Scenario("bash", bash),
        Scenario("bash_while_busy", bash_while_busy),
        Scenario("compaction", compaction, environment={"LAB_TPS": "0", "LAB_CHUNK": "2000"}),
        Scenario("escape_in_compaction", escape_in_compaction, environment={"LAB_TPS": "20000", "LAB_CHUNK": "2000"}),
        Scenario("dialogs", dialogs, extensions=(MODEL, ASKING)),
        Scenario("dialog_while_busy", dialog_while_busy, extensions=(MODEL, ASKING)),
        Scenario("companion_in_the_tree", companion_in_the_tree, extensions=(COMPANION, MODEL)),
        Scenario(
            "companion_stopped",
            companion_stopped,
            extensions=(COMPANION, MODEL),
            environment={"LAB_TPS": "20000", "LAB_CHUNK": "2000"},
        ),
        Scenario("companion_and_the_rest", companion_and_the_rest, extensions=(COMPANION, MODEL, ASKING)),
        Scenario("errors", errors),
    )
}
