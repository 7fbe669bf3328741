/**
 * An extension for tests: one command for each way an extension can speak to a person, and a guard that asks before
 * `rm -rf`. The demo agent (src/pitui/demo/extension.py) has the same commands.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const questions: Record<string, (ui: any) => Promise<unknown>> = {
	"ask-select": (ui) => ui.select("Pick a colour", ["Red", "Green", "Blue"]),
	"ask-confirm": (ui) => ui.confirm("Clear everything?", "This cannot be undone."),
	"ask-input": (ui) => ui.input("Your name", "first and last"),
	"ask-editor": (ui) => ui.editor("Edit the note", "Line 1\nLine 2\nLine 3"),
	"ask-timeout": (ui) => ui.confirm("Quick!", "You have one second.", { timeout: 1000 }),
};

function showAll(ui: any): void {
	ui.setTitle("pi - a title");
	ui.setStatus("demo", "Turn 3 running");
	ui.setStatus("other", "second status");
	ui.setWidget("above", ["--- above ---", "line 1", "line 2"]);
	ui.setWidget("below", ["--- below ---"], { placement: "belowEditor" });
	ui.setEditorText("text set by an extension");
	ui.notify("a warning", "warning");
	ui.notify("an error", "error");
	ui.setStatus("other", undefined);
	ui.setWidget("above", undefined);
	ui.notify("everything was shown", "info");
}

export default function (pi: ExtensionAPI) {
	for (const [name, ask] of Object.entries(questions)) {
		pi.registerCommand(name, {
			description: `Ask in the way of ${name.slice("ask-".length)}`,
			handler: async (_args, { ui }: any) => {
				const answer = await ask(ui);
				ui.notify(`${name}: ${answer === undefined ? "nothing" : JSON.stringify(answer)}`, "info");
			},
		});
	}
	pi.registerCommand("show-all", {
		description: "Show a title, statuses, widgets, notices and set the editor",
		handler: async (_args, { ui }: any) => showAll(ui),
	});
	pi.registerCommand("throw", {
		description: "Fail on purpose",
		handler: async () => {
			throw new Error("the extension failed on purpose");
		},
	});
	pi.on("tool_call", async (event: any, { ui }: any) => {
		const command = event.toolName === "bash" ? String(event.input.command) : "";
		if (!/\brm -rf\b/.test(command)) return undefined;
		const allowed = await ui.confirm("Dangerous command", command);
		return allowed ? undefined : { block: true, reason: "Blocked by the user" };
	});
}
