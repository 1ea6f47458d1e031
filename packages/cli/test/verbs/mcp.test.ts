/** `duroxide mcp`: what agents see of payloads, and how they choose instances. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Desk, IDS, onEachStore } from "../support/desk.ts";

/** The value that a tool answers with. */
async function ask(
  desk: Desk,
  name: string,
  given: object,
  words: readonly string[] = [],
): Promise<{ readonly text: string; readonly isError?: boolean }> {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
  const { stdout } = await desk.cli(["mcp", ...words], { stdin: `${JSON.stringify(call)}\n` });
  const { result } = JSON.parse(stdout) as {
    readonly result: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
  };
  return { text: result.content[0]?.text ?? "", ...(result.isError === true && { isError: true }) };
}

/** The answers to lines, in the order in which they come; until that to the request `last`, if it is given. */
async function linesOf(
  desk: Desk,
  lines: readonly object[],
  words: readonly string[] = [],
  last?: number,
): Promise<readonly { readonly id?: unknown }[]> {
  const stdin = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { stdout } = await desk.cli(["mcp", ...words], {
    stdin,
    onOutput: (text, interrupt) => {
      if (last !== undefined && text.includes(`"id":${last},`)) interrupt();
    },
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly id?: unknown });
}

const REDACT = `(path, value) =>
  /\\.receipt$|^error|^kv\\.total$|^input$/.test(path) || path.endsWith(".message") ? "(hidden)" : value`;

