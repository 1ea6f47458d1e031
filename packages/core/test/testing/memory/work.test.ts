/** The worker queue: locks, order, sessions, tags (provider contract §10 to §12). */
import { describe, expect, test } from "vitest";
import type { TagFilter } from "../../../src/contract/provider.ts";
import { Bench, code, completed, LOCK_MS, labels, work } from "./support.ts";

const claim = (ownerId: string, lockTimeoutMs = LOCK_MS) => ({ session: { ownerId, lockTimeoutMs } });

async function benchWith(...items: ReturnType<typeof work>[]): Promise<Bench> {
  const bench = new Bench();
  for (const item of items) await bench.provider.enqueueForWorker(item);
  return bench;
}

/** Ids of what the worker gets until it gets nothing. */
async function drain(bench: Bench, options: Parameters<Bench["fetchWork"]>[0]): Promise<number[]> {
  const ids: number[] = [];
  for (
    let found = await bench.fetchWork(options);
    found !== undefined;
    found = await bench.fetchWork(options)
  ) {
    ids.push(Number(found.item.id));
  }
  return ids;
}

describe("an activity", () => {
  test("is handed out in order, once, until its lock runs out", async () => {
    const bench = await benchWith(work("a", 1), work("a", 2), work("a", 3));
    const first = await bench.takeWork();
    expect([first.item.id, first.attemptCount]).toEqual([1, 1]);
    expect(await drain(bench, {})).toEqual([2, 3]);
    await bench.clock.advance(LOCK_MS);
    const again = await bench.takeWork();
    expect([again.item.id, again.attemptCount]).toEqual([1, 2]);
    await expect(bench.provider.ackWorkItem(first.lockToken)).rejects.toMatchObject(code("lock-lost"));
  });

  test("keeps its lock as long as that is renewed", async () => {
    const bench = await benchWith(work("a", 1));
    const { lockToken } = await bench.takeWork();
    await bench.clock.advance(LOCK_MS - 1);
    await bench.provider.renewWorkItemLock(lockToken, LOCK_MS);
    await bench.clock.advance(LOCK_MS - 1);
    expect(await bench.fetchWork()).toBeUndefined();
    await bench.clock.advance(1);
    await expect(bench.provider.renewWorkItemLock(lockToken, 1)).rejects.toMatchObject(code("lock-lost"));
    await expect(bench.provider.ackWorkItem(lockToken)).rejects.toMatchObject(code("lock-lost"));
    await bench.provider.abandonWorkItem(lockToken);
    await expect(bench.provider.abandonWorkItem(lockToken)).rejects.toMatchObject(code("lock-lost"));
  });

  test("is replaced by its outcome, or by nothing", async () => {
    const bench = new Bench();
    await bench.create("a", { workerItems: [work("a", 2), work("a", 3)] });
    const first = await bench.takeWork();
    expect(first.orchestration).toEqual({ name: "Test", version: "1.0.0" });
    await expect(bench.provider.ackWorkItem(first.lockToken, work("a", 2) as never)).rejects.toMatchObject(
      code("invalid-input"),
    );
    await bench.provider.ackWorkItem(first.lockToken, completed("a", 2));
    await bench.provider.ackWorkItem((await bench.takeWork()).lockToken);
    expect(await bench.fetchWork()).toBeUndefined();
    expect(labels(await bench.fetch())).toEqual(["ActivityCompleted"]);
  });

  test("given back with a delay lets others pass and keeps its place", async () => {
    const bench = await benchWith(work("a", 1), work("a", 2));
    const { lockToken } = await bench.takeWork();
    await bench.provider.abandonWorkItem(lockToken, { delayMs: 500, ignoreAttempt: true });
    const second = await bench.takeWork();
    expect(second.item.id).toBe(2);
    await bench.provider.abandonWorkItem(second.lockToken);
    await bench.clock.advance(500);
    const first = await bench.takeWork();
    expect([first.item.id, first.attemptCount]).toEqual([1, 1]);
  });
});

