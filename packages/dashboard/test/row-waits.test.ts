/** Tests what the rows of the list wait for, and the lists of what has not changed and of old versions. */
import {
  activity,
  Client,
  orchestration,
  type Provider,
  Runtime,
  silentLogger,
  systemClock,
} from "@duroxide-ts/core";
import { describe, expect, it, vi } from "vitest";
import type { InstancesPage, WaitsView } from "../src/page/shapes/instances.ts";
import type { WorkersView } from "../src/page/shapes/work.ts";
import { asking } from "./support/asking.ts";
import { openStore } from "./support/stores.ts";

const charge = activity("charge", async (_ctx, _cents: number) => {
  throw new Error("card 4242 declined");
});
const approval = orchestration("approval", async (ctx) => {
  ctx.setCustomStatus("waiting for the buyer");
  await ctx.race([ctx.waitForEvent("approved"), ctx.scheduleTimer({ days: 2 }, { label: "until Monday" })]);
});
const checkout = orchestration("checkout", async (ctx) =>
  ctx.scheduleActivity(charge, 1, {
    retry: { maxAttempts: 5, backoff: { kind: "fixed", delay: { days: 1 } } },
  }),
);
const many = orchestration("many", async (ctx) =>
  ctx.all([1, 2, 3, 4, 5].map((n) => ctx.waitForEvent(`part-${n}`))),
);
const details = { step: 3, note: "long ".repeat(40) };
const detailed = orchestration("detailed", async (ctx) => {
  ctx.setCustomStatus(details);
  await ctx.race([ctx.waitForEvent("approved"), ctx.scheduleTimer({ days: 2 })]);
  await ctx.waitForEvent("shipped");
});
const DEFINITIONS = [approval, checkout, many, detailed];

/** An instance of each kind, as far as it comes. */
async function fill(provider: Provider): Promise<void> {
  const client = new Client(provider, { logger: silentLogger });
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: DEFINITIONS,
    activities: [charge],
    logger: silentLogger,
  });
  for (const definition of DEFINITIONS)
    await client.start(definition, { instanceId: `${definition.name}-1` });
  const waits = async (id: string): Promise<unknown> => (await client.admin.timeline(id)).waits;
  const eventually = { timeout: 600_000 };
  await vi.waitFor(async () => expect(await waits("approval-1")).toHaveLength(2), eventually);
  await vi.waitFor(async () => expect(await waits("many-1")).toHaveLength(5), eventually);
  await client.handle(many, "many-1").raise("part-1", true);
  await vi.waitFor(async () => expect(await waits("many-1")).toHaveLength(4), eventually);
  await vi.waitFor(async () => expect(await waits("detailed-1")).toHaveLength(2), eventually);
  await client.handle(detailed, "detailed-1").raise("approved", true);
  await vi.waitFor(async () => expect(await waits("detailed-1")).toHaveLength(1), eventually);
  await vi.waitFor(async () => expect(await waits("checkout-1")).toMatchObject([{ attempt: 2 }]), eventually);
}

