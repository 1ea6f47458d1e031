/** Whoever reads the output only watches: a command that changes the store is not ended by the end of its reader. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ProcessOptions, runProcess } from "../support/run-process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "closed-pipes-"));
const store = path.join(folder, "orders.db");
const IDS = Array.from({ length: 30 }, (_, index) => `order-${index}`);

beforeAll(async () => {
  await using provider = await SqliteProvider.open(store);
  const client = new Client(provider);
  for (const instanceId of IDS) await client.start("checkout", { instanceId });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: readonly string[], stdin = "", output: ProcessOptions = { withoutReader: true }) =>
  runProcess([...words, "--store", `sqlite:${store}`], { folder, stdin, ...output });

it("a command that reads ends with its reader", async () => {
  expect((await run(["list", "-o", "ids"])).code).toBe(0);
});

it.skipIf(process.platform !== "linux")(
  "a command that reads fails without a stack where the disk is full",
  async () => {
    const { code, stderr } = await run(["list"], "", { stdoutFile: "/dev/full" });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The output cannot be written: ENOSPC.*\n$/)]);
  },
);

it.each<[string, ProcessOptions, readonly string[]]>([
  ["nobody reads its output", { withoutReader: true }, IDS.slice(0, 15)],
  ...(process.platform === "linux"
    ? [["its disk is full", { stdoutFile: "/dev/full" }, IDS.slice(15)] as [string, ProcessOptions, string[]]]
    : []),
])("a command that changes instances changes all of them, though %s", async (_what, output, ids) => {
  const { code } = await run(["cancel", "-", "--yes", "-o", "jsonl"], ids.join("\n"), output);
  expect(code).toBe(0);
  await using provider = await SqliteProvider.open(store);
  const { work } = await new Client(provider).admin.work({ kind: "orchestrator", limit: 100 });
  const cancelled = work.filter(({ item }) => item === "CancelInstance").map(({ instanceId }) => instanceId);
  expect(cancelled.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort());
});
