/** A request that names what does not exist is refused before anything is read or changed. */
import { Client, silentLogger } from "@duroxide-ts/core";
import { beforeAll, describe, expect, it } from "vitest";
import { shared } from "../../../../test/support/shared.ts";
import { asking } from "../support/asking.ts";
import { openStore, storesOfRun } from "../support/stores.ts";

const READS = [
  "instances?state=fialed",
  "instances?state=waiting",
  "instances?state=constructor",
  "instances?nmae=a",
  "instances?state=failed&state=running",
  "instances?state=",
  "instances?name=",
  "instances?category=cancelled",
  "instances?roots=true",
  "instances?since=yesterday",
  "instances?order=created",
  "instances?limit=many",
  "count?state=fialed",
  "count?nmae=a",
  "count?order=created-asc",
  "work?kind=workers",
  "work?instnace=a",
  "payload?id=a&step=1&part=inptu",
];

const FILTERS: readonly unknown[] = [
  { state: "fialed" },
  { state: "retrying" },
  { state: ["failed"] },
  { state: "" },
  { nmae: "zzz" },
  { __proto__x: "a" },
  { name: 5 },
  { name: null },
  { roots: true },
  { since: "1 hour" },
  { category: "all" },
  { order: "created-asc" },
  [],
  ["a"],
  "state=failed",
  null,
  0,
];

describe.each(storesOfRun(0))("on %s", (name) => {
  const store = shared(() => openStore(name));
  let client: Client;
  beforeAll(async () => {
    client = new Client(store().provider, { logger: silentLogger });
    await client.start("a", { instanceId: "a" });
  });

  const ask = () => asking({ provider: store().provider });
  const sent = async (): Promise<unknown> => client.admin.queueDepths();

  it.each(READS)("GET %s", async (path) => {
    const response = await ask().get(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid-input" } });
  });

  it.each(FILTERS)("a bulk action with the filter %j", async (filter) => {
    const before = await sent();
    expect((await ask().post("bulk", { verb: "cancel", reason: "x", filter })).status).toBe(400);
    expect(await sent()).toEqual(before);
  });

  it.each([
    { verb: "cancel", ids: "a" },
    { verb: "cancel", ids: ["a", 1], filter: {} },
    { verb: "cancel", ids: ["a"], filter: {} },
    { verb: "cancel", fliter: { state: "failed" } },
    { verb: "delete", filter: {}, forced: true },
    { verb: "cancle", filter: {} },
    { verb: "prune", filter: {} },
  ])("a bulk action of %j", async (body) => {
    const before = await sent();
    expect((await ask().post("bulk", body)).status).toBe(400);
    expect(await sent()).toEqual(before);
  });

  it("a category that the state cannot have matches nothing, not what has the category", async () => {
    const path = "count?state=cancelled&category=application";
    expect(await ask().read(path)).toMatchObject({ count: 0 });
  });

  it.each(["cancel", "terminate", "suspend", "resume", "retry", "restart", "delete"])(
    "%s of an id that does not exist, alone and among many",
    async (verb) => {
      const before = await sent();
      expect((await ask().post("act", { verb, id: "order-99", reason: "typo" })).status).toBe(404);
      const lines = (
        await (await ask().post("bulk", { verb, ids: ["order-99"], reason: "typo" })).text()
      ).trim();
      expect(JSON.parse(lines.split("\n").at(-1) ?? "")).toMatchObject({ succeeded: 0, failed: 1 });
      expect(await sent()).toEqual(before);
    },
  );

  it.each([
    ["raise", { name: "e" }],
    ["enqueue", { name: "q" }],
    ["redeliver", { event: 1, execution: 1 }],
    ["rewind", { toEvent: 1 }],
    ["prune", { keepLast: 1 }],
  ] as const)("%s of an id that does not exist", async (verb, more) => {
    const before = await sent();
    expect((await ask().post(verb, { id: "order-99", reason: "typo", ...more })).status).toBe(404);
    expect(await sent()).toEqual(before);
  });

  it("a cancellation reaches a start that no process has taken", async () => {
    expect((await ask().post("act", { verb: "cancel", id: "a", reason: "x" })).status).toBe(200);
  });
});