describe.each(["sqlite", "cosmos"] as const)("on %s", (name) => {
  it("the rows of the list are told what they wait for, with errors as redact leaves them", async () => {
    await using store = await openStore(name);
    await fill(store.provider);
    const { read } = asking({
      provider: store.provider,
      redact: (path, value) => (path === "error.message" ? String(value).replace(/\d+/, "•••") : value),
    });
    const { rows } = await read<WaitsView>(
      "waits?id=approval-1&id=checkout-1&id=many-1&id=detailed-1&id=unknown",
    );
    expect(rows).toEqual([
      {
        id: "approval-1",
        state: "waiting",
        status: "waiting for the buyer",
        waits: [
          { kind: "event", name: "approved" },
          { kind: "timer", label: "until Monday", dueAtMs: expect.any(Number) as number },
        ],
        others: 0,
      },
      {
        id: "checkout-1",
        state: "retrying",
        waits: [
          {
            kind: "activity",
            name: "charge",
            attempt: 2,
            maxAttempts: 5,
            nextRetryAtMs: expect.any(Number) as number,
            lastError: expect.stringContaining("card ••• declined") as string,
          },
        ],
        others: 0,
      },
      {
        id: "many-1",
        state: "waiting",
        waits: [2, 3, 4].map((n) => ({ kind: "event", name: `part-${n}` })),
        others: 1,
      },
      {
        id: "detailed-1",
        state: "waiting",
        status: `{ "step": 3, "note": "${details.note}`.slice(0, 119).concat("…"),
        waits: [{ kind: "event", name: "shipped" }],
        others: 0,
      },
      { id: "unknown", waits: [], others: 0 },
    ]);
  });

  it("each read says what it cost, where the store charges by request", async () => {
    await using store = await openStore(name);
    await fill(store.provider);
    const { read } = asking({ provider: store.provider });
    const reads = ["waits?id=approval-1", "timeline?id=approval-1", "instance?id=approval-1", "instances"];
    for (const path of reads) {
      const { requestUnits } = await read<{ readonly requestUnits?: number }>(path);
      expect({ path, isPriced: requestUnits !== undefined && requestUnits >= 1 }).toEqual({
        path,
        isPriced: name === "cosmos",
      });
    }
  });

  it("a list has what has not changed for a time", async () => {
    await using store = await openStore(name);
    await fill(store.provider);
    let nowMs = systemClock.now();
    const { read } = asking({ provider: store.provider, clock: { ...systemClock, now: () => nowMs } });
    const ids = async (query: string): Promise<string[]> =>
      (await read<InstancesPage>(`instances?${query}`)).rows.map(({ id }) => id);
    expect(await ids("state=running&idle=1d&order=created-asc")).toEqual([]);
    const { createdAtMs, updatedAtMs } = await new Client(store.provider).admin.info("many-1");
    expect(createdAtMs).toBeLessThan(updatedAtMs);
    nowMs = updatedAtMs + 1_000;
    expect(await ids("state=running&idle=1s")).not.toContain("many-1");
    nowMs += 1;
    expect(await ids("state=running&idle=1s")).toContain("many-1");
    nowMs += 2 * 86_400_000;
    const all = ["approval-1", "checkout-1", "many-1", "detailed-1"];
    expect(await ids("state=running&idle=1d&order=created-asc")).toEqual(all);
    expect(await ids("state=running&idle=1d&older=3d")).toEqual([]);
    expect(await ids("state=completed&idle=1d")).toEqual([]);
  });
});

it("no more than ten histories are read for one request", async () => {
  await using store = await openStore("sqlite");
  const histories = vi.spyOn(store.provider, "readHistory");
  const { read } = asking({ provider: store.provider });
  const query = Array.from({ length: 11 }, (_, n) => `id=i${n}`).join("&");
  expect(await read(`waits?${query}`)).toMatchObject({ error: { code: "invalid-input" } });
  expect(await read("waits")).toMatchObject({ error: { code: "invalid-input" } });
  expect(histories).not.toHaveBeenCalled();
});

it("old versions are those that a process has beside a newer one", async () => {
  await using store = await openStore("sqlite");
  const { provider } = store;
  const versions = ["1.0.0", "2.0.0-rc.1", "1.10.0", "1.9.0"];
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: [
      ...versions.map((version) => orchestration("checkout", { version }, async () => 1)),
      orchestration("alone", async () => 1),
    ],
    activities: [],
    logger: silentLogger,
  });
  const view = (): Promise<WorkersView> => asking({ provider }).read("workers");
  await vi.waitFor(async () => expect((await view()).rows).toHaveLength(1), { timeout: 600_000 });
  expect((await view()).oldVersions).toEqual([
    { name: "checkout", newest: "2.0.0-rc.1", older: ["1.10.0", "1.9.0", "1.0.0"] },
  ]);
});
