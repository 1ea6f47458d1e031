/**
 * Work of a name that a fetch has no code for is left to fetches that have it (rows/left-work.ts), so that processes
 * with different code can share a file.
 */
import { Client, activity as defineActivity, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import {
  ack,
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  mustFetch,
  mustFetchWork,
  raised,
  scheduled,
  semver,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { inMemory, onFile, openFile, openMemory, type SqliteCaller } from "./support/fixture.ts";

const STRANGER = { orchestrations: new Set(["Other"]) };
const KNOWER = { orchestrations: new Set(["Other", "TestOrch"]) };
const OTHER_WORKER = { activities: new Set(["other"]) };
const WORKER = { activities: new Set(["work"]) };

const HEAD_START_MS = 1_000;
const BACK_OFF_MS = 60_000;

/** Releases work as the runtime does that has no code for it. */
async function releaseAsBlocked({ provider }: SqliteCaller, lockToken: string): Promise<void> {
  const blocked = { reason: "missing-orchestration", detail: "not here" } as const;
  await provider.abandonOrchestrationItem(lockToken, { delayMs: BACK_OFF_MS, ignoreAttempt: true, blocked });
}

describe("a turn", () => {
  inMemory("is left by a fetch without its code, without an attempt (left-work.N1)", async (store) => {
    await store.provider.enqueueForOrchestrator(startItem("i"));
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    expect((await mustFetch(store, KNOWER)).attemptCount).toBe(1);
  });

  inMemory("goes to a fetch with its code that waits behind one without it (left-work.N2)", async (store) => {
    const stranger = fetchOrchestration(store, { ...STRANGER, pollTimeoutMs: 500 });
    const knower = fetchOrchestration(store, { ...KNOWER, pollTimeoutMs: 500 });
    await store.clock.settle();
    await store.provider.enqueueForOrchestrator(startItem("i"));
    expect((await knower)?.item.instanceId).toBe("i");
    await store.clock.advance(500);
    expect(await stranger).toBeUndefined();
  });

  inMemory("is not overtaken by a fused turn while it is left to others", async (store) => {
    const { historyTag } = await createInstance(store, "i", {
      historyDelta: [scheduled("i", 2)],
      workerItems: [activity("i", 2)],
    });
    const { lockToken } = await mustFetchWork(store);
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    const outcome = await store.provider.ackFusedTurn({
      instanceId: "i",
      historyTag: given(historyTag, "a tag"),
      activityTokens: [lockToken],
      executionId: 1,
      historyDelta: [scheduled("i", 3)],
      workerItems: [],
      orchestratorItems: [],
      cancelledActivities: [],
      metadata: {},
    });
    expect(outcome).toEqual({ kind: "overtaken" });
  });

  it("goes to a process with its code before the back-off of a process without it is over (left-work.N2)", async () => {
    await using store = await openFile();
    await createInstance(store, "i");
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    await store.clock.advance(HEAD_START_MS);
    await releaseAsBlocked(store, (await mustFetch(store, STRANGER)).lockToken);
    expect((await store.provider.admin.listBlocked({ instanceId: "i" })).blocked).toMatchObject([
      { reason: "missing-orchestration" },
    ]);
    const fetched = await mustFetch(await store.openAnother(), KNOWER);
    expect(fetched).toMatchObject({ attemptCount: 1, blocked: { attempts: 1 } });
    expect(fetched.item.messages).toHaveLength(1);
    await ack(store, fetched);
    expect((await store.provider.admin.listBlocked({ instanceId: "i" })).blocked).toEqual([]);
  });

  it("goes to a fetch without its code after the head start, so that it is stored as blocked (left-work.N3)", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("i"));
    const waiting = fetchOrchestration(store, { ...STRANGER, pollTimeoutMs: 10_000 });
    await store.clock.advance(HEAD_START_MS - 1);
    expect((await store.provider.admin.listBlocked({ instanceId: "i" })).blocked).toEqual([]);
    await store.clock.advance(1);
    await releaseAsBlocked(store, given(await waiting, "the start").lockToken);
    await store.clock.advance(BACK_OFF_MS);
    expect(await mustFetch(store, STRANGER)).toMatchObject({ attemptCount: 1, blocked: { attempts: 1 } });
  });

  inMemory("is left again where the process that had its code died", async (store) => {
    await store.provider.enqueueForOrchestrator(startItem("i"));
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    await mustFetch(store, { ...KNOWER, lockTimeoutMs: 5_000 });
    await store.clock.advance(5_000);
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    expect((await mustFetch(store, KNOWER)).attemptCount).toBe(2);
  });

  it("is not locked twice: one that a process without its code holds is for no other", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("i"));
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    await store.clock.advance(HEAD_START_MS);
    await mustFetch(store, STRANGER);
    expect(await fetchOrchestration(store, KNOWER)).toBeUndefined();
  });

  inMemory("with a cancellation needs no code", async (store) => {
    await createInstance(store, "i");
    await store.provider.enqueueForOrchestrator({ kind: "CancelInstance", instance: "i", reason: "enough" });
    expect(await fetchOrchestration(store, STRANGER)).toBeDefined();
  });

  inMemory("of a version that the fetch does not admit stays, although it has the name", async (store) => {
    const metadata = { pinnedVersion: semver("1.0.0") };
    await createInstance(store, "i", { metadata });
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    const supportedVersions = [{ min: semver("2.0.0"), max: semver("2.9.0") }];
    expect(await fetchOrchestration(store, { ...KNOWER, supportedVersions })).toBeUndefined();
    expect(await fetchOrchestration(store, KNOWER)).toBeDefined();
  });

  it("of a version that the fetch lacks goes to a fetch that has it, whatever the back-off (left-work.N1, left-work.N2)", async () => {
    await using store = await openMemory();
    const start = startItem("i", { version: "1.0.0" });
    const newer = { ...KNOWER, versions: new Set(["TestOrch@2.0.0"]) };
    const both = { ...KNOWER, versions: new Set(["TestOrch@1.0.0", "TestOrch@2.0.0"]) };
    await store.provider.enqueueForOrchestrator(start);
    expect(await fetchOrchestration(store, newer)).toBeUndefined();
    await store.clock.advance(HEAD_START_MS);
    await releaseAsBlocked(store, (await mustFetch(store, newer)).lockToken);
    expect(await mustFetch(store, both)).toMatchObject({ attemptCount: 1, blocked: { attempts: 1 } });
  });

  inMemory("of a start without a version is for every version", async (store) => {
    await store.provider.enqueueForOrchestrator(startItem("i", { version: null }));
    const fetched = await mustFetch(store, { ...KNOWER, versions: new Set(["TestOrch@2.0.0"]) });
    expect(fetched.item.instanceId).toBe("i");
  });

  inMemory("left to a name is left again to the version of it that only another fetch has", async (store) => {
    const start = startItem("i", { version: "1.0.0" });
    await store.provider.enqueueForOrchestrator(start);
    expect(await fetchOrchestration(store, STRANGER)).toBeUndefined();
    const newer = { ...KNOWER, versions: new Set(["TestOrch@2.0.0"]) };
    expect(await fetchOrchestration(store, newer)).toBeUndefined();
    expect((await mustFetch(store, KNOWER)).attemptCount).toBe(1);
  });

  inMemory("does not hide another one", async (store) => {
    for (let n = 0; n < 120; n++) await store.provider.enqueueForOrchestrator(startItem(`unknown-${n}`));
    await store.provider.enqueueForOrchestrator(startItem("known", { orchestration: "Other" }));
    expect((await mustFetch(store, STRANGER)).item.instanceId).toBe("known");
  });
});

