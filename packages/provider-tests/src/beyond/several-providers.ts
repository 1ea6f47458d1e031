/**
 * Several processes share one store: a lock of one excludes all, and all read the commits of each (hazards W6 and W70).
 */
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, raised, scheduled, started, startItem } from "../messages.ts";
import {
  ack,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  mustFetch,
  mustFetchWork,
  passLock,
  turn,
} from "../steps.ts";

/** A fetch with a poll timeout, because another process may find work only when it polls. */
const PATIENCE = { pollTimeoutMs: 5_000 } as const;

/** The work that the provider finds within the timeout, if any. */
async function find(context: CaseContext, call: () => Promise<unknown>): Promise<unknown> {
  return (await context.time.measure(call, 10_000)).value;
}

const cases: GroupOfCases = {
  async "an instance that one locked is locked for the other, until it expires"(context) {
    const other = await context.openAnother();
    await context.provider.enqueueForOrchestrator(startItem("a"));
    await mustFetch(context);
    context.check.absent(await fetchOrchestration(other), "a fetch by the other");
    await passLock(context);
    context.check.present(await fetchOrchestration(other), "a fetch after the lease");
  },

  async "one history grows by turns on both sides"(context) {
    const { check } = context;
    const other = await context.openAnother();
    await createInstance(context, "a");
    for (let id = 2; id <= 9; id += 2) {
      await turn(other, "a", { historyDelta: [scheduled("a", id)] });
      const { item } = await turn(context, "a", { historyDelta: [scheduled("a", id + 1)] });
      check.equal(item.history.length, id, `events that the turn after ${id} saw`);
    }
    check.equal((await other.provider.readHistory("a")).length, 9, "events in the end");
  },

  async "what one has committed the other reads at once"(context) {
    const { check } = context;
    const other = await context.openAnother();
    await createInstance(context, "a");
    await turn(context, "a", {
      historyDelta: [scheduled("a", 2)],
      metadata: { status: "Completed", output: "o" },
    });
    check.equal((await other.provider.getInstanceStatus("a"))?.output, "o", "the output");
    check.equal((await other.provider.readHistory("a")).length, 2, "events");
  },

  async "an activity of one is run and completed by the other"(context) {
    const { check } = context;
    const other = await context.openAnother();
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const work = await find(context, () => fetchWork(other, PATIENCE));
    check.equal((work as { item: unknown } | undefined)?.item, activity("a", 2), "the activity");
    await other.provider.ackWorkItem((work as { lockToken: string }).lockToken, completion("a", 2));
    const fetched = await find(context, () => fetchOrchestration(context, PATIENCE));
    check.equal(
      (fetched as { item: { messages: unknown } } | undefined)?.item.messages,
      [completion("a", 2)],
      "the completion",
    );
  },

  async "a late holder on one side cannot commit over the other"(context) {
    const { check } = context;
    const other = await context.openAnother();
    await createInstance(context, "a");
    await context.provider.enqueueForOrchestrator(raised("a", "poke"));
    const late = await mustFetch(context);
    await passLock(context);
    const holder = await mustFetch(other);
    await check.rejects(
      ack(context, late, { historyDelta: [scheduled("a", 2)] }),
      "lock-lost",
      "the late commit",
    );
    await ack(other, holder, { historyDelta: [scheduled("a", 3)] });
    const ids = (await context.provider.readHistory("a")).map(({ event_id }) => event_id);
    check.equal(ids, [1, 3], "the events");
  },

  async "of two that fetch at once exactly one gets the instance"(context) {
    const { check } = context;
    const other = await context.openAnother();
    for (let n = 0; n < 10; n++) {
      await context.provider.enqueueForOrchestrator(startItem(`race-${n}`));
      const both = await Promise.all([fetchOrchestration(context), fetchOrchestration(other)]);
      const winners = both.filter((fetched) => fetched !== undefined);
      check.equal(winners.length, 1, `winners of race ${n}`);
      await ack(both[0] === undefined ? other : context, given(winners[0], "a winner"), {
        historyDelta: [started(`race-${n}`)],
        metadata: { orchestrationName: "T", orchestrationVersion: "1.0.0" },
      });
    }
  },

  async "a session that one owns is closed to the other"(context) {
    const { check, provider } = context;
    const other = await context.openAnother();
    for (const id of [1, 2]) await provider.enqueueForWorker(activity("a", id, { session_id: "s" }));
    await mustFetchWork(context, { session: { ownerId: "me", lockTimeoutMs: 60_000 } });
    const theirs = { session: { ownerId: "you", lockTimeoutMs: 60_000 } };
    check.absent(await fetchWork(other, theirs), "an activity of the session");
  },

  ...needing(["history-tags"], {
    async "history that the other side has changed is not taken from memory"(context) {
      const { check } = context;
      const other = await context.openAnother();
      const { historyTag } = await createInstance(context, "a");
      await turn(other, "a", { historyDelta: [scheduled("a", 2)] });
      await context.provider.enqueueForOrchestrator(raised("a", "poke"));
      const { item } = await mustFetch(context, { heldHistory: () => historyTag });
      check.isTrue(item.historyOmitted !== true, "the history was read anew");
      check.equal(item.history.length, 2, "events");
    },
  }),
};

export const severalProviders: readonly ProviderCase[] = casesOf(
  "several_providers",
  needing(["several-providers"], cases),
);
