/** A state is one thing in filters, rows, figures and actions: an instance is in one of them. */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { describe, expect, it, vi } from "vitest";
import type { InstanceHead } from "../src/page/shapes/instance.ts";
import type { InstancesPage } from "../src/page/shapes/instances.ts";
import type { Overview } from "../src/page/shapes/overview.ts";
import { INSTANCE_STATES } from "../src/page/shapes/states.ts";
import { asking } from "./support/asking.ts";
import { openStore, type TestStore } from "./support/stores.ts";

const wait = orchestration("wait", async (ctx) => ctx.waitForEvent("never"));
const print = orchestration("print", async (ctx) => ctx.scheduleActivity("unheardOf"));
const fail = orchestration("fail", async () => {
  throw new Error("declined");
});
const done = orchestration("done", async () => 1);
const leaves = orchestration("leaves", async (ctx) => {
  ctx.onCancel(async () => {
    throw new Error("the bank is closed");
  });
  await ctx.waitForEvent("never");
});

const EXPECTED = {
  running: ["wait-1"],
  scheduled: ["later-1"],
  "waiting-for-limit": [],
  completed: ["done-1"],
  failed: ["fail-1"],
  cancelled: ["ended-suspended"],
  "clean-up-failed": ["left-1"],
  blocked: ["blocked-1"],
  suspended: ["blocked-suspended", "suspended-1"],
};

async function fill({ provider }: TestStore): Promise<void> {
  const client = new Client(provider, { logger: silentLogger });
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: [wait, print, fail, done, leaves],
    activities: [],
    logger: silentLogger,
  });
  for (const id of ["wait-1", "suspended-1", "ended-suspended"]) await client.start(wait, { instanceId: id });
  for (const id of ["blocked-1", "blocked-suspended"]) await client.start(print, { instanceId: id });
  await client.start(wait, { instanceId: "later-1", after: { days: 1 } });
  await client.start(fail, { instanceId: "fail-1" });
  await client.start(done, { instanceId: "done-1" });
  const left = await client.start(leaves, { instanceId: "left-1" });
  const leftEvents = async (): Promise<number> => (await client.admin.history("left-1")).length;
  await vi.waitFor(async () => expect(await leftEvents()).toBeGreaterThan(1), { timeout: 600_000 });
  await left.cancel("changed my mind");
  const states = async (): Promise<unknown> => {
    const { instances } = await client.admin.query({ limit: 100 });
    return instances.filter((it) => it.blocked !== undefined || it.status !== "Running").length;
  };
  await vi.waitFor(async () => expect(await states()).toBe(6), { timeout: 600_000 });
  const ids = Object.values(EXPECTED).flat();
  await vi.waitFor(
    async () => expect((await client.admin.query({ limit: 100 })).instances).toHaveLength(ids.length),
    { timeout: 600_000 },
  );
  for (const id of ["suspended-1", "blocked-suspended", "ended-suspended"])
    await client.admin.suspend(id, { reason: "maintenance" });
  await client.admin.terminate("ended-suspended", { reason: "no longer needed" });
}

describe.each(["sqlite", "cosmos"] as const)("on %s", (name) => {
  it("each instance is in the list of its state alone, and is counted and acted on there", async () => {
    await using store = await openStore(name);
    await fill(store);
    const { read, post } = asking({ provider: store.provider });
    const found = await Promise.all(
      INSTANCE_STATES.map(async (state) => {
        const { rows } = await read<InstancesPage>(`instances?state=${state}`);
        expect(rows.map((row) => row.state)).toEqual(rows.map(() => state));
        for (const { id } of rows)
          expect(await read<InstanceHead>(`instance?id=${id}`)).toMatchObject({ id, state });
        return [state, rows.map(({ id }) => id).sort()];
      }),
    );
    expect(Object.fromEntries(found)).toEqual(EXPECTED);
    const { running, blocked, kinds } = await read<Overview>("overview");
    expect({ running, blocked }).toEqual({ running: { count: 1 }, blocked: { count: 1 } });
    expect(kinds.find((kind) => kind.name === "print")?.running ?? 0).toBe(0);
    const suspended = { verb: "suspend", reason: "all that run", filter: { state: "running" } };
    await (await post("bulk", suspended)).text();
    const client = new Client(store.provider, { logger: silentLogger });
    const reason = async (id: string): Promise<string | undefined> =>
      (await client.admin.query({ filter: { idPrefix: id }, limit: 1 })).instances[0]?.suspended?.reason;
    expect(await reason("wait-1")).toBe("all that run");
    expect(await reason("blocked-1")).toBeUndefined();
  });
});