describe("an activity", () => {
  it("is left by a worker without its code, and goes to one with it (left-work.N1, left-work.N2)", async () => {
    await using store = await openFile();
    await createInstance(store, "i", {
      historyDelta: [scheduled("i", 2)],
      workerItems: [activity("i", 2)],
    });
    expect(await fetchWork(store, OTHER_WORKER)).toBeUndefined();
    const { attemptCount, item } = await mustFetchWork(await store.openAnother(), WORKER);
    expect([attemptCount, item.name]).toEqual([1, "work"]);
  });

  it("goes to a worker with its code before the back-off of another one is over (left-work.N2, left-work.N3)", async () => {
    await using store = await openMemory();
    await createInstance(store, "i", {
      historyDelta: [scheduled("i", 2)],
      workerItems: [activity("i", 2)],
    });
    expect(await fetchWork(store, OTHER_WORKER)).toBeUndefined();
    await store.clock.advance(HEAD_START_MS);
    const { lockToken } = await mustFetchWork(store, OTHER_WORKER);
    const blocked = { reason: "missing-activity", detail: "not here" } as const;
    await store.provider.abandonWorkItem(lockToken, { delayMs: BACK_OFF_MS, ignoreAttempt: true, blocked });
    expect(await mustFetchWork(store, WORKER)).toMatchObject({ attemptCount: 1, blocked: { attempts: 1 } });
  });

  inMemory("is left where it would have been taken in the transaction that schedules it", async (store) => {
    const stranger = fetchWork(store, { ...OTHER_WORKER, pollTimeoutMs: 500 });
    const knower = fetchWork(store, { ...WORKER, pollTimeoutMs: 500 });
    await store.clock.settle();
    await createInstance(store, "i", {
      historyDelta: [scheduled("i", 2)],
      workerItems: [activity("i", 2)],
    });
    expect((await knower)?.item.name).toBe("work");
    await store.clock.advance(500);
    expect(await stranger).toBeUndefined();
  });

  inMemory("of a session is left without claiming the session", async (store) => {
    await createInstance(store, "i", { workerItems: [activity("i", 2, { session_id: "s" })] });
    const sessionOf = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: 30_000 } });
    expect(await fetchWork(store, { ...OTHER_WORKER, ...sessionOf("a") })).toBeUndefined();
    expect(await fetchWork(store, WORKER)).toBeUndefined();
    expect((await mustFetchWork(store, { ...WORKER, ...sessionOf("b") })).item.session_id).toBe("s");
  });

  inMemory("of a tag that the worker does not serve stays, although it has the name", async (store) => {
    await createInstance(store, "i", { workerItems: [activity("i", 2, { tag: "gpu" })] });
    const tags = { tagFilter: { kind: "tags", tags: ["gpu"] } } as const;
    expect(await fetchWork(store, { ...OTHER_WORKER, ...tags })).toBeUndefined();
    expect(await fetchWork(store, WORKER)).toBeUndefined();
    expect((await mustFetchWork(store, { ...WORKER, ...tags })).item.tag).toBe("gpu");
  });
});

