/** Order, visibility and what happens to messages for nobody (contract §4, §6.6, §10). */
import { describe, expect, it } from "vitest";
import { openFile, openMemory } from "./support/fixture.ts";
import { activity, completion, queueMessage, raised, started, startItem, timer } from "./support/messages.ts";
import {
  ack,
  createInstance,
  fail,
  fetchOrchestration,
  fetchWork,
  LOCK_MS,
  mustFetch,
  mustFetchWork,
} from "./support/turns.ts";

describe("the worker queue", () => {
  it("is first in, first out, also within a millisecond", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await Promise.all([0, 1, 2, 3, 4].map((id) => provider.enqueueForWorker(activity("i", id))));
    for (const id of [0, 1, 2, 3, 4]) expect((await mustFetchWork(provider)).item.id).toBe(id);
    expect(await fetchWork(provider)).toBeUndefined();
  });

  it("serves several waiting workers in the order in which they came", async () => {
    await using store = await openMemory();
    const { provider } = store;
    const waiting = [1, 2, 3].map(() => fetchWork(provider, { pollTimeoutMs: 1_000 }));
    await provider.enqueueForWorker(activity("i", 1));
    await provider.enqueueForWorker(activity("i", 2));
    const [first, second] = await Promise.all(waiting.slice(0, 2));
    expect([first?.item.id, second?.item.id]).toEqual([1, 2]);
    await store.clock.advance(1_000);
    expect(await waiting[2]).toBeUndefined();
  });

  it("hides a delayed activity without hiding later ones, and keeps its place", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    for (const id of [1, 2, 3]) await provider.enqueueForWorker(activity("i", id));
    await provider.abandonWorkItem((await mustFetchWork(provider)).lockToken, { delayMs: 500 });
    const second = await mustFetchWork(provider);
    expect(second.item.id).toBe(2);
    await clock.advance(500);
    expect((await mustFetchWork(provider)).item.id).toBe(1);
    expect((await mustFetchWork(provider)).item.id).toBe(3);
  });

  it("gives an activity to one worker until its lock ends", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForWorker(activity("i", 1));
    await mustFetchWork(provider);
    expect(await fetchWork(provider)).toBeUndefined();
    await clock.advance(LOCK_MS);
    expect((await mustFetchWork(provider)).attemptCount).toBe(2);
  });

  it("turns an activity into its outcome in one step", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForWorker(activity("i", 2));
    const { lockToken } = await mustFetchWork(provider);
    await provider.ackWorkItem(lockToken, completion("i", 2, "42"));
    expect(await fetchWork(provider)).toBeUndefined();
    expect((await mustFetch(provider)).item.messages).toEqual([completion("i", 2, "42")]);
    await fail(provider.ackWorkItem(lockToken, completion("i", 2)), "lock-lost");
  });

  it("refuses anything but activities, and the other queue refuses activities", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await fail(provider.enqueueForWorker(startItem("i") as never), "invalid-input");
    await fail(provider.enqueueForOrchestrator(activity("i", 1) as never), "invalid-input");
    await provider.enqueueForWorker(activity("i", 1));
    const { lockToken } = await mustFetchWork(provider);
    await fail(provider.ackWorkItem(lockToken, raised("i", "e") as never), "invalid-input");
    await provider.ackWorkItem(lockToken);
    expect(await fetchOrchestration(provider)).toBeUndefined();
  });
});

describe("the orchestrator queue", () => {
  it("shows a delayed message when its time has come, whatever the message says", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(timer("i", clock.now() - 5_000), 5_000);
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(5_000);
    expect((await mustFetch(provider)).item.messages).toHaveLength(1);
  });

  it("shows a timer from a turn at its own time", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    const fireAtMs = clock.now() + 60_000;
    await createInstance(provider, "i", { orchestratorItems: [timer("i", fireAtMs)] });
    await clock.advance(59_999);
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(1);
    expect((await mustFetch(provider)).item.messages).toEqual([timer("i", fireAtMs)]);
  });

  it("keeps the place of a message that was hidden", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "one"), 100);
    await provider.enqueueForOrchestrator(raised("i", "two"));
    await clock.advance(100);
    const { item } = await mustFetch(provider);
    expect(item.messages).toEqual([raised("i", "one"), raised("i", "two")]);
  });

  it("bears delays beyond any calendar", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "never"), Number.MAX_SAFE_INTEGER);
    const endless = { kind: "TimerFired", instance: "i", execution_id: 1, id: 2 } as const;
    await provider.enqueueForOrchestrator(raised("i", "now"));
    await ack(provider, await mustFetch(provider), {
      orchestratorItems: [{ ...endless, fire_at_ms: 2n ** 64n - 1n }],
    });
    await clock.advance(1_000);
    expect(await fetchOrchestration(provider)).toBeUndefined();
  });
});

describe("messages for an instance that nobody has started", () => {
  it("are dropped with a warning if they are queue messages", async () => {
    const warnings: string[] = [];
    await using store = await openMemory({
      onWarning: (text, { instanceId }) => warnings.push(`${instanceId}: ${text}`),
    });
    const { provider } = store;
    await provider.enqueueForOrchestrator(queueMessage("nobody", "q"));
    await provider.enqueueForOrchestrator(queueMessage("nobody", "q"));
    expect(await fetchOrchestration(provider)).toBeUndefined();
    expect(await provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 0, timerQueue: 0 });
    expect(warnings).toEqual([expect.stringMatching(/^nobody: .*2 queue message/)]);
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(queueMessage("i", "q"));
    expect((await mustFetch(provider)).item.messages).toHaveLength(1);
  });

  it("wait for their start, which finds them in order and not counted as attempts", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator({ kind: "CancelInstance", instance: "i", reason: "r" });
    for (let n = 0; n < 5; n++) {
      expect(await fetchOrchestration(provider)).toBeUndefined();
      await clock.advance(10_000);
    }
    await provider.enqueueForOrchestrator(startItem("i"));
    const { item, attemptCount } = await mustFetch(provider);
    expect(item.messages.map(({ kind }) => kind)).toEqual(["CancelInstance", "StartOrchestration"]);
    expect(attemptCount).toBe(1);
  });

  it("do not block other instances, and are looked at less and less often", async () => {
    await using store = await openFile();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(raised("stray", "e"));
    await createInstance(provider, "i");
    const dueAt = (): unknown =>
      store
        .openRaw()
        .prepare("SELECT due_at - ? AS ms FROM instances WHERE instance_id = 'stray'")
        .get(clock.now());
    const waits: unknown[] = [dueAt()];
    for (const ms of [1_000, 2_000, 4_000]) {
      await clock.advance(ms);
      expect(await fetchOrchestration(provider)).toBeUndefined();
      waits.push(dueAt());
    }
    expect(waits).toEqual([{ ms: 1_000 }, { ms: 2_000 }, { ms: 4_000 }, { ms: 8_000 }]);
  });

  it("are not confused with messages of an instance whose history cannot be read", async () => {
    await using store = await openFile();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    await ack(provider, await mustFetch(provider), { historyDelta: [] });
    await provider.appendHistory("i", 1, [started("i")]);
    store.openRaw().exec("UPDATE history SET event = '{}'");
    await provider.enqueueForOrchestrator(queueMessage("i", "q"));
    const { item } = await mustFetch(provider);
    expect(item.historyError).toBeDefined();
    expect(item.messages).toHaveLength(1);
  });
});
