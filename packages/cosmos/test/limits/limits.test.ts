/** Limits over several processes, which stand still, end and change rules (docs/decisions/limits.md). */
import type { FetchedWork, LimitRule } from "@duroxide-ts/core/stores";
import { activity, fetchWork, mustFetchWork } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { limitsPartition } from "../../src/documents/ids.ts";
import { ASK_FOR_PERMITS_MS, RULE_FRESH_MS } from "../../src/memory/waits.ts";
import type { CosmosProvider } from "../../src/provider.ts";
import { type Actor, connect, LOCK_MS } from "../support/stage.ts";
import { StageClock } from "../support/stage-clock.ts";
import { Trap } from "../support/trap.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("limits");

/** A share lasts longer than the locks for which it was asked by a quarter, and for others by 2 s more. */
const SHARE_MS = 1.25 * LOCK_MS + 2_000;

const setRule = (rule: LimitRule | undefined, key = "partner", perMs = 0): Promise<void> =>
  stage.provider.limits.setLimit(key, { rule, perMs });

async function queue(count: number, limit = "partner", firstId = 2): Promise<void> {
  for (let n = 0; n < count; n++)
    await stage.provider.enqueueForWorker(activity("a", firstId + n, { limit }));
}

async function fetchAll(actor: { readonly provider: CosmosProvider; readonly lockMs: number }) {
  const all: FetchedWork[] = [];
  for (let next = await fetchWork(actor); next !== undefined; next = await fetchWork(actor)) all.push(next);
  return all;
}

/** Another process, which has idled until it has met the mark of ranked rows. */
async function openIdle(): Promise<Actor> {
  const other = await stage.openAnother();
  const tagFilter = { kind: "tags", tags: ["none"] } as const;
  const fetching = other.provider.fetchWorkItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 20_000, tagFilter });
  await stage.clock.advance(20_001);
  await fetching;
  return other;
}

async function finishAll(
  { provider }: Pick<Actor, "provider">,
  fetched: readonly FetchedWork[],
): Promise<void> {
  for (const { lockToken } of fetched) await provider.ackWorkItem(lockToken);
}

describe("a limit", () => {
  it("is one for all processes, which get a part each", async () => {
    await setRule({ concurrency: 4 });
    await queue(30);
    const other = await openIdle();
    const own = [...(await fetchAll(stage))];
    expect(own).toHaveLength(4);
    expect(await fetchAll(other)).toEqual([]);
    const others: FetchedWork[] = [];
    for (let round = 0; round < 4; round++) {
      await stage.clock.advance(2_000);
      const ended = own.splice(0, 1);
      await finishAll(stage, ended);
      own.push(...(await fetchAll(stage)));
      others.push(...(await fetchAll(other)));
      expect(own.length + others.length).toBeLessThanOrEqual(4);
    }
    expect(others.length).toBeGreaterThanOrEqual(1);
  });

  it("of which others want a part is given back as soon as nothing uses it", async () => {
    await setRule({ concurrency: 4 });
    await queue(30);
    const other = await openIdle();
    const long = { provider: stage.provider, lockMs: 4 * RULE_FRESH_MS };
    const own = await fetchAll(long);
    expect(await fetchAll(other)).toEqual([]);
    await stage.clock.advance(RULE_FRESH_MS + 1);
    expect(await fetchAll(long)).toEqual([]);
    await finishAll(stage, own.slice(0, 1));
    expect(await fetchAll(long)).toEqual([]);
    await stage.clock.advance(ASK_FOR_PERMITS_MS);
    expect(await fetchAll(other)).toHaveLength(1);
  });

  it("is kept by a process that stands still until its share ends, and then no longer", async () => {
    await setRule({ concurrency: 2 });
    await queue(4);
    const other = await openIdle();
    const stopped = new StageClock(stage.clock.now(), () => true);
    await using frozen = await connect(stage.place, stopped, new Trap(), undefined, stage.endpoint.send);
    await frozen.enqueueForWorker(activity("a", 9, { limit: "partner" }));
    expect(await fetchAll({ provider: frozen, lockMs: LOCK_MS })).toHaveLength(2);
    await stage.clock.advance(LOCK_MS + 1);
    expect(await fetchAll(other)).toEqual([]);
    await stage.clock.advance(SHARE_MS - LOCK_MS);
    expect(await fetchAll(other)).toHaveLength(2);
  });

  it("is kept for as long as the locks are renewed", async () => {
    await setRule({ concurrency: 1 });
    await queue(2);
    const other = await openIdle();
    const [first] = await fetchAll(stage);
    for (let renewals = 0; renewals < 5; renewals++) {
      await stage.clock.advance(LOCK_MS / 2);
      await stage.provider.renewWorkItemLock(first?.lockToken ?? "", LOCK_MS);
      expect(await fetchAll(other)).toEqual([]);
    }
  });

  it("lets no activity begin whose lock ends after the share of its process", async () => {
    await setRule({ concurrency: 1 });
    await queue(30);
    const ends: [lockMs: number, shareMs: number][] = [];
    for (let n = 0; n < 30; n++) {
      const fetched = await mustFetchWork(stage);
      const { resource } = await stage.raw.item("use:partner", limitsPartition("partner")).read();
      const [share] = Object.values<{ readonly untilMs: number }>(resource.shares);
      ends.push([fetched.lockedUntilMs ?? 0, share?.untilMs ?? 0]);
      await finishAll(stage, [fetched]);
      await stage.clock.advance(700);
    }
    expect(ends.filter(([lockMs, shareMs]) => lockMs > shareMs)).toEqual([]);
  });

  it("that a process does not use is free for others after a second, and when it is closed", async () => {
    await setRule({ concurrency: 2 });
    await queue(4);
    const [other, third] = [await openIdle(), await openIdle()];
    await finishAll(stage, [...(await fetchAll(stage))]);
    await finishAll(stage, [...(await fetchAll(stage))]);
    await queue(2, "partner", 10);
    await stage.clock.advance(2_100);
    const taken = await fetchAll(other);
    expect(taken).toHaveLength(2);
    await finishAll(other, taken);
    await other.provider.close();
    await queue(2, "partner", 20);
    expect(await fetchAll(third)).toHaveLength(2);
  });

  it("that changes holds in other processes after 5 s", async () => {
    await queue(9);
    const other = await openIdle();
    expect((await fetchWork(other))?.item.limit).toBe("partner");
    await setRule({ concurrency: 1 });
    await stage.clock.advance(5_001);
    // What runs without a rule counts as soon as its process has read the rule.
    expect(await fetchAll(other)).toEqual([]);
    await stage.clock.advance(1);
    expect(await fetchAll(stage)).toEqual([]);
  });

  it("of a rate is one for all processes", async () => {
    await setRule({ rate: { max: 4, per: { seconds: 1 } } }, "partner", 1_000);
    await queue(60);
    const actors = [stage, await openIdle(), await openIdle()];
    const begins: number[] = [];
    for (let ms = 0; ms < 10_000; ms += 20) {
      for (const actor of actors) {
        const fetched = await fetchWork(actor);
        if (fetched !== undefined) begins.push(stage.clock.now());
      }
      await stage.clock.advance(20);
    }
    for (const atMs of begins) {
      const inPeriod = begins.filter((other) => other >= atMs && other < atMs + 1_000);
      expect(inPeriod.length, `begins from ${atMs}`).toBeLessThanOrEqual(4);
    }
    expect(begins.length).toBeGreaterThanOrEqual(30);
  });
});

