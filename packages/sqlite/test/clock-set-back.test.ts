/** The clock of the machine is set back by an hour: nothing waits for the hour, no lock ends early (src/commit/store-time.ts). */
import type { Clock } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import {
  ack,
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
  queueMessage,
  raised,
  startItem,
  timer,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { openFile, type SqliteCaller } from "./support/fixture.ts";

const HOUR_MS = 3_600_000;
const LOCK_MS = 30_000;
/** The rest of a lock grows by a second at most, and a step of a second is not noticed. */
const SLACK_MS = 2_000;

/** A clock that can be set, while the time of its timers only passes. */
class WallClock implements Clock {
  readonly passed = new VirtualClock();
  #offsetMs = 0;

  now(): number {
    return this.passed.now() + this.#offsetMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    return this.passed.schedule(delayMs, callback);
  }

  setBack(ms: number): void {
    this.#offsetMs -= ms;
  }
}

interface Case extends AsyncDisposable {
  readonly clock: WallClock;
  readonly before: SqliteCaller;
  /** The provider that goes on after the step. */
  after(): Promise<SqliteCaller>;
}

async function open(kind: "the same process" | "another process"): Promise<Case> {
  const clock = new WallClock();
  const store = await openFile({ clock });
  return {
    clock,
    before: store,
    async after() {
      if (kind === "the same process") return store;
      await store.provider.close();
      return store.openAnother();
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

describe.each(["the same process", "another process"] as const)(
  "after the clock was set back, %s",
  (kind) => {
    it("honours the lock of an instance for its rest, and no longer", async () => {
      await using test = await open(kind);
      await createInstance(test.before, "i");
      await test.before.provider.enqueueForOrchestrator(raised("i", "poke"));
      await mustFetch(test.before);
      test.clock.setBack(HOUR_MS);
      const after = await test.after();
      expect(await fetchOrchestration(after)).toBeUndefined();
      await test.clock.passed.advance(LOCK_MS - 1);
      expect(await fetchOrchestration(after)).toBeUndefined();
      await test.clock.passed.advance(SLACK_MS);
      await mustFetch(after);
    });

    it("honours the lock of an activity for its rest, and no longer", async () => {
      await using test = await open(kind);
      await createInstance(test.before, "i", { workerItems: [activity("i", 2)] });
      await mustFetchWork(test.before);
      test.clock.setBack(HOUR_MS);
      const after = await test.after();
      expect(await fetchWork(after)).toBeUndefined();
      await test.clock.passed.advance(LOCK_MS - 1);
      expect(await fetchWork(after)).toBeUndefined();
      await test.clock.passed.advance(SLACK_MS);
      await mustFetchWork(after);
    });

    it("gives the next activity of a session to another owner after the rest of its lock", async () => {
      await using test = await open(kind);
      const inSession = (id: number) => activity("i", id, { session_id: "s" });
      await createInstance(test.before, "i", { workerItems: [inSession(2), inSession(3)] });
      const owner = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: LOCK_MS } });
      const first = await mustFetchWork(test.before, owner("a"));
      await test.before.provider.abandonWorkItem(first.lockToken);
      test.clock.setBack(HOUR_MS);
      const after = await test.after();
      expect(await fetchWork(after, owner("b"))).toBeUndefined();
      await test.clock.passed.advance(LOCK_MS + SLACK_MS);
      await mustFetchWork(after, owner("b"));
    });

    it("gives work of a rate its slot after the rest of its time", async () => {
      await using test = await open(kind);
      const rule = { rate: { max: 1, per: { minutes: 1 } } } as const;
      await test.before.provider.limits.setLimit("key", { rule, perMs: 60_000 });
      const workerItems = [2, 3].map((id) => activity("i", id, { limit: "key" }));
      await createInstance(test.before, "i", { workerItems });
      await mustFetchWork(test.before);
      expect(await fetchWork(test.before)).toBeUndefined();
      test.clock.setBack(HOUR_MS);
      const after = await test.after();
      expect(await fetchWork(after)).toBeUndefined();
      await test.clock.passed.advance(70_000);
      await mustFetchWork(after);
    });

    it("has the messages that were sent before, before those that are sent now", async () => {
      await using test = await open(kind);
      await createInstance(test.before, "i");
      await test.clock.passed.advance(1_500);
      await test.before.provider.enqueueForOrchestrator(queueMessage("i", "first"));
      await test.clock.passed.advance(900);
      await test.before.provider.enqueueForOrchestrator(queueMessage("i", "second"));
      test.clock.setBack(HOUR_MS);
      const after = await test.after();
      await after.provider.enqueueForOrchestrator(queueMessage("i", "third"));
      expect((await mustFetch(after)).item.messages).toEqual(
        ["first", "second", "third"].map((name) => queueMessage("i", name)),
      );
    });

    it("has an instance that was started before", async () => {
      await using test = await open(kind);
      await test.before.provider.enqueueForOrchestrator(startItem("i"));
      test.clock.setBack(HOUR_MS);
      expect((await mustFetch(await test.after())).item.instanceId).toBe("i");
    });

    it("ends a delay after its rest", async () => {
      await using test = await open(kind);
      await createInstance(test.before, "i", { workerItems: [activity("i", 2)] });
      await test.before.provider.enqueueForOrchestrator(raised("i", "poke"), 5_000);
      await test.before.provider.abandonWorkItem((await mustFetchWork(test.before)).lockToken, {
        delayMs: 5_000,
      });
      test.clock.setBack(HOUR_MS);
      const after = await test.after();
      expect(await fetchWork(after)).toBeUndefined();
      await test.clock.passed.advance(4_999);
      expect(await fetchWork(after)).toBeUndefined();
      expect(await fetchOrchestration(after)).toBeUndefined();
      await test.clock.passed.advance(SLACK_MS);
      await mustFetchWork(after);
      await mustFetch(after);
    });

    it("fires timers at their time of the clock", async () => {
      await using test = await open(kind);
      await createInstance(test.before, "i");
      await test.before.provider.enqueueForOrchestrator(raised("i", "poke"));
      await ack(test.before, await mustFetch(test.before), {
        orchestratorItems: [timer("i", test.clock.now() + 60_000)],
      });
      test.clock.setBack(HOUR_MS);
      const after = await test.after();
      await test.clock.passed.advance(HOUR_MS);
      expect(await fetchOrchestration(after)).toBeUndefined();
      await test.clock.passed.advance(60_000);
      await mustFetch(after);
    });
  },
);

it("a lock is moved once, however many processes notice the step", async () => {
  const clock = new WallClock();
  await using store = await openFile({ clock });
  const others = [await store.openAnother(), await store.openAnother()];
  await createInstance(store, "i", { workerItems: [activity("i", 2)] });
  for (const other of others) expect(await fetchWork(other, { tagFilter: { kind: "none" } })).toBeUndefined();
  await mustFetchWork(store);
  clock.setBack(HOUR_MS);
  for (const each of [store, ...others, await store.openAnother()]) {
    await each.provider.enqueueForOrchestrator(raised("i", "poke"));
    expect(await fetchWork(each)).toBeUndefined();
  }
  await clock.passed.advance(LOCK_MS - 1);
  for (const each of [store, ...others]) expect(await fetchWork(each)).toBeUndefined();
  await clock.passed.advance(SLACK_MS);
  await mustFetchWork(store);
});

it("a holder keeps its lock over the step, and commits", async () => {
  const clock = new WallClock();
  await using store = await openFile({ clock });
  await createInstance(store, "i");
  await store.provider.enqueueForOrchestrator(raised("i", "poke"));
  const held = await mustFetch(store);
  clock.setBack(HOUR_MS);
  const other = await store.openAnother();
  expect(await fetchOrchestration(other)).toBeUndefined();
  await store.provider.renewOrchestrationItemLock(held.lockToken, LOCK_MS);
  await clock.passed.advance(LOCK_MS - 1);
  expect(await fetchOrchestration(other)).toBeUndefined();
  await ack(store, held);
});

it("a long poll finds what a step of the clock has brought closer", async () => {
  const clock = new WallClock();
  await using store = await openFile({ clock });
  await createInstance(store, "i", { workerItems: [activity("i", 2)] });
  await mustFetchWork(store);
  const waiting = fetchWork(store, { pollTimeoutMs: 2 * LOCK_MS });
  await clock.passed.advance(10);
  clock.setBack(HOUR_MS);
  await clock.passed.advance(LOCK_MS + SLACK_MS);
  expect(await waiting).toBeDefined();
});

describe("ids of messages", () => {
  const DAY_MS = 24 * HOUR_MS;

  it("are known when the clock is set back over midnight (message-ids.I4)", async () => {
    await using store = await open("the same process");
    const { clock, before } = store;
    await createInstance(before, "i");
    clock.setBack((clock.now() % DAY_MS) - 1);
    const send = () => before.provider.enqueueForOrchestrator(raised("i", "e"), 0, { messageId: "one" });
    await send();
    clock.setBack(HOUR_MS);
    await send();
    expect((await mustFetch(before)).item.messages).toHaveLength(1);
  });

  it("leave with their instance, whatever day they are of (message-ids.I3)", async () => {
    await using store = await openFile({ clock: new WallClock() });
    await createInstance(store, "i");
    await store.provider.enqueueForOrchestrator(raised("i", "e"), 0, { messageId: "one" });
    const raw = store.openRaw();
    raw.exec("UPDATE message_ids SET day = day + 30");
    await store.provider.admin.deleteInstance("i", { force: true });
    expect(raw.prepare("SELECT * FROM message_ids").all()).toEqual([]);
  });
});
