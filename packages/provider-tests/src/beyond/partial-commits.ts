/**
 * A rejected commit stores nothing, checked effect by effect. The catalogue checks only the event count and the lock,
 * which a store with batches that are not atomic passes (hazards W0 and W7).
 */
import type { HistoryEvent, OrchestrationAck, ProviderErrorCode } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { failed, raised } from "../messages.ts";
import { instanceIds } from "../reads.ts";
import { passLock } from "../steps.ts";
import { fullTurn, instanceInTurn } from "./full-turn.ts";
import { drain, observe } from "./observe.ts";

/** The fault in the events of a commit, and the error with which it is rejected. */
interface Fault {
  readonly codes: ProviderErrorCode | readonly ProviderErrorCode[];
  spoil(delta: readonly HistoryEvent[]): readonly HistoryEvent[];
}

const faults: Readonly<Record<string, Fault>> = {
  "a duplicate event id at the end of the delta": {
    codes: "duplicate-event",
    spoil: (delta) => [...delta, failed("a", 1, "taken")],
  },
  "a duplicate event id at the beginning of the delta": {
    codes: "duplicate-event",
    spoil: (delta) => [failed("a", 1, "taken"), ...delta],
  },
  "an event id twice in one delta": {
    codes: ["duplicate-event", "invalid-input"],
    spoil: (delta) => [...delta, failed("a", 4, "twice")],
  },
  "event id zero": {
    codes: "invalid-input",
    spoil: (delta) => [...delta, failed("a", 0, "zero")],
  },
};

/** A way to make the store reject the full turn; returns the correct turn. */
type Refusal = (context: CaseContext) => Promise<OrchestrationAck>;

function refusalOf({ codes, spoil }: Fault): Refusal {
  return async (context) => {
    const ack = fullTurn(await instanceInTurn(context));
    const spoiled = { ...ack, historyDelta: spoil(ack.historyDelta) };
    await context.check.rejects(context.provider.ackOrchestrationItem(spoiled), codes, "the commit");
    return ack;
  };
}

const tooLate: Refusal = async (context) => {
  const ack = fullTurn(await instanceInTurn(context));
  await passLock(context);
  await context.check.rejects(context.provider.ackOrchestrationItem(ack), "lock-lost", "the commit");
  return ack;
};

/** The state of "a", except its queues, is that before the turn. */
async function nothingIsVisible(context: CaseContext): Promise<void> {
  const { check } = context;
  const { status, histories, kv } = await observe(context, "a");
  check.equal(status?.status, "Running", "the status");
  check.equal(status?.output, null, "the output");
  check.equal(
    histories.map((events) => events.length),
    [3],
    "the number of events",
  );
  check.equal(kv, new Map([["kept", "old"]]), "the key-value entries");
  check.equal([status?.customStatus, status?.customStatusVersion], ["before", 1], "the custom status");
  check.absent(await context.provider.getInstanceStatus("child"), "the child");
  const info = await context.admin.getInstanceInfo("a");
  check.equal(info.tags, { state: "before" }, "the tags");
  check.equal(await instanceIds(context.admin, { tags: { state: "before" } }), ["a"], "what has the tags");
  check.equal((await context.admin.getQueueDepths()).timerQueue, 1, "the timers");
  check.equal([info.orchestrationName, info.orchestrationVersion], ["TestOrch", "1.0.0"], "name and version");
  const { totalInstances, runningInstances, totalEvents } = await context.admin.getSystemMetrics();
  check.equal([totalInstances, runningInstances, totalEvents], [1, 1, 3], "instances and events in total");
}

/** The message of the batch is eligible again, and both queues are as before the turn. */
async function queuesAreAsBefore(context: CaseContext): Promise<void> {
  await passLock(context);
  const { messages, activities } = await drain(context);
  context.check.equal([...messages], [["a", [raised("a", "poke")]]], "the messages");
  context.check.equal(
    activities.map(({ id }) => id),
    [10, 11],
    "the activities, none cancelled, none added",
  );
}

/** The caller still has the lock, and can correct the turn and commit it. */
async function canStillCommit(context: CaseContext, ack: OrchestrationAck): Promise<void> {
  await context.provider.ackOrchestrationItem(ack);
  const { status, histories } = await observe(context, "a");
  context.check.equal([status?.status, status?.output], ["Completed", "done"], "status and output");
  context.check.equal(histories[0]?.length, 7, "the number of events");
}

function casesFor(name: string, refuse: Refusal): GroupOfCases {
  return {
    async [`after ${name}, no read shows anything of the turn`](context) {
      await refuse(context);
      await nothingIsVisible(context);
    },
    async [`after ${name}, both queues are as before the turn`](context) {
      await refuse(context);
      await queuesAreAsBefore(context);
    },
  };
}

function casesForFault([name, fault]: [string, Fault]): GroupOfCases {
  const refuse = refusalOf(fault);
  return {
    ...casesFor(name, refuse),
    async [`after ${name}, the turn can be committed without it`](context) {
      await canStillCommit(context, await refuse(context));
    },
  };
}

export const partialCommits: readonly ProviderCase[] = casesOf(
  "partial_commits",
  Object.assign({}, ...Object.entries(faults).map(casesForFault), casesFor("an expired lock", tooLate)),
);
