/** The verbs over HTTP: the same output as on the store itself, for who has no access to it. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLogger } from "@duroxide-ts/core";
import { type HttpOptions, http, toNodeHandler } from "@duroxide-ts/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { READING_TOOLS } from "../../src/mcp/reading-tools.ts";
import { Desk, IDS } from "../support/desk.ts";
import { ORCHESTRATIONS } from "../support/programs.ts";
import { runHere } from "../support/run-here.ts";
import type { Run } from "../support/run-process.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open("sqlite");
});

afterAll(() => desk[Symbol.asyncDispose]());

/** A server that has the store, and the command beside it. */
async function served(options: Partial<HttpOptions> = {}) {
  const handler = http({
    client: desk.client,
    orchestrations: ORCHESTRATIONS,
    authorize: ({ headers }) => {
      if (headers.get("authorization") === "Bearer secret") return { user: "ada", role: "operator" };
      return headers.get("authorization") === "Bearer look" ? { user: "vera", role: "viewer" } : undefined;
    },
    basePath: "/api",
    admin: true,
    logger: silentLogger,
    ...options,
  });
  const server = createServer(toNodeHandler(handler)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return {
    address,
    run: (words: readonly string[], token = "secret", stdin = "") =>
      runHere(words, { folder: desk.folder, env: { DUROXIDE_STORE: address, DUROXIDE_TOKEN: token }, stdin }),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

describe("a verb over HTTP", () => {
  it.each([
    [["list", "-o", "json"]],
    [["count", "-o", "json"]],
    [["show", IDS.waiting, "-o", "json"]],
    [["show", IDS.failed]],
    [["show", IDS.parent, "--tree"]],
    [["show", "unknown"]],
    [["history", IDS.completed, "--compact"]],
    [["history", IDS.retrying, "-o", "jsonl"]],
    [["result", IDS.completed]],
    [["result", IDS.failed]],
    [["result", "unknown"]],
    [["stream", IDS.waiting]],
    [["queues", "-o", "json"]],
    [["limits", "list", "-o", "json"]],
    [["schedules", "list", "-o", "json"]],
    [["dead-letters", "list", "-o", "json"]],
    [["history", "export", IDS.completed, "--out", "-"]],
    [["cancel", "--status", "waiting", "--dry-run"]],
  ])("%j says what it says on the store", async (words) => {
    await using server = await served();
    const [over, direct] = [await server.run(words), await desk.cli(words)];
    expect(withoutAges(over)).toEqual(withoutAges(direct));
  });

  it("starts, waits, sends and cancels", async () => {
    await using server = await served();
    await using _runtime = { [Symbol.asyncDispose]: async () => runtime.shutdown({ graceMs: 0 }) };
    const runtime = await desk.runtime();
    expect((await server.run(["start", "checkout", "--id", "o-1", "--input", "70"])).stdout).toContain(
      "o-1 is started",
    );
    await desk.untilHas("o-1", "waits", 2);
    expect((await server.run(["raise", "o-1", "approved", "true"])).stdout).toMatch(
      /event "approved" is sent to o-1$/m,
    );
    const result = await server.run(["result", "o-1"]);
    expect([result.code, result.stdout]).toEqual([0, (await desk.cli(["result", "o-1"])).stdout]);
    await server.run(["start", "checkout", "--id", "o-2", "--input", "70"]);
    await desk.untilHas("o-2", "waits", 2);
    expect((await server.run(["cancel", "o-2", "--reason", "sold out", "--yes"])).code).toBe(0);
    expect((await server.run(["result", "o-2"])).stderr).toContain("canceled: sold out");
    expect((await server.run(["enqueue", "none", "lines", "1"])).code).toBe(4);
    expect(
      (await server.run(["suspend", IDS.waiting, "--reason", "the bank is down", "--by", "eve", "--yes"]))
        .code,
    ).toBe(0);
    expect((await desk.client.admin.info(IDS.waiting)).suspended).toMatchObject({ by: "ada" });
    expect((await server.run(["resume", IDS.waiting, "--yes"])).code).toBe(0);
  });

  it("sends the token of the environment, and says what a wrong one and a viewer's may not do", async () => {
    await using server = await served();
    const wrong = await server.run(["list"], "wrong");
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("sign in")]);
    expect((await server.run(["list"], "look")).code).toBe(0);
    const refused = await server.run(["delete", IDS.completed, "--yes"], "look");
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("viewers may only read")]);
  });

  it("starts, waits and sends also where the server does not serve the store as a whole", async () => {
    await using server = await served({ admin: false });
    await using _runtime = { [Symbol.asyncDispose]: async () => runtime.shutdown({ graceMs: 0 }) };
    const runtime = await desk.runtime();
    expect((await server.run(["start", "checkout", "--id", "o-3", "--input", "70"])).code).toBe(0);
    await desk.untilHas("o-3", "waits", 2);
    expect((await server.run(["raise", "o-3", "approved", "true"])).stdout).toMatch(
      /event "approved" is sent to o-3$/m,
    );
    expect((await server.run(["result", "o-3"])).code).toBe(0);
    const list = await server.run(["list"]);
    expect([list.code, list.stderr]).toEqual([3, expect.stringContaining("admin: true")]);
  });

  it("keeps the digits of long numbers where no schema takes the value", async () => {
    await using server = await served();
    const runtime = await desk.runtime();
    const long = '{"account":3544790567247868102}';
    expect((await server.run(["start", "patient", "--id", "o-9", "--input", long])).code).toBe(0);
    await desk.until(async () => (await desk.client.handle("patient", "o-9").status()).status !== "NotFound");
    expect((await desk.client.admin.timeline("o-9")).input).toBe(long);
    await runtime.shutdown({ graceMs: 0 });
  });

  it("serves agents: each tool of mcp that looks gives an answer", async () => {
    await using server = await served();
    const given = { id: IDS.completed, query: "streams" };
    const tools = READING_TOOLS.filter(({ required = [] }) => required.every((name) => name in given));
    const calls = tools.map(({ name, required = [] }, id) => {
      const args = Object.fromEntries(Object.entries(given).filter(([each]) => required.includes(each)));
      return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
    });
    const { code, stdout } = await server.run(["mcp"], "look", `${calls.join("\n")}\n`);
    const answers = stdout.trim().split("\n");
    expect([code, answers.length]).toEqual([0, tools.length]);
    expect(tools.length).toBeGreaterThan(5);
    for (const [index, answer] of answers.entries())
      expect([tools[index]?.name, answer]).toEqual([
        tools[index]?.name,
        expect.not.stringMatching(/isError|"error":\{"code"/),
      ]);
  });

  it("that needs the store itself says so", async () => {
    await using server = await served();
    for (const words of [["dashboard"], ["export", IDS.completed], ["import", "-"], ["backup", "copy.db"]]) {
      const { code, stderr } = await server.run(words);
      expect([words[0], code]).toEqual([words[0], ["backup", "import"].includes(words[0] ?? "") ? 2 : 3]);
      expect(stderr).not.toContain("TypeError");
    }
  });

  it("takes no address with a secret or a query, and tells of a server that is not there", async () => {
    const at = (address: string) => runHere(["list", "--store", address], { folder: desk.folder });
    for (const address of [
      "http://ada:secret@shop.example",
      "https://shop.example/?token=secret",
      "https://",
    ]) {
      const { code, stderr } = await at(address);
      expect([code, stderr]).toEqual([2, expect.not.stringContaining("secret@")]);
    }
    const { code, stderr } = await at("http://127.0.0.1:9/api");
    expect([code, stderr]).toEqual([3, expect.stringContaining("did not answer")]);
  });
});

/** The text without times that pass between two calls. */
function withoutAges({ code, stdout, stderr }: Run): object {
  const ages = /\b\d+(\.\d+)? ?(ms|s|min|h)\b|"(\w*Ms|version)": \d+|"now": "[^"]+"/g;
  return { code, stdout: stdout.replaceAll(ages, "AGE"), stderr: stderr.replaceAll(ages, "AGE") };
}