describe("the documents of a limit", () => {
  it("are read once in a few seconds by a process that alone writes them", async () => {
    await setRule({ rate: { max: 10, per: { seconds: 1 } } }, "partner", 1_000);
    await queue(100);
    stage.trap.set(undefined);
    for (let ms = 0; ms < 10_000; ms += 100) {
      await fetchAll(stage);
      await stage.clock.advance(100);
    }
    const labels = stage.trap.labels.filter((label) => label.includes("__limits__:"));
    const reads = labels.filter((label) => label.startsWith("query"));
    expect(labels.length - reads.length).toBeGreaterThanOrEqual(4);
    expect(reads.length).toBeLessThanOrEqual(4);
  });
});

describe("a ranked row", () => {
  const RUST = `SELECT VALUE c.activityId FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= @now
    AND (NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil = null OR c.lockedUntil <= @now)`;

  /** The activities that Rust would run. */
  async function forRust(): Promise<readonly unknown[]> {
    const parameters = [{ name: "@now", value: stage.clock.now() }];
    return (await stage.raw.items.query({ query: RUST, parameters }).fetchAll()).resources;
  }

  it("is hidden from Rust while it waits, is locked, is delayed, and after its lock", async () => {
    await queue(1);
    await stage.provider.enqueueForWorker(activity("a", 3, { priority: 1 }));
    await stage.provider.enqueueForWorker(activity("a", 4));
    expect(await forRust()).toEqual([4]);
    const [first] = await fetchAll(stage);
    await stage.provider.abandonWorkItem(first?.lockToken ?? "", { delayMs: 1_000 });
    await stage.clock.advance(2 * LOCK_MS);
    expect(await forRust()).toEqual([4]);
    expect(await fetchAll(stage)).toHaveLength(3);
  });

  it("is found by a process that knows nothing of it, and that is idle", async () => {
    await queue(1);
    await stage.provider.close();
    const other = await stage.openAnother();
    const tagFilter = { kind: "default-only" } as const;
    const fetching = other.provider.fetchWorkItem({
      lockTimeoutMs: LOCK_MS,
      pollTimeoutMs: 60_000,
      tagFilter,
    });
    await stage.clock.advance(61_000);
    expect((await fetching)?.item.limit).toBe("partner");
  });

  it("leaves a mark, which is removed when none has been stored for long", async () => {
    const marks = async (): Promise<number> => {
      const query = "SELECT VALUE c.id FROM c WHERE c.type = 'ranked_mark'";
      return (await stage.raw.items.query(query).fetchAll()).resources.length;
    };
    await queue(1);
    await finishAll(stage, await fetchAll(stage));
    expect(await marks()).toBe(1);
    await stage.clock.advance(599_000);
    const look = async (): Promise<void> => {
      const tagFilter = { kind: "default-only" } as const;
      const fetching = stage.provider.fetchWorkItem({
        lockTimeoutMs: LOCK_MS,
        pollTimeoutMs: 59_000,
        tagFilter,
      });
      await stage.clock.advance(59_000);
      await fetching;
    };
    await look();
    await look();
    await look();
    expect(await marks()).toBe(0);
  });

  it("that a delayed release hides is not shown as locked", async () => {
    await queue(1);
    const [first] = await fetchAll(stage);
    await stage.provider.abandonWorkItem(first?.lockToken ?? "", { delayMs: 5_000 });
    const { work } = await stage.provider.admin.listWork({ kind: "worker" });
    expect(work).toMatchObject([{ visibleAtMs: stage.clock.now() + 5_000 }]);
    expect(work[0]?.lockedUntilMs).toBeUndefined();
  });
});
