/** A fetch leaves out a history that the caller has in memory only while it equals the stored one. */
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import { eventOf, raised, scheduled, started } from "../messages.ts";
import { ack, complete, continueAsNew, createInstance, mustFetch, turn } from "../steps.ts";

const cases: GroupOfCases = {
  async "a held history is left out"(context) {
    const { provider, check } = context;
    const { historyTag } = await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context, {
      heldHistory: (id) => (id === "a" ? historyTag : undefined),
    });
    check.equal(
      [item.historyOmitted, item.history, item.kvSnapshot.size],
      [true, [], 0],
      "omitted, history, snapshot",
    );
    check.equal(item.messages, [raised("a", "poke")], "the messages");
    check.equal(
      [item.executionId, item.orchestrationName, item.version],
      [1, "TestOrch", "1.0.0"],
      "execution, name and version",
    );
  },

  async "a turn that is given back leaves the held history the current one"(context) {
    const { provider, check } = context;
    const { historyTag } = await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    for (const attempt of [1, 2]) {
      const { item, lockToken, attemptCount } = await mustFetch(context, { heldHistory: () => historyTag });
      check.equal([item.historyOmitted, attemptCount], [true, attempt], "omitted, and the attempt");
      await provider.abandonOrchestrationItem(lockToken);
    }
  },

  async "another turn's commit makes the held history stale"(context) {
    const { provider, check } = context;
    const { historyTag } = await createInstance(context, "a");
    await turn(context, "a", { historyDelta: [scheduled("a", 2)] });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context, { heldHistory: () => historyTag });
    check.equal(item.history.length, 2, "events");
  },

  async "events appended outside a turn make the held history stale"(context) {
    const { provider, check } = context;
    const { historyTag } = await createInstance(context, "a");
    await provider.appendHistory("a", 1, [scheduled("a", 2)]);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context, { heldHistory: () => historyTag });
    check.equal(item.history.length, 2, "events");
  },

  async "the history of the execution before is not taken for the current one"(context) {
    const { provider, check } = context;
    const { historyTag } = await createInstance(context, "a", {
      historyDelta: [eventOf("KeyValueSet", "a", 2, { key: "k", value: "v", last_updated_at_ms: 1 })],
    });
    await continueAsNew(context, "a", 2);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context, { heldHistory: () => historyTag });
    check.equal(item.history, [started("a", 2)], "the history");
    check.equal(item.kvSnapshot.get("k")?.value, "v", "the snapshot");
  },

  async "an unknown tag gets the whole history"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    for (const tag of ["", "undefined", "null", "1"]) {
      await provider.enqueueForOrchestrator(raised("a", "poke"));
      const fetched = await mustFetch(context, { heldHistory: () => tag });
      check.equal(fetched.item.history.length, 1, `events, for the tag ${JSON.stringify(tag)}`);
      await ack(context, fetched);
    }
  },

  async "an instance that is created again under a deleted id has a new history"(context) {
    const { provider, check, admin } = context;
    const { historyTag } = await createInstance(context, "a");
    await complete(context, "a");
    await admin.deleteInstance("a");
    await createInstance(context, "a", { historyDelta: [scheduled("a", 2)] });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context, { heldHistory: () => historyTag });
    check.equal(item.history.length, 2, "events");
  },
};

export const historyTags: readonly ProviderCase[] = casesOf("history_tags", needing(["history-tags"], cases));
