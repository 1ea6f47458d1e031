/** Messages that arrive before the start of their instance, or for an instance without a start (hazards W22 to W24). */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { completion, NAMED, queueMessage, raised, startItem, timer } from "../messages.ts";
import { instanceIds } from "../reads.ts";
import { ack, fetchOrchestration, mustFetch } from "../steps.ts";

const childCompleted: OrchestratorItem = {
  kind: "SubOrchCompleted",
  parent_instance: "late",
  parent_execution_id: 1,
  parent_id: 2,
  result: "{}",
};

const overtaking: Readonly<Record<string, OrchestratorItem>> = {
  "a cancellation": { kind: "CancelInstance", instance: "late", reason: "changed my mind" },
  "a raised event": raised("late", "early"),
  "an activity's completion": completion("late", 2),
  "a child's completion": childCompleted,
  "a timer": timer("late", 1),
};

/** The longest time for which a store may hide a message that arrived before its start, ms. */
const LONGEST_WAIT_MS = 120_000;

interface Delivered {
  readonly messages: readonly OrchestratorItem[];
  /** The attempt count of each fetch that delivered some of them. */
  readonly attempts: readonly number[];
}

/** Lets time pass, doubling, until so many messages of the instance were fetched, its start among them. */
async function fetchWhenDue(context: CaseContext, count: number): Promise<Delivered> {
  const messages: OrchestratorItem[] = [];
  const attempts: number[] = [];
  for (let waitMs = 10; messages.length < count && waitMs <= LONGEST_WAIT_MS; waitMs *= 2) {
    const fetched = await fetchOrchestration(context);
    if (fetched !== undefined) {
      messages.push(...fetched.item.messages);
      attempts.push(fetched.attemptCount);
      await ack(context, fetched, { metadata: NAMED });
    }
    await context.time.pass(waitMs);
  }
  return { messages, attempts };
}

const kept: GroupOfCases = Object.fromEntries(
  Object.entries(overtaking).map(([name, item]) => [
    `${name} that overtakes the start is kept and delivered`,
    async (context: CaseContext) => {
      const { provider, check } = context;
      await provider.enqueueForOrchestrator(item);
      check.absent(await fetchOrchestration(context), "a batch without a start");
      check.absent(await fetchOrchestration(context), "a second look");
      await provider.enqueueForOrchestrator(startItem("late"));
      const { messages, attempts } = await fetchWhenDue(context, 2);
      check.equal(
        messages.filter((each) => each.kind === item.kind),
        [item],
        "the early message, once",
      );
      check.equal(
        messages.filter((each) => each.kind === "StartOrchestration"),
        [startItem("late")],
        "the start",
      );
      // Otherwise a message that waited long would be poison when its start arrives.
      check.equal(Math.max(...attempts), 1, "the attempts, without the looks that delivered nothing");
    },
  ]),
);

/** How long a start is delayed. On a store whose time is real, all looks before it have to be made within that. */
const START_DELAY_MS = 6_000;
/** How long before that the last look may begin. */
const SPARE_MS = 2_500;

export const earlyMessages: readonly ProviderCase[] = casesOf("early_messages", {
  ...kept,

  async "an early message does not keep a start waiting that was hidden before it came"(context) {
    const { provider, check, time } = context;
    const dueMs = time.now() + START_DELAY_MS;
    await provider.enqueueForOrchestrator(startItem("late"), START_DELAY_MS);
    await provider.enqueueForOrchestrator(raised("late", "early"));
    // Each look may hide the message for longer, at last beyond the start.
    for (; time.now() < dueMs - SPARE_MS; await time.pass(1_100)) {
      check.absent(await fetchOrchestration(context), "a batch without a start");
    }
    await time.pass(dueMs + 100 - time.now());
    const messages = (await fetchOrchestration(context))?.item.messages ?? [];
    const starts = messages.filter(({ kind }) => kind === "StartOrchestration");
    check.equal(starts, [startItem("late")], "the start, when it is due");
  },

  async "queue messages wait for a start that is queued and not visible yet"(context) {
    const { provider, check, time } = context;
    await provider.enqueueForOrchestrator(startItem("late"), START_DELAY_MS);
    await provider.enqueueForOrchestrator(queueMessage("late", "inbox"), 0, { messageId: "m" });
    check.absent(await fetchOrchestration(context), "a batch without a start");
    check.absent(await fetchOrchestration(context), "a second look");
    await time.pass(START_DELAY_MS + 100);
    const { messages, attempts } = await fetchWhenDue(context, 2);
    const kinds = messages.map(({ kind }) => kind).sort();
    check.equal(kinds, ["QueueMessage", "StartOrchestration"], "what was delivered");
    check.equal(Math.max(...attempts), 1, "the attempts, without the looks that delivered nothing");
  },

  async "a stray message does not keep a fetch from other instances"(context) {
    const { provider, check } = context;
    for (let n = 0; n < 25; n++) await provider.enqueueForOrchestrator(raised(`nobody-${n}`, "stray"));
    await provider.enqueueForOrchestrator(startItem("somebody"));
    check.equal(
      (await fetchOrchestration(context))?.item.instanceId,
      "somebody",
      "the instance with a start",
    );
  },

  async "dropping queue messages does not end the search for work"(context) {
    const { provider, check } = context;
    for (let n = 0; n < 25; n++) await provider.enqueueForOrchestrator(queueMessage(`nobody-${n}`, "stray"));
    await provider.enqueueForOrchestrator(startItem("somebody"));
    check.equal(
      (await fetchOrchestration(context))?.item.instanceId,
      "somebody",
      "the instance with a start",
    );
  },

  async "queue messages with the start in one batch are delivered with it"(context) {
    const { provider, check } = context;
    const batch = [queueMessage("late", "inbox"), startItem("late"), queueMessage("late", "inbox")];
    for (const item of batch) await provider.enqueueForOrchestrator(item);
    check.equal((await mustFetch(context)).item.messages, batch, "the batch");
  },

  async "a queue message beside another early message is not dropped"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(queueMessage("late", "inbox"));
    await provider.enqueueForOrchestrator(raised("late", "early"));
    check.absent(await fetchOrchestration(context), "a batch without a start");
    await provider.enqueueForOrchestrator(startItem("late"));
    const { messages } = await fetchWhenDue(context, 3);
    const kinds = messages.map(({ kind }) => kind).sort();
    check.equal(kinds, ["ExternalRaised", "QueueMessage", "StartOrchestration"], "what was delivered");
  },

  async "a message to an unknown instance does not bring it into being"(context) {
    const { provider, check, admin } = context;
    await provider.enqueueForOrchestrator(raised("ghost", "boo"));
    await fetchOrchestration(context);
    check.absent(await provider.getInstanceStatus("ghost"), "its status");
    check.equal(await instanceIds(admin), [], "the instances");
    check.equal((await admin.getSystemMetrics()).totalInstances, 0, "their number");
    await check.rejects(admin.getInstanceInfo("ghost"), "instance-not-found", "its information");
  },

  async "a fetched start without an acknowledgement is no instance"(context) {
    const { provider, check, admin } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    await mustFetch(context);
    check.absent(await provider.getInstanceStatus("a"), "its status");
    check.absent(await provider.getInstanceStats("a"), "its sizes");
    check.equal(await provider.readHistory("a"), [], "its history");
    check.equal(await instanceIds(admin), [], "the instances");
  },
});
