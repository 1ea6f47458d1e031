/** Pruning by date, by number, and beside live work (hazards W48 and W49). */
import { casesOf, type ProviderCase } from "../case.ts";
import { activity, eventOf, raised } from "../messages.ts";
import { executionIds, executionInfo, pruneOne } from "../reads.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  customStatusOf,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  turn,
} from "../steps.ts";

export const pruning: readonly ProviderCase[] = casesOf("pruning", {
  async "a prune by date and by number removes what both allow"(context) {
    const { check, admin, time } = context;
    await createInstance(context, "a");
    for (const next of [2, 3, 4]) await continueAsNew(context, "a", next);
    await time.pass(10);
    const completedBeforeMs = time.now();
    await pruneOne(admin, "a", { completedBeforeMs, keepLast: 3 });
    check.equal(await executionIds(admin, "a"), [2, 3, 4], "the executions");
  },

  async "a prune by date keeps what ended at that very instant"(context) {
    const { check, admin } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    const { completedAtMs = 0 } = await executionInfo(admin, "a", 1);
    const prune = (completedBeforeMs: number) => pruneOne(admin, "a", { completedBeforeMs });
    check.equal((await prune(completedAtMs)).executionsDeleted, 0, "executions, with the instant itself");
    check.equal((await prune(completedAtMs + 1)).executionsDeleted, 1, "executions, with the next one");
  },

  async "keeping more executions than there are removes nothing"(context) {
    const { check, admin } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    check.equal((await pruneOne(admin, "a", { keepLast: 9 })).executionsDeleted, 0, "executions");
    check.equal(await executionIds(admin, "a"), [1, 2], "what is left");
  },

  async "a prune never removes an execution that runs, though it is not the current one"(context) {
    const { check, admin } = context;
    await createInstance(context, "a");
    await turn(context, "a", { executionId: 2 });
    check.equal((await pruneOne(admin, "a", {})).executionsDeleted, 0, "executions");
    check.equal(await executionIds(admin, "a"), [1, 2], "what is left");
  },

  async "a prune of many instances honours date and limit"(context) {
    const { check, admin } = context;
    for (const id of ["a", "b", "c"]) {
      await createInstance(context, id);
      await continueAsNew(context, id, 2);
    }
    const limited = await admin.pruneInstances({}, { keepLast: 1, limit: 2 });
    check.equal([limited.instancesProcessed, limited.executionsDeleted], [2, 2], "with a limit of two");
    const some = await admin.pruneInstances({ instanceIds: ["a", "nobody"] }, { keepLast: 1 });
    check.equal(some.instancesProcessed, 1, "of those that are named, processed");
    const past = await admin.pruneInstances({ instanceIds: ["a", "b", "c"] }, { completedBeforeMs: 1 });
    check.equal(past.executionsDeleted, 0, "with a date long ago");
    check.equal(
      (await admin.pruneInstances({ instanceIds: [] }, {})).instancesProcessed,
      0,
      "of no instance",
    );
  },

  async "a prune of many goes by the end of the instances, and passes over those that run"(context) {
    const { check, admin } = context;
    for (const id of ["running", "ended"]) {
      await createInstance(context, id);
      await continueAsNew(context, id, 2);
    }
    await complete(context, "ended");
    const { completedAtMs = 0 } = await executionInfo(admin, "ended", 2);
    const prune = async (completedBeforeMs: number): Promise<number> =>
      (await admin.pruneInstances({ completedBeforeMs }, {})).instancesProcessed;
    check.equal(await prune(completedAtMs), 0, "instances, with the instant of the end");
    check.equal(await prune(completedAtMs + 1), 1, "instances, with the next one");
    check.equal(await executionIds(admin, "running"), [1, 2], "executions of what runs");
  },

  async "a prune touches neither key-value entries nor custom status nor queues"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "a", {
      historyDelta: [
        eventOf("KeyValueSet", "a", 2, { key: "k", value: "v", last_updated_at_ms: 1 }),
        eventOf("CustomStatusUpdated", "a", 3, { status: "s" }),
      ],
      workerItems: [activity("a", 9)],
    });
    await continueAsNew(context, "a", 2);
    await provider.enqueueForOrchestrator(raised("a", "waiting"));
    await pruneOne(admin, "a", {});
    check.equal((await provider.getKvValues("a", "k")).get("k"), "v", "the entry");
    check.equal((await customStatusOf(context, "a", 0))?.status, "s", "the custom status");
    check.equal((await fetchWork(context))?.item.id, 9, "the activity of the pruned execution");
    check.equal((await fetchOrchestration(context))?.item.messages, [raised("a", "waiting")], "the message");
  },

  async "a prune during a turn does not disturb its commit"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await mustFetch(context);
    await pruneOne(admin, "a", {});
    await ack(context, fetched, { metadata: { status: "Completed", output: "done" } });
    check.equal((await provider.getInstanceStatus("a"))?.output, "done", "the output");
    check.equal(await provider.readHistory("a", 1), [], "the pruned history");
  },
});