describe("an agent", () => {
  onEachStore((desk) => {
    it("sees payloads as they are stored where nothing says otherwise", async () => {
      const { text } = await ask(desk(), "show_instance", { id: IDS.completed });
      expect(text).toContain("r-30");
    });

    it.each([
      ["redact", `export const redact = ${REDACT};\n`],
      ["dashboard.redact", `export const dashboard = { redact: ${REDACT} };\n`],
    ])("sees what %s of the configuration returns, with every tool", async (name, source) => {
      const config = path.join(desk().folder, `${name}.config.mjs`);
      await writeFile(config, source);
      const shown = async (tool: string, given: object): Promise<string> =>
        (await ask(desk(), tool, given, ["--config", config])).text;
      const instance = JSON.parse(await shown("show_instance", { id: IDS.completed })) as object;
      expect(instance).toMatchObject({
        summary: { output: { receipt: "(hidden)" } },
        timeline: { input: "(hidden)", output: { receipt: "(hidden)" } },
        customStatus: { step: "waiting" },
        entries: [{ key: "total", value: "(hidden)" }],
      });
      const all = [
        await shown("show_instance", { id: IDS.completed }),
        await shown("show_instance", { id: IDS.failed }),
        await shown("show_instance", { id: IDS.retrying }),
        await shown("get_history", { id: IDS.completed }),
        await shown("get_history", { id: IDS.failed }),
        await shown("list_instances", {}),
      ];
      expect(all.filter((text) => text.includes("(hidden)"))).toHaveLength(all.length);
      for (const text of all) {
        expect(text).not.toContain("r-30");
        expect(text).not.toContain("declined");
      }
    });

    it("that asks an instance which does not answer is answered meanwhile, and hears no more of what it cancels", async () => {
      const call = (id: number, name: string, given: object): object => ({
        id,
        method: "tools/call",
        params: { name, arguments: given },
      });
      const lines = [
        call(1, "ask", { id: IDS.waiting, question: "q" }),
        // A start may be on its way, so an unknown instance is waited for.
        call(2, "ask", { id: "absent", question: "q" }),
        { method: "notifications/cancelled", params: { requestId: 2 } },
        call(3, "count_instances", {}),
        { id: 4, method: "ping" },
        call(5, "ask", { id: "absent", question: "q" }),
      ];
      const answers = await linesOf(desk(), lines, ["--allow-write"], 5);
      expect(answers.map(({ id }) => id)).toEqual([3, 4, 5]);
    });

    it("sees what it has changed in lines before, and its changes in their order", async () => {
      await desk().cli(["start", "invoice", "--id", "ordered"]);
      const call = (id: number, name: string, given: object): object => ({
        id,
        method: "tools/call",
        params: { name, arguments: { id: "ordered", ...given } },
      });
      const messages = [1, 2, 3].map((n) => call(n, "enqueue", { queue: "q", message: n }));
      const lines = [...messages, call(4, "cancel", { reason: "enough" }), call(5, "show_instance", {})];
      const answers = await linesOf(desk(), lines, ["--allow-write"]);
      expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    });

    it("may send several requests in a line, as of one revision, and gets the id of what is no request", async () => {
      const ping = { jsonrpc: "2.0", method: "ping" };
      const lines = [
        [{ ...ping, id: 1 }, ping, { ...ping, id: "2" }],
        [ping],
        [],
        { id: 3 },
        { id: { a: 1 }, method: "ping" },
        { id: 4, result: {} },
      ];
      const noRequest = { code: -32_600, message: "the line is no request" };
      expect(await linesOf(desk(), lines)).toEqual([
        [
          { jsonrpc: "2.0", id: 1, result: {} },
          { jsonrpc: "2.0", id: "2", result: {} },
        ],
        { jsonrpc: "2.0", id: null, error: noRequest },
        { jsonrpc: "2.0", id: 3, error: noRequest },
        { jsonrpc: "2.0", id: null, error: noRequest },
      ]);
    });

    it("is told of an argument that the tool does not have", async () => {
      expect(await ask(desk(), "list_instances", { statuss: "Failed" })).toEqual({
        text: expect.stringMatching(
          /^list_instances has no argument "statuss"; its arguments are status, name/,
        ),
        isError: true,
      });
      expect(await ask(desk(), "doctor", { deep: true })).toMatchObject({ isError: true });
    });

    it("sees a start that no process has taken, and cancels it", async () => {
      await desk().cli(["start", "invoice", "--id", "unseen"]);
      const { text } = await ask(desk(), "show_instance", { id: "unseen" });
      expect(JSON.parse(text)).toMatchObject({ orchestrationName: "invoice", state: "not-begun" });
      const given = { id: "unseen", reason: "a mistake" };
      expect(await ask(desk(), "cancel", given, ["--allow-write"])).toEqual({
        text: '{"cancelled":"unseen"}',
      });
      expect(await ask(desk(), "show_instance", { id: "absent" })).toMatchObject({ isError: true });
    });

    it("reads findings with the command that looks closer", async () => {
      const findings = JSON.parse((await ask(desk(), "doctor", {})).text) as { readonly next?: string }[];
      expect(findings.map(({ next }) => next)).toContain("duroxide workers");
    });

    it("searches the documents", async () => {
      const { text } = await ask(desk(), "search_docs", { query: "unserved-tag", limit: 2 });
      const found = JSON.parse(text) as { readonly page: string; readonly text: string }[];
      expect(found).toHaveLength(2);
      expect(found.some((section) => section.text.includes("unserved-tag"))).toBe(true);
      expect(await ask(desk(), "search_docs", { query: "retry ".repeat(200) })).toEqual({
        text: "query has more than 1000 characters",
        isError: true,
      });
      expect(await ask(desk(), "search_docs", {})).toEqual({ text: "query must be a text", isError: true });
    });

    it("counts instances by what it names, and by nothing else", async () => {
      const counts = async (given: object): Promise<unknown> =>
        JSON.parse((await ask(desk(), "count_instances", given)).text);
      expect(await counts({ idPrefix: IDS.completed })).toEqual([{ key: [], count: 1 }]);
      expect(await counts({ idPrefix: IDS.completed, by: ["status", "name", "version"] })).toEqual([
        { key: ["Completed", "checkout", "1.0.0"], count: 1 },
      ]);
      expect(await counts({ name: "checkout", by: ["status"] })).toEqual(
        expect.arrayContaining([{ key: ["Completed"], count: 1 }]),
      );
      for (const by of [["state"], "status", ["status", "status"]])
        expect(await ask(desk(), "count_instances", { by })).toMatchObject({ isError: true });
    });

    it("chooses instances by version, state and time", async () => {
      const ids = async (given: object): Promise<readonly string[]> => {
        const { text } = await ask(desk(), "list_instances", { limit: 200, ...given });
        return (JSON.parse(text) as { instanceId: string }[]).map(({ instanceId }) => instanceId);
      };
      const all = await ids({});
      expect(all.length).toBeGreaterThan(5);
      expect(await ids({ version: "1.0.0", blocked: false, suspended: false })).toEqual(all);
      expect(await ids({ version: "9.0.0" })).toEqual([]);
      expect(await ids({ blocked: true })).toEqual([]);
      expect(await ids({ suspended: true })).toEqual([]);
      expect(await ids({ createdWithin: "1d", updatedWithin: "1d" })).toEqual(all);
      expect(await ids({ olderThan: "1d" })).toEqual([]);
      expect(await ids({ unchangedFor: "1d" })).toEqual([]);
      expect(await ids({ createdWithin: "2026-05-01T10:00Z", updatedWithin: "2026-05-01" })).toEqual(all);
      expect(await ask(desk(), "list_instances", { olderThan: "a day" })).toEqual({
        text: "olderThan must be a time span such as 90s, 2h or 1d, or an instant such as 2026-05-01T10:00Z",
        isError: true,
      });
    });
  });
});

describe("an agent that may write", () => {
  onEachStore((desk) => {
    it("delivers a message again that did not fit its wait", async () => {
      const runtime = await desk().runtime();
      const { client } = desk();
      const picky = await client.start("picky", { instanceId: "picky-2" });
      await desk().untilHas("picky-2", "waits", 1);
      await picky.raise("paid", { cents: "5" });
      await desk().untilHas("picky-2", "setAside", 1);
      const view = JSON.parse((await ask(desk(), "show_instance", { id: "picky-2" })).text) as {
        readonly timeline: { readonly setAside: readonly { readonly id: number }[] };
      };
      const [{ id: event } = { id: 0 }] = view.timeline.setAside;
      const given = { id: "picky-2", event, message: { cents: 5 } };
      expect(await ask(desk(), "redeliver", given, ["--allow-write"])).toEqual({
        text: '{"redelivered":true}',
      });
      expect(await picky.result()).toBe(5);
      expect(await ask(desk(), "redeliver", { id: "picky-2", event: "x" }, ["--allow-write"])).toMatchObject({
        isError: true,
      });
      await runtime.shutdown();
    });
  });
});
