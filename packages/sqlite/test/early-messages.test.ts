/** Messages whose instance was not started yet. */
import {
  createInstance,
  fetchOrchestration,
  mustFetch,
  queueMessage,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { inMemory, onFile, openMemory } from "./support/fixture.ts";

describe("messages for an instance that has not been started", () => {
  it("are dropped with a warning if they are queue messages", async () => {
    const warnings: string[] = [];
    await using store = await openMemory({
      onWarning: (text, { instanceId }) => warnings.push(`${instanceId}: ${text}`),
    });
    const { provider } = store;
    await provider.enqueueForOrchestrator(queueMessage("unknown", "q"));
    await provider.enqueueForOrchestrator(queueMessage("unknown", "q"));
    expect(await fetchOrchestration(store)).toBeUndefined();
    expect(await provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 0, timerQueue: 0 });
    expect(warnings).toEqual([expect.stringMatching(/^unknown: .*2 queue message/)]);
  });

  inMemory("wait for their start, and are at once delivered with it, in order", async (store) => {
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator({ kind: "CancelInstance", instance: "i", reason: "r" });
    for (let n = 0; n < 5; n++) {
      expect(await fetchOrchestration(store)).toBeUndefined();
      await clock.advance(10_000);
    }
    await provider.enqueueForOrchestrator(startItem("i"));
    const { item, attemptCount } = await mustFetch(store);
    expect(item.messages.map(({ kind }) => kind)).toEqual(["CancelInstance", "StartOrchestration"]);
    expect(attemptCount).toBe(1);
  });

  inMemory("come with a start that was hidden before them, the moment that it is due", async (store) => {
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"), 1_000);
    await provider.enqueueForOrchestrator(raised("i", "e"));
    await clock.advance(999);
    expect(await fetchOrchestration(store)).toBeUndefined();
    await clock.advance(1);
    const kinds = (await mustFetch(store)).item.messages.map(({ kind }) => kind);
    expect(kinds).toEqual(["StartOrchestration", "ExternalRaised"]);
  });

  onFile("do not block other instances, and are looked at less and less often", async (store) => {
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(raised("stray", "e"));
    await createInstance(store, "i");
    const dueAt = (): unknown =>
      store
        .openRaw()
        .prepare("SELECT due_at - ? AS ms FROM instances WHERE instance_id = 'stray'")
        .get(clock.now());
    const waits: unknown[] = [dueAt()];
    for (const ms of [1_000, 2_000, 4_000]) {
      await clock.advance(ms);
      expect(await fetchOrchestration(store)).toBeUndefined();
      waits.push(dueAt());
    }
    expect(waits).toEqual([{ ms: 1_000 }, { ms: 2_000 }, { ms: 4_000 }, { ms: 8_000 }]);
  });
});
