/** JSON of a person is stored as it was written, and shown as it is stored. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { orchestration, Runtime, rawCodec, silentLogger } from "@duroxide-ts/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "../support/desk.ts";

const TWICE = '{"a":1,"a":2}';
const TEXTS = [
  '{"account":3544790567247868102}',
  "9007199254740993",
  "-0",
  "1e400",
  "0.1000000000000000055511151231257827",
  '{"amount":1.50,"rate":1E5}',
  '{"half":"\\ud800"}',
  '{"__proto__":{"createdAtMs":0}}',
  "18446744073709551615",
  TWICE,
];

/** Programs that take the texts as they are stored, as those of Rust take their numbers. */
const echo = orchestration("echo", async (_ctx, text: string) => text);
const keeper = orchestration("keeper", async (ctx) => {
  const text = await ctx.dequeue<string>("values");
  ctx.kv.set("value", text);
  return text;
});

describe.each(["sqlite", "cosmos"] as const)("on %s", (kind) => {
  let desk: Desk;
  let runtime: Runtime;
  beforeAll(async () => {
    desk = await Desk.open(kind, { empty: true });
    const programs = { orchestrations: [echo, keeper], codec: rawCodec, logger: silentLogger };
    runtime = await Runtime.start({ provider: desk.provider, ...programs });
  });
  afterAll(async () => {
    await runtime.shutdown();
    await desk[Symbol.asyncDispose]();
  });

  /** The result of the instance, as the command prints it. */
  async function resultOf(id: string): Promise<string> {
    return (await desk.cli(["result", id])).stdout;
  }

  it.each(TEXTS)("the input %s", async (text) => {
    const { stdout, code } = await desk.cli(["start", "echo", "--input", text, "-o", "ids"]);
    expect(code).toBe(0);
    expect(await resultOf(stdout.trim())).toBe(`${text}\n`);
  });

  it("a file and stdin, without white space around them", async () => {
    const [text = ""] = TEXTS;
    await writeFile(path.join(desk.folder, "input.json"), `${text}\n`);
    await desk.cli(["start", "echo", "--id", "file", "--input", "@input.json"]);
    await desk.cli(["start", "echo", "--id", "stdin", "--input", "-"], { stdin: `  ${text}\r\n` });
    for (const id of ["file", "stdin"]) expect(await resultOf(id)).toBe(`${text}\n`);
  });

  it.each(TEXTS)("the message %s, in every place that shows it", async (text) => {
    const id = `message ${TEXTS.indexOf(text)}`;
    await desk.cli(["start", "keeper", "--id", id, "--enqueue", `values=${text}`]);
    expect(await resultOf(id)).toBe(`${text}\n`);
    expect((await desk.cli(["history", id])).stdout).toContain(`=${text}\n`);
    expect((await desk.cli(["show", id])).stdout).toContain(`value = ${text}`);
    const shown = (await desk.cli(["show", id, "-o", "jsonl"])).stdout;
    // JSON cannot show both members, so the text is shown as a text.
    expect(shown).toContain(`"value":${text === TWICE ? JSON.stringify(text) : text}`);
  });

  it("a message that is sent later, and one of an agent", async () => {
    const [text = ""] = TEXTS;
    const send = { name: "enqueue", arguments: { id: "agent", queue: "values", message: "HERE" } };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: send };
    for (const id of ["later", "agent"]) {
      await desk.cli(["start", "keeper", "--id", id]);
      await desk.until(async () => (await desk.client.handle("keeper", id).status()).status === "Running");
    }
    await desk.cli(["enqueue", "later", "values", text]);
    const stdin = `${JSON.stringify(call).replace('"HERE"', text)}\n`;
    expect((await desk.cli(["mcp", "--allow-write"], { stdin })).stdout).not.toContain("isError");
    for (const id of ["later", "agent"]) expect(await resultOf(id)).toBe(`${text}\n`);
  });

  it("a call of an agent that names something twice is refused", async () => {
    const stdin = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"id":"one","id":"two"}}\n';
    expect((await desk.cli(["mcp"], { stdin })).stdout).toContain('"error"');
  });

  it("what a codec of the configuration would change is refused", async () => {
    const config = path.join(desk.folder, "codec.config.mjs");
    await writeFile(
      config,
      `export const codec = { name: "own", encode: (value) => JSON.stringify(value ?? null), decode: JSON.parse };\n`,
    );
    const start = (text: string) => desk.cli(["start", "echo", "--input", text, "--config", config]);
    for (const text of ["9007199254740993", "-0", "1e400", TWICE])
      expect(await start(text)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/would become|twice/),
      });
    expect(await start('{"cents":5990,"rate":1E5,"half":0.50}')).toMatchObject({ code: 0, stderr: "" });
  });
});