describe("a tag filter", () => {
  test.each<[TagFilter, number[]]>([
    [{ kind: "default-only" }, [1, 5]],
    [{ kind: "tags", tags: ["gpu"] }, [2, 4]],
    [{ kind: "tags", tags: ["gpu", "cpu"] }, [2, 3, 4]],
    [{ kind: "default-and", tags: ["gpu"] }, [1, 2, 4, 5]],
    [{ kind: "any" }, [1, 2, 3, 4, 5]],
    [{ kind: "none" }, []],
  ])("%o", async (tagFilter, expected) => {
    const tagged = (id: number, tag: string) => work("a", id, { tag });
    const bench = await benchWith(
      work("a", 1),
      tagged(2, "gpu"),
      tagged(3, "cpu"),
      tagged(4, "gpu"),
      work("a", 5),
    );
    expect(await drain(bench, { tagFilter })).toEqual(expected);
  });

  test("has one to five tags", async () => {
    const bench = new Bench();
    for (const tags of [[], ["1", "2", "3", "4", "5", "6"]]) {
      await expect(bench.fetchWork({ tagFilter: { kind: "tags", tags } })).rejects.toMatchObject(
        code("invalid-input"),
      );
    }
  });
});

describe("a session", () => {
  const inSession = (id: number, session_id = "s", instance = "a") => work(instance, id, { session_id });

  test("belongs to its owner, over all instances; others look past it", async () => {
    const bench = await benchWith(
      inSession(1),
      inSession(2),
      inSession(3, "s", "b"),
      work("a", 4),
      inSession(5, "t"),
    );
    expect((await bench.takeWork(claim("A"))).item).toMatchObject({ id: 1, session_id: "s" });
    expect(await drain(bench, {})).toEqual([4]);
    expect(await drain(bench, claim("B"))).toEqual([5]);
    expect(await drain(bench, claim("A"))).toEqual([2, 3]);
  });

  test("passes on when its lock ends, and so do its activities", async () => {
    const bench = await benchWith(inSession(1), inSession(2));
    const first = await bench.takeWork(claim("A", 50));
    await bench.clock.advance(50);
    expect(await drain(bench, claim("B"))).toEqual([2]);
    await bench.provider.abandonWorkItem(first.lockToken);
    expect(await bench.fetchWork(claim("A"))).toBeUndefined();
    expect(await bench.takeWork(claim("B"))).toMatchObject({ attemptCount: 2 });
  });

  test("does not gate acknowledgements, which keep it from idling", async () => {
    const bench = await benchWith(inSession(1), inSession(2), inSession(3, "t"));
    const [first, second] = [await bench.takeWork(claim("A")), await bench.takeWork(claim("A"))];
    await bench.takeWork(claim("A", 50));
    await bench.clock.advance(250);
    const renew = (idleTimeoutMs: number) =>
      bench.provider.renewSessionLocks({ ownerIds: ["A", "C"], extendMs: LOCK_MS, idleTimeoutMs });
    expect(await renew(200)).toBe(0);
    await bench.provider.renewWorkItemLock(first.lockToken, LOCK_MS);
    expect([await renew(200), await renew(0)]).toEqual([1, 0]);
    await bench.clock.advance(250);
    await bench.provider.ackWorkItem(second.lockToken);
    expect(await renew(200)).toBe(1);
    expect(await bench.provider.renewSessionLocks({ ownerIds: [], extendMs: 1, idleTimeoutMs: 1e6 })).toBe(0);
  });

  test("is swept when it has ended and nothing refers to it", async () => {
    const bench = await benchWith(inSession(1, "done"), inSession(2, "pending"), inSession(3, "live"));
    const done = await bench.takeWork(claim("A", 50));
    await bench.takeWork(claim("A", 50));
    const live = await bench.takeWork(claim("A", 300_000));
    await bench.provider.ackWorkItem(done.lockToken);
    await bench.provider.ackWorkItem(live.lockToken);
    await bench.clock.advance(51);
    expect(await bench.provider.cleanupOrphanedSessions(0)).toBe(1);
    expect(await bench.provider.cleanupOrphanedSessions(0)).toBe(0);
  });
});
