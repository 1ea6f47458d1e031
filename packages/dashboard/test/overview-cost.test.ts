/** Tests what the overview asks of a store that charges by request, and what it says of the cost. */
import { Client, orchestration, type Provider, Runtime, silentLogger, systemClock } from "@duroxide-ts/core";
import type { ProviderAdmin, QueryCost } from "@duroxide-ts/core/stores";
import { describe, expect, it, type MockInstance, vi } from "vitest";
import type { CountedFigures, Overview } from "../src/page/shapes/overview.ts";
import { asking } from "./support/asking.ts";
import { openStore } from "./support/stores.ts";

interface Answer {
  readonly cost?: QueryCost;
}

/** The request units that the calls say they cost. */
async function unitsOf(calls: readonly (Promise<Answer> | Answer)[]): Promise<number> {
  const answers = await Promise.all(calls);
  return answers.reduce((sum, { cost }) => sum + (cost?.requestUnits ?? 0), 0);
}

function answersOf(spy: MockInstance): Answer[] {
  return spy.mock.results.map(({ value }) => value as Answer);
}

const wait = orchestration("wait", async (ctx) => ctx.waitForEvent("go"));
const fail = orchestration("fail", async () => {
  throw new Error("no");
});

/** Two instances that wait, and some that have failed. */
async function fill(provider: Provider, failures: number): Promise<void> {
  const client = new Client(provider, { logger: silentLogger });
  const runtime = await Runtime.start({
    provider,
    orchestrations: [wait, fail],
    activities: [],
    logger: silentLogger,
    reportWorker: false,
  });
  const waiting = await Promise.all([1, 2].map(() => client.start(wait)));
  const failing = [];
  for (let n = 0; n < failures; n++) failing.push(await client.start(fail));
  for (const handle of failing) await handle.result().catch(() => undefined);
  for (const { instanceId } of waiting)
    await vi.waitFor(async () => client.admin.info(instanceId), { timeout: 600_000 });
  await runtime.shutdown();
}

it("a dashboard knows that a store charges by request, also where it has a client of it", async () => {
  await using store = await openStore("cosmos");
  const client = new Client(store.provider);
  for (const given of [{ provider: store.provider }, { client }, { client, redact: String }]) {
    expect(await asking(given).read("session")).toMatchObject({ costs: true });
  }
});

