/** Reads of clients: each result is one consistent view, and a read changes nothing (hazard W69). */
import { casesOf, needing, type ProviderCase } from "../case.ts";
import { activity, completion, eventOf, failed, raised, started, startItem } from "../messages.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  given,
  mustFetch,
  mustFetchWork,
  turn,
} from "../steps.ts";

/** Time in the year 2255, far ahead of any clock of a store. */
const FAR_MS = 9_000_000_000_000;

export const reading: readonly ProviderCase[] = casesOf("reading", {
  async "status, output and custom status come in one answer"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", {
      historyDelta: [eventOf("CustomStatusUpdated", "a", 2, { status: "half" })],
    });
    await complete(context, "a");
    check.equal(
      await provider.getInstanceStatus("a"),
      { executionId: 1, status: "Completed", output: "{}", customStatus: "half", customStatusVersion: 1 },
      "the answer",
    );
  },

  async "the details of a failure are those of the last event, where they are shown"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    const last = failed("a", 3, "second");
    await turn(context, "a", {
      historyDelta: [failed("a", 2, "first"), last],
      metadata: { status: "Failed", output: "second" },
    });
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.status, status?.output], ["Failed", "second"], "status and output");
    const details = last.type === "OrchestrationFailed" ? last.details : undefined;
    // A provider that would need another read leaves it out.
    check.equal(status?.failure ?? details, details, "the failure");
  },

  async "everything about an unknown instance is nothing"(context) {
    const { provider, check } = context;
    check.absent(await provider.getInstanceStatus("nobody"), "the status");
    check.absent(await provider.getInstanceStats("nobody"), "the stats");
    check.absent((await provider.getKvValues("nobody", "k")).get("k"), "an entry");
    check.equal(await provider.getKvValues("nobody"), new Map(), "all entries");
    check.equal(await provider.readHistory("nobody"), [], "the history");
    check.equal(await provider.readHistory("nobody", 7), [], "the history of an execution");
  },

  async "readers find a key at every moment of a merge"(context) {
    const { provider, check } = context;
    const set = (id: number, value: string) =>
      eventOf("KeyValueSet", "a", id, { key: "k", value, last_updated_at_ms: 1 });
    await createInstance(context, "a", { historyDelta: [set(2, "first")] });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await mustFetch(context);
    const commit = ack(context, fetched, {
      historyDelta: [set(3, "second")],
      metadata: { status: "Completed", output: "" },
    });
    const seen: (string | undefined)[] = [];
    for (let n = 0; n < 20; n++) seen.push((await provider.getKvValues("a", "k")).get("k"));
    await commit;
    check.isTrue(
      seen.every((value) => value === "first" || value === "second"),
      `values seen: ${seen.join(", ")}`,
    );
    check.equal((await provider.getKvValues("a", "k")).get("k"), "second", "the value in the end");
  },

  async "stats count the current execution, in bytes of UTF-8"(context) {
    const { provider, check } = context;
    const first = started("a", 1, {
      input: "ü".repeat(10),
      carry_forward_events: [
        ["inbox", "1"],
        ["inbox", "2"],
      ],
    });
    await provider.enqueueForOrchestrator(startItem("a"));
    const value = "ß".repeat(7);
    const second = eventOf("KeyValueSet", "a", 2, { key: "k", value, last_updated_at_ms: 1 });
    await ack(context, await mustFetch(context), {
      historyDelta: [first, second],
      metadata: { orchestrationName: "T", orchestrationVersion: "1.0.0" },
    });
    const bytes = Buffer.byteLength(JSON.stringify(first)) + Buffer.byteLength(JSON.stringify(second));
    check.equal(
      await provider.getInstanceStats("a"),
      {
        historyEventCount: 2,
        historySizeBytes: bytes,
        queuePendingCount: 2,
        kvUserKeyCount: 1,
        kvTotalValueBytes: 14,
      },
      "the stats",
    );
    await continueAsNew(context, "a", 2);
    const next = await provider.getInstanceStats("a");
    check.equal([next?.historyEventCount, next?.queuePendingCount], [1, 0], "events of the next execution");
    check.equal(next?.historySizeBytes, Buffer.byteLength(JSON.stringify(started("a", 2))), "their bytes");
    check.equal([next?.kvUserKeyCount, next?.kvTotalValueBytes], [1, 14], "key-value entries, of both");
  },

  ...needing(["watching"], {
    async "a watcher is told of the commits that clients can see"(context) {
      const { provider, check, time } = context;
      await createInstance(context, "a");
      await createInstance(context, "b");
      let told = 0;
      const stop = provider.watchInstance?.("a", () => {
        told++;
      });
      await turn(context, "a", { metadata: { status: "Completed", output: "x" } });
      await time.pass(1);
      check.isTrue(told > 0, "the watcher was told");
      const before = told;
      stop?.();
      await turn(context, "a");
      await time.pass(1);
      check.equal(told, before, "how often, after it has stopped");
    },
  }),

  ...needing(["changed-instances"], {
    async "the changed of many instances are named, and another commit changes their text"(context) {
      const { provider, check } = context;
      const changed = async (ids: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, string>> =>
        given(await provider.changedInstances?.(ids, sinceMs), "no changedInstances");
      for (const id of ["a", "b", "c"]) await createInstance(context, id);
      const before = await changed(["a", "c", "unknown"], 0);
      check.equal([...before.keys()].sort(), ["a", "c"], "instances that exist");
      await turn(context, "a", { metadata: { status: "Completed", output: "x" } });
      const after = await changed(["a", "c"], 0);
      check.isTrue(after.get("a") !== before.get("a"), "the text of the changed one is another");
      check.equal(after.get("c"), before.get("c"), "the text of the other");
      check.equal((await changed([], 0)).size, 0, "instances of no ids");
      const late = await changed(["a"], FAR_MS);
      check.equal(late.size, 0, "changes of a later century");
    },
  }),

  async "an activity has begun once it was fetched, and has when it has ended"(context) {
    const { provider, check } = context;
    const begun = async (activityId: number, executionId = 1): Promise<boolean> =>
      given(await provider.hasBegun({ instanceId: "a", executionId, activityId }), "no hasBegun");
    await createInstance(context, "a", { workerItems: [activity("a", 2), activity("a", 3)] });
    check.equal([await begun(2), await begun(3)], [false, false], "before a fetch");
    const { item, lockToken } = await mustFetchWork(context);
    check.equal([await begun(Number(item.id)), await begun(5 - Number(item.id))], [true, false], "after it");
    await provider.ackWorkItem(lockToken, completion("a", Number(item.id)));
    check.equal(
      [await begun(Number(item.id)), await begun(2, 2)],
      [true, true],
      "after its end, and elsewhere",
    );
  },

  async "reading changes neither attempts nor locks"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    await Promise.all([
      provider.readHistory("a"),
      provider.getInstanceStatus("a"),
      provider.getInstanceStats("a"),
    ]);
    const fetched = await mustFetch(context);
    check.equal(fetched.attemptCount, 1, "attempts");
    await Promise.all([
      provider.readHistory("a"),
      provider.getInstanceStatus("a"),
      provider.getKvValues("a"),
    ]);
    await ack(context, fetched);
    check.equal((await provider.getInstanceStatus("a"))?.status, "Running", "the status after the commit");
  },
});
