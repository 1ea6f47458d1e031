/**
 * Messages of one transaction to one instance: only the first of them has to make the instance due (effects.F2).
 */
import {
  ack,
  createInstance,
  fetchOrchestration,
  mustFetch,
  queueMessage,
  raised,
  scheduled,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { onFile, openFile, proveTurnsShort } from "./support/fixture.ts";

function namesOf(messages: readonly { readonly kind: string; readonly name?: string }[]): readonly string[] {
  return messages.map(({ kind, name }) => name ?? kind);
}

describe("of several messages to an instance in one transaction", () => {
  onFile("each is delivered, in their order", async (store) => {
    const { provider } = store;
    await createInstance(store, "i");
    await Promise.all(["a", "b", "c"].map((name) => provider.enqueueForOrchestrator(raised("i", name))));
    expect(namesOf((await mustFetch(store)).item.messages)).toEqual(["a", "b", "c"]);
  });

  it("the second is delivered though the instance was deleted between the two (effects.F2)", async () => {
    await using store = await openFile();
    const { provider } = store;
    await createInstance(store, "i");
    // The key of "i" is not used again.
    await createInstance(store, "newer");
    await Promise.all([
      provider.enqueueForOrchestrator(raised("i", "lost")),
      provider.admin.deleteInstance("i", { force: true }),
      provider.enqueueForOrchestrator(raised("i", "kept")),
      provider.enqueueForOrchestrator(startItem("i")),
    ]);
    expect(namesOf((await mustFetch(store)).item.messages)).toEqual(["kept", "StartOrchestration"]);
  });

  it("one that comes while a turn of the instance runs in the transaction waits for the next turn", async () => {
    await using store = await openFile();
    const { provider, clock } = store;
    await proveTurnsShort(store);
    const { historyTag: tag } = await createInstance(store, "i");
    const waiting = provider.fetchOrchestrationItem({
      lockTimeoutMs: 10_000,
      pollTimeoutMs: 1_000,
      heldHistory: () => tag,
    });
    await clock.settle();
    const first = provider.enqueueForOrchestrator(raised("i", "first"));
    const fetched = await waiting;
    if (fetched === undefined) return expect.fail("nothing was fetched");
    await Promise.all([
      first,
      provider.enqueueForOrchestrator(raised("i", "second")),
      ack(store, fetched, { historyDelta: [scheduled("i", 2)] }),
      provider.enqueueForOrchestrator(raised("i", "third")),
    ]);
    expect(namesOf((await mustFetch(store)).item.messages)).toEqual(["second", "third"]);
  });

  it("the second is delivered though the first was dropped between the two, with all of the instance (effects.F2)", async () => {
    await using store = await openFile();
    const { provider, clock } = store;
    await proveTurnsShort(store);
    const early = fetchOrchestration(store, { pollTimeoutMs: 1_000 });
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000 });
    await clock.settle();
    const first = [
      provider.enqueueForOrchestrator(queueMessage("late", "q")),
      provider.enqueueForOrchestrator(startItem("i")),
    ];
    const fetched = await early;
    if (fetched === undefined) return expect.fail("nothing was fetched");
    await Promise.all([
      ...first,
      provider.enqueueForOrchestrator(raised("late", "second")),
      ack(store, fetched, { historyDelta: [started("i")] }),
    ]);
    await provider.enqueueForOrchestrator(startItem("late"));
    expect(namesOf((await waiting)?.item.messages ?? [])).toEqual(["second", "StartOrchestration"]);
  });
});