describe("the overview of a store that charges by request", () => {
  it("counts nothing, and says where a page has not all", async () => {
    await using store = await openStore("cosmos");
    const { provider } = store;
    await fill(provider, 101);
    const counts = [
      vi.spyOn(provider.admin, "countInstances"),
      ...(["getQueueDepths", "getSystemMetrics"] as const).map((name) =>
        vi.spyOn(provider.admin as Required<ProviderAdmin>, name),
      ),
    ];
    const overview = await asking({ provider }).read<Overview>("overview");
    expect(overview).toMatchObject({
      isPaged: true,
      running: { count: 2 },
      failedToday: { count: 100, isMore: true },
      ready: { count: 0 },
    });
    expect(overview.running).not.toHaveProperty("isMore");
    expect(counts.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  it("has a page of queue rows that counts none, until a request asks", async () => {
    await using store = await openStore("cosmos");
    const { provider } = store;
    const depths = vi.spyOn(provider.admin as ProviderAdmin, "getQueueDepths");
    const { read } = asking({ provider });
    expect(await read<object>("work")).not.toHaveProperty("queues");
    expect(depths).not.toHaveBeenCalled();
    expect(await read<object>("queues")).toMatchObject({ orchestrator: 0, worker: 0, later: 0 });
  });

  it("is counted when a request asks, and then says what the count cost", async () => {
    await using store = await openStore("cosmos");
    const { provider } = store;
    await fill(provider, 3);
    const counts = vi.spyOn(provider.admin, "countInstances");
    const counted = await asking({ provider }).read<CountedFigures>("figures");
    expect(counted).toMatchObject({
      running: { count: 2 },
      failedToday: { count: 3 },
      kinds: [{ name: "wait", version: "1.0.0", running: 2 }],
    });
    expect(counted.requestUnits).toBeGreaterThan(4);
    expect(counted.requestUnits).toBeCloseTo(await unitsOf(answersOf(counts)), 6);
  });

  it("says what those of its queries cost that tell it", async () => {
    await using store = await openStore("cosmos");
    const { provider } = store;
    const lists = vi.spyOn(provider.admin, "queryInstances");
    const rows = vi.spyOn(provider.admin, "listWork");
    const { requestUnits } = await asking({ provider }).read<Overview>("overview");
    expect([lists.mock.calls.length, rows.mock.calls.length]).toEqual([4, 1]);
    expect(requestUnits).toBeCloseTo(await unitsOf([...answersOf(lists), ...answersOf(rows)]), 6);
  });

  it("is read twice a minute at most, however many look", async () => {
    await using store = await openStore("cosmos");
    const { provider } = store;
    let nowMs = 1_700_000_000_000;
    const lists = vi.spyOn(provider.admin, "queryInstances");
    const { read } = asking({ provider, clock: { ...systemClock, now: () => nowMs } });
    await read("overview");
    const once = lists.mock.calls.length;
    nowMs += 29_999;
    await Promise.all([read("overview"), read("overview")]);
    expect(lists).toHaveBeenCalledTimes(once);
    nowMs += 1;
    await read("overview");
    expect(lists).toHaveBeenCalledTimes(2 * once);
  });

  it("takes at most 4 RU a second on average, whatever a read costs", async () => {
    await using store = await openStore("cosmos");
    let nowMs = 1_700_000_000_000;
    const page = { instances: [], cost: { requestUnits: 250 } };
    const lists = vi.spyOn(store.provider.admin, "queryInstances").mockImplementation(async () => page);
    const { read } = asking({ provider: store.provider, clock: { ...systemClock, now: () => nowMs } });
    const { requestUnits = 0, keptUntilMs } = await read<Overview>("overview");
    expect(requestUnits).toBeGreaterThanOrEqual(1_000);
    expect(keptUntilMs).toBe(nowMs + Math.round(requestUnits * 250));
    const once = lists.mock.calls.length;
    nowMs = (keptUntilMs ?? 0) - 1;
    await read("overview");
    expect(lists).toHaveBeenCalledTimes(once);
    nowMs += 1;
    await read("overview");
    expect(lists).toHaveBeenCalledTimes(2 * once);
  });

  it("looks for tags that no process serves only where ready activities have a tag", async () => {
    await using store = await openStore("cosmos");
    const { provider } = store;
    const rows = vi.spyOn(provider.admin, "listWork");
    const client = new Client(provider, { logger: silentLogger });
    const runtime = await Runtime.start({
      provider,
      orchestrations: [orchestration("film", async (ctx) => ctx.scheduleActivity("cut", 1, { tag: "gpu" }))],
      activities: [],
      logger: silentLogger,
    });
    await asking({ provider }).read("overview");
    expect(rows).toHaveBeenCalledTimes(1);
    await client.start("film", { instanceId: "film-1" });
    await vi.waitFor(
      async () => {
        const { work } = await client.admin.work({ kind: "worker" });
        expect(work).toMatchObject([{ tag: "gpu" }]);
      },
      { timeout: 600_000 },
    );
    // The search is for what is due for ten seconds, by the clock of the store; it is made all the same.
    rows.mockClear();
    await asking({ provider }).read("overview");
    expect(rows.mock.calls.map(([query]) => query?.overdueByMs)).toEqual([0, 10_000]);
    await runtime.shutdown();
  });
});

it("the overview of a store that does not charge counts what runs", async () => {
  await using store = await openStore("sqlite");
  await fill(store.provider, 2);
  const overview = await asking({ provider: store.provider }).read<Overview>("overview");
  expect(overview).toMatchObject({ running: { count: 2 }, failedToday: { count: 2 }, ready: { count: 0 } });
  expect(overview).not.toHaveProperty("isPaged");
  expect(overview).not.toHaveProperty("requestUnits");
});
