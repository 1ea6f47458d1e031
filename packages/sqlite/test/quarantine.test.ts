/** Queue rows that cannot be decoded are set aside, never lost, and never in the way. */
import { describe, expect, it } from "vitest";
import { openFile } from "./support/fixture.ts";
import { activity, raised } from "./support/messages.ts";
import { createInstance, fetchOrchestration, fetchWork, mustFetch } from "./support/turns.ts";

describe("a row that cannot be decoded", () => {
  it("is left out of a batch, the rest of which is delivered", async () => {
    const warnings: { readonly message: string; readonly instanceId: string }[] = [];
    await using store = await openFile({
      onWarning: (message, fields) => warnings.push({ message, ...fields }),
    });
    const { provider, clock } = store;
    await createInstance(provider, "i");
    for (const name of ["one", "two", "three"]) await provider.enqueueForOrchestrator(raised("i", name));
    const raw = store.openRaw();
    raw.exec(`UPDATE orchestrator_queue SET work_item = '{"Unheard":{}}' WHERE work_item LIKE '%two%'`);
    const { item } = await mustFetch(provider);
    expect(item.messages).toEqual([raised("i", "one"), raised("i", "three")]);
    await clock.settle();
    expect(warnings).toEqual([{ message: expect.stringMatching(/dead_letters.*Unheard/), instanceId: "i" }]);
    const letters = raw
      .prepare("SELECT queue, instance_id, work_item, reason, moved_at FROM dead_letters")
      .all();
    expect(letters.map((row) => ({ ...row }))).toEqual([
      {
        queue: "orchestrator_queue",
        instance_id: "i",
        work_item: '{"Unheard":{}}',
        reason: expect.stringMatching(/Unheard/),
        moved_at: clock.now(),
      },
    ]);
  });

  it("that is all there is leaves the instance idle and unlocked", async () => {
    await using store = await openFile();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "bad"));
    store.openRaw().exec("UPDATE orchestrator_queue SET work_item = 'not json'");
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await provider.enqueueForOrchestrator(raised("i", "good"));
    expect((await mustFetch(provider)).item.messages).toEqual([raised("i", "good")]);
  });

  it("does not keep a fetch from what stands behind it in either queue", async () => {
    await using store = await openFile();
    const { provider } = store;
    for (const id of [1, 2]) await provider.enqueueForWorker(activity("i", id));
    const raw = store.openRaw();
    raw.exec("UPDATE worker_queue SET work_item = '[]' WHERE activity_id = 1");
    expect((await fetchWork(provider))?.item.id).toBe(2);
    for (const id of ["a", "b"]) await createInstance(provider, id);
    for (const id of ["a", "b"]) await provider.enqueueForOrchestrator(raised(id, "e"));
    raw.exec(
      "UPDATE orchestrator_queue SET work_item = '[]' WHERE id = (SELECT min(id) FROM orchestrator_queue)",
    );
    expect((await mustFetch(provider)).item.instanceId).toBe("b");
    expect(raw.prepare("SELECT queue FROM dead_letters ORDER BY id").all()).toHaveLength(2);
  });
});
