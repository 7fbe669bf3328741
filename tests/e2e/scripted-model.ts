/**
 * A language model for tests: no key, no network, always the same answer to the same words.
 *
 *   pi --mode rpc -e scripted-model.ts --model lab/script
 *
 * What the person sends is the script. A line `#then` ends a turn; every other line is one piece of it:
 *
 *   #think TEXT         thinks
 *   #say TEXT           says (`\n` is a line break)
 *   #md N               says N characters of Markdown
 *   #tool NAME {JSON}   calls a tool; pi runs it for real
 *   #fail MESSAGE       fails as a provider does ("529 overloaded" is one that pi tries again)
 *   anything else       is said back
 *
 * LAB_TPS: tokens a second (default 200, 0 is at once). LAB_CHUNK: tokens a delta (default 3).
 * LAB_FAILS: how many `#fail` lines fail before the rest succeed (default: all fail).
 *
 * The demo agent (src/pitui/demo/script.py) reads the same scripts in the same way.
 */
import { fauxAssistantMessage, fauxProvider, fauxText, fauxThinking, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const SAMPLE = [
	"## What I found\n\n",
	"A reader takes **bytes** from the pipe, cuts them at `\\n` alone and passes each record on. " +
		"Wide text keeps its columns: 日本語の文, 한국어, naïve 🚀👩‍👩‍👧 and a [link](https://example.com/a_b).\n\n",
	"- one point with `code`\n- another\n  - *inside it*\n    1. deeper still\n\n",
	"| name | kind | count |\n|---|:---:|---:|\n| alpha | tool | 12 |\n| βeta | 工具 | 3400 |\n\n",
	"```python\ndef total(counts):\n    \"\"\"Add them up.\"\"\"\n    result = 0\n    for count in counts:\n        result += count\n    return result\n```\n\n",
	"> A quotation with **weight**.\n\n",
	"1. first\n2. second\n\n---\n\nAnd a last paragraph, long enough to be wrapped on a screen of eighty columns or fewer.\n\n",
];
const SUMMARY = "## Goal\nShow that compaction works.\n\n## Progress\n- [x] The answers were given.";

function sample(length: number): string {
	const whole = SAMPLE.join("");
	return whole.repeat(Math.ceil(length / whole.length)).slice(0, length);
}

/** What a compaction wants. Asked to write "at length" it takes long enough to be stopped. */
const summary = (instructions: string) => (instructions.includes("at length") ? SUMMARY + sample(200_000) : SUMMARY);

const lineBreaks = (text: string) => text.replaceAll("\\n", "\n");

let failures = process.env.LAB_FAILS === undefined ? Infinity : Number(process.env.LAB_FAILS);

class Failure extends Error {}

const pieces: Record<string, (rest: string) => any> = {
	think: (rest) => fauxThinking(lineBreaks(rest)),
	say: (rest) => fauxText(lineBreaks(rest)),
	md: (rest) => fauxText(sample(Number(rest))),
	tool: (rest) => {
		const [name] = rest.split(" ", 1);
		return fauxToolCall(name, JSON.parse(rest.slice(name.length).trim() || "{}"));
	},
	fail: (rest) => {
		if (failures-- > 0) throw new Failure(rest);
		return fauxText("Recovered.");
	},
};

function piece(line: string): any {
	const [, word, rest] = /^#(\w+) ?(.*)$/.exec(line) ?? [];
	return pieces[word]?.(rest) ?? fauxText(`You said: ${line}\n\n`);
}

/** The turn to give now: as many were given as answers follow the last words of the person. */
function answer(context: { messages: any[] }) {
	const last = context.messages.findLastIndex((message) => message.role === "user");
	const content = context.messages[last]?.content ?? "";
	const script = typeof content === "string" ? content : content.map((part: any) => part.text ?? "").join("\n");
	if (script.includes("</conversation>")) return fauxAssistantMessage(summary(script));
	const given = context.messages.slice(last + 1).filter((message) => message.role === "assistant").length;
	const turn = script.split(/^#then *$/m)[given] ?? "#say Done.";
	try {
		const content = turn.split("\n").filter((line) => line.trim()).map(piece);
		const calls = content.some((part) => part.type === "toolCall");
		return fauxAssistantMessage(content.length > 0 ? content : "Nothing to say.", { stopReason: calls ? "toolUse" : "stop" });
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return fauxAssistantMessage([], { stopReason: "error", errorMessage: error.message });
	}
}

export default function (pi: ExtensionAPI) {
	const tokens = Number(process.env.LAB_CHUNK ?? 3);
	const model = fauxProvider({
		provider: "lab",
		tokensPerSecond: Number(process.env.LAB_TPS ?? 200) || undefined,
		tokenSize: { min: tokens, max: tokens },
		models: [
			{
				id: "script",
				name: "Lab Script",
				reasoning: true,
				contextWindow: 200_000,
				cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
			},
			{ id: "plain", name: "Lab Plain", reasoning: false, contextWindow: 32_000 },
		],
	});
	model.setResponses(new Array(100_000).fill(answer));
	pi.registerProvider(model.provider);
}