describe("two runtimes with different versions", () => {
  it("serve instances of both, although one lacks the version of an instance and looks first", async () => {
    await using store = await openMemory();
    const versionOf = (version: string) =>
      orchestration("bill", { version }, async (ctx) => {
        await ctx.waitForEvent("go");
        return version;
      });
    const common = { clock: store.clock, logger: silentLogger, provider: store.provider };
    const old = await Runtime.start({ ...common, orchestrations: [versionOf("1.0.0")] });
    const client = new Client(store.provider, { clock: store.clock });
    const bill = await client.start("bill", { instanceId: "b" });
    await store.clock.advance(100);
    const down = old.shutdown();
    await store.clock.advance(60_000);
    await down;
    const newer = await Runtime.start({ ...common, orchestrations: [versionOf("2.0.0")] });
    const same = await Runtime.start({ ...common, orchestrations: [versionOf("1.0.0")] });
    await bill.raise("go");
    const result = bill.result();
    await store.clock.advance(HEAD_START_MS / 2);
    expect(await result).toBe("1.0.0");
    const end = Promise.all([newer.shutdown(), same.shutdown()]);
    await store.clock.advance(60_000);
    await end;
  });
});

describe("two runtimes with different orchestrations and activities", () => {
  onFile("serve one file without waiting for back-offs, whichever looks first", async (store) => {
    const other = await store.openAnother();
    const greet = defineActivity("greet", async (_ctx, whom: string) => `hello ${whom}`);
    const left = orchestration("left", async (ctx, whom: string) => ctx.scheduleActivity(greet, whom));
    const right = orchestration("right", async (ctx, whom: string) =>
      ctx.scheduleSubOrchestration(left, whom),
    );
    const common = { clock: store.clock, logger: silentLogger };
    const runtimes = [
      await Runtime.start({ ...common, provider: store.provider, orchestrations: [left] }),
      await Runtime.start({
        ...common,
        provider: other.provider,
        orchestrations: [right],
        activities: [greet],
      }),
    ];
    const client = new Client(store.provider, { clock: store.clock });
    const startedAtMs = store.clock.now();
    const instance = await client.start(right, { instanceId: "r", input: "Ada" });
    const result = instance.result();
    await store.clock.advance(HEAD_START_MS / 2);
    expect(await result).toBe("hello Ada");
    expect(store.clock.now() - startedAtMs).toBeLessThan(HEAD_START_MS);
    const down = Promise.all(runtimes.map((runtime) => runtime.shutdown()));
    await store.clock.advance(60_000);
    await down;
  });
});
