/** `duroxide limits`: rules are set, shown with what waits, and deleted. */
import { activity } from "@duroxide-ts/provider-tests/building-blocks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Desk } from "../support/desk.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open("sqlite", { empty: true });
});

afterAll(() => desk[Symbol.asyncDispose]());

it("shows that there are none", async () => {
  expect((await desk.cli(["limits", "list"])).stdout).toBe("No limits.\n");
});

it("sets a rule, which list and get show with what runs and waits", async () => {
  const set = await desk.cli([
    "limits",
    "set",
    "partner/*",
    "--concurrency",
    "1",
    "--max",
    "10",
    "--per",
    "1s",
    "--by",
    "ada",
    "--reason",
    "a new contract",
  ]);
  expect([set.code, set.stdout]).toEqual([0, "partner/*: 1 at a time, 10 each 1 s for each key\n"]);
  for (const id of [2, 3]) await desk.provider.enqueueForWorker(activity("a", id, { limit: "partner/acme" }));
  const tagFilter = { kind: "default-only" } as const;
  await desk.provider.fetchWorkItem({ lockTimeoutMs: 60_000, pollTimeoutMs: 0, tagFilter });
  expect(await desk.json(["limits", "list"])).toMatchObject([
    {
      key: "partner/*",
      limits: { concurrency: 1, rate: { max: 10, per: 1_000 } },
      running: 1,
      waiting: 1,
      by: "ada",
      reason: "a new contract",
    },
  ]);
  const { stdout } = await desk.cli(["limits", "list"]);
  expect(stdout).toMatch(
    /^partner\/\* +1 at a time, 10 each 1 s for each key +1 +1 .* ada +a new contract$/m,
  );
  expect(await desk.json(["limits", "get", "partner/acme"])).toMatchObject({
    key: "partner/acme",
    running: 1,
    waiting: 1,
    limits: { concurrency: 1 },
  });
  expect((await desk.cli(["limits", "get", "partner/acme"])).stdout).toMatch(/^waiting +1$/m);
  expect(await desk.json(["queues", "--rows"])).toMatchObject([
    { eventId: 2 },
    { eventId: 3, limit: "partner/acme", reason: 'waiting for limit "partner/acme"' },
  ]);
});

it("refuses a rule that is none", async () => {
  for (const words of [[], ["--max", "10"], ["--per", "1s"], ["--burst", "2"], ["--concurrency", "0"]]) {
    expect((await desk.cli(["limits", "set", "k", ...words])).code, words.join(" ")).toBe(2);
  }
  const { code, stderr } = await desk.cli(["limits", "set", "k", "--rate", "10/1s"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean --max, --per?")]);
  expect((await desk.cli(["limits", "set", "a/b/c", "--concurrency", "1"])).code).not.toBe(0);
});

it("of starts are known to top, the doctor and agents", async () => {
  await desk.client.limits.set("imports", { concurrency: 1 });
  const runtime = await desk.runtime();
  for (const instanceId of ["i1", "i2"]) await desk.client.start("reader", { instanceId, limit: "imports" });
  const filter = { status: ["Waiting"] } as const;
  await desk.until(async () => (await desk.client.admin.query({ filter })).instances.length === 1);
  await desk.until(async () => (await desk.client.handle("reader", "i1").status()).status === "Running");
  await runtime.shutdown();
  expect((await desk.cli(["top"])).stdout).toMatch(/^reader +2 /m);
  expect((await desk.cli(["doctor"])).stdout).toContain("and 2 instances run");
  const asked = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const { stdout } = await desk.cli(["mcp"], { stdin: `${JSON.stringify(asked)}\n` });
  const tools = JSON.parse(stdout).result.tools as { name: string; inputSchema: { properties: object } }[];
  expect(tools.find(({ name }) => name === "list_instances")?.inputSchema.properties).toMatchObject({
    status: { enum: expect.arrayContaining(["Scheduled", "Waiting", "Cancelled"]) },
  });
  await desk.client.limits.delete("imports");
});

it("deletes a rule, and says where there is none", async () => {
  expect((await desk.cli(["limits", "delete", "partner/*"])).stdout).toContain("limits nothing any more");
  expect(await desk.json(["limits", "list"])).toEqual([]);
  expect((await desk.cli(["limits", "delete", "partner/*"])).code).toBe(4);
});
