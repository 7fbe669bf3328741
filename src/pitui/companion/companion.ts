/**
 * pitui's companion: an extension that gives a client of `pi --mode rpc` what the protocol has no command for.
 *
 * A request is the prompt `/pitui {"id": "1", "op": "label", "entryId": "…", "label": "here"}`. Its answer is the text
 * of a status with the key `pitui:res:<id>`, written before pi answers the prompt: `{"ok": true, "data": …}` or
 * `{"ok": false, "error": "in words"}`. What happens in pi without a record of its own is told in the same way, in
 * statuses with the key `pitui:event`.
 *
 * Works with pi 0.84.4 and later, and needs nothing but pi.
 */
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@earendil-works/pi-coding-agent";

type Request = Record<string, any>;
type Operation = (request: Request, ctx: ExtensionCommandContext) => unknown;

/** How long no question must have followed one that ended, before it is told that none is open. */
const QUIET_MILLISECONDS = 50;

export default function (pi: ExtensionAPI) {
	let leaving: AbortSignal | undefined;
	let asking = false;

	const operations: Record<string, Operation> = {
		info: (_request, ctx) => {
			const { contextFiles = [], skills = [] } = ctx.getSystemPromptOptions();
			const active = new Set(pi.getActiveTools());
			return {
				version: piVersion(),
				cwd: ctx.cwd,
				trusted: ctx.isProjectTrusted(),
				contextFiles: contextFiles.map((file) => file.path),
				skills: skills.map((skill) => ({
					name: skill.name,
					description: skill.description,
					path: skill.filePath,
					scope: skill.sourceInfo?.scope,
				})),
				tools: pi.getAllTools().map((tool) => ({
					name: tool.name,
					description: tool.description,
					active: active.has(tool.name),
					source: tool.sourceInfo?.source,
				})),
				scopedModels: ctx.scopedModels.map(({ model, thinkingLevel }) => ({
					provider: model.provider,
					id: model.id,
					thinkingLevel,
				})),
			};
		},

		navigate: async ({ entryId, summarize, instructions }, ctx) => {
			refuseWhileBusy(ctx, "going to another place in the tree");
			leaving = undefined;
			const options = { summarize: summarize === true, customInstructions: instructions };
			const { cancelled } = await ctx.navigateTree(entryId, options);
			return { cancelled, aborted: cancelled && leaving?.aborted === true };
		},

		label: ({ entryId, label }) => pi.setLabel(entryId, label || undefined),

		fork_at: ({ entryId }, ctx) => ctx.fork(entryId, { position: "at" }),

		reload: (_request, ctx) => {
			refuseWhileBusy(ctx, "loading again");
			return ctx.reload();
		},

		refresh_models: async (_request, ctx) => {
			await ctx.modelRegistry.refresh({ allowNetwork: false });
			return { available: ctx.modelRegistry.getAvailable().length, problem: ctx.modelRegistry.getError() };
		},

		login_ways: ({ provider }, ctx) => {
			const auth = ctx.modelRegistry.getProvider(provider)?.auth;
			return { account: auth?.oauth !== undefined, apiKey: auth?.apiKey?.login !== undefined };
		},

		set_tools: ({ tools }) => {
			const known = new Set(pi.getAllTools().map((tool) => tool.name));
			const unknown = tools.filter((name: string) => !known.has(name));
			if (unknown.length > 0) throw new Error(`There is no tool ${unknown.join(", ")}`);
			pi.setActiveTools(tools);
			return { active: pi.getActiveTools() };
		},

		clear_name: () => pi.setSessionName(""),
	};

	pi.registerCommand("pitui", {
		description: "For pitui itself",
		handler: async (words, ctx) => {
			const { ui } = ctx; // the context is of no use after a fork or a reload, but this still is
			const request = parsed(words);
			if (!request) return ui.notify("/pitui is for pitui itself, and takes JSON.", "warning");
			const answer = (fields: object) => ui.setStatus(`pitui:res:${request.id}`, JSON.stringify(fields));
			try {
				const operation = Object.hasOwn(operations, request.op) ? operations[request.op] : undefined;
				if (!operation) throw new Error(`This companion is of another pitui: it does not know “${request.op}”`);
				answer({ ok: true, data: (await operation(request, ctx)) ?? {} });
			} catch (error) {
				answer({ ok: false, error: error instanceof Error ? error.message : String(error) });
			}
		},
	});

	const tell = (ctx: ExtensionContext, type: string, more: object = {}) => {
		if (ctx.mode === "rpc") ctx.ui.setStatus("pitui:event", JSON.stringify({ type, ...more }));
	};
	pi.on("session_before_tree", (event) => {
		leaving = event.signal;
	});
	pi.on("session_tree", (event, ctx) => tell(ctx, "tree_moved", { leafId: event.newLeafId }));
	pi.on("session_compact", (event, ctx) => tell(ctx, "compacted", { entryId: event.compactionEntry.id }));
	pi.on("model_select", (event, ctx) => tell(ctx, "model_changed", { model: event.model }));
	pi.on("session_shutdown", (event, ctx) => {
		if (event.reason !== "quit") tell(ctx, "session_ended", { reason: event.reason });
	});
	pi.on("session_start", (event, ctx) => {
		tell(ctx, "session_started", { reason: event.reason });
		const problem = ctx.modelRegistry.getError();
		if (problem && (event.reason === "startup" || event.reason === "reload")) tell(ctx, "models_unread", { problem });
	});
	pi.on("ui_prompt_start", () => {
		asking = true;
	});
	pi.on("ui_prompt_end", (_event, ctx) => {
		asking = false;
		setTimeout(() => {
			if (asking) return;
			try {
				tell(ctx, "dialogs_ended");
			} catch {
				// another session is open by now: its start was told
			}
		}, QUIET_MILLISECONDS).unref();
	});
}

function parsed(words: string): Request | undefined {
	try {
		const request = JSON.parse(words);
		return typeof request?.op === "string" ? request : undefined;
	} catch {
		return undefined;
	}
}

/** pi before 1.5.1 does not refuse it by itself. */
function refuseWhileBusy(ctx: ExtensionContext, what: string) {
	if (!ctx.isIdle()) throw new Error(`pi is busy: stop it, or wait until it is done, before ${what}`);
}

/** The version of the pi that runs this, from the package that its program is in; empty when there is none. */
function piVersion(): string {
	for (const program of [process.argv[1], process.execPath]) {
		let folder = realFolder(program);
		while (folder && folder !== dirname(folder)) {
			const { name, version } = packageIn(folder);
			if (name?.endsWith("/pi-coding-agent")) return version;
			folder = dirname(folder);
		}
	}
	return "";
}

function realFolder(program: string): string {
	try {
		return dirname(realpathSync(program));
	} catch {
		return "";
	}
}

function packageIn(folder: string): { name?: string; version: string } {
	try {
		return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	} catch {
		return { version: "" };
	}
}
