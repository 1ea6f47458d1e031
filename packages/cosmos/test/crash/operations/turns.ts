/** Fetching, committing and giving back turns. */
import type { BlockedReason } from "@duroxide-ts/core/stores";
import {
  fetchOrchestration,
  mustFetch,
  queueMessage,
  raised,
} from "@duroxide-ts/provider-tests/building-blocks";
import { LARGE, leaveCommit, MESSAGES, UNTIL_DECIDED, UNTIL_FIRST_PIECE } from "../../support/half-done.ts";
import { type Plan, start } from "../../support/plan.ts";
import { undecodableRow } from "../../support/queue-row.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, carryOut, commit, fetchPlanned, finishWork, mustWork } from "../../support/steps.ts";
import { begun, fetchPlannedWarm, fetchWarm } from "../../support/warm-turn.ts";
import { type Operation, operation } from "../operation.ts";

const BLOCKED: BlockedReason = { reason: "nondeterminism", detail: "event 4 differs" };

/** The commit of one plan by an instance "a", beside instances "b" and "c". */
function committing(name: string, plan: Plan, before?: (stage: Stage) => Promise<void>): Operation {
  return operation({
    name,
    async prepare(stage) {
      await begin(stage, "a", "b", "c");
      await before?.(stage);
      return fetchPlanned(stage, "a", plan);
    },
    act: commit,
  });
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `m${n}`);

const committed: readonly Operation[] = [
  committing("commit with messages for other instances", {
    activities: [{ label: "x" }],
    children: [{ id: "child" }],
    messages: MESSAGES,
    timer: true,
  }),
  committing("commit with an activity beside another instance", { activities: [{ label: "x", at: "b" }] }),
  operation({
    name: "commit that ends a child with key-value entries",
    async prepare(stage) {
      await begin(stage, "b");
      await carryOut(stage, "b", { children: [{ id: "a", plan: { keys: 3 } }] });
      return fetchPlanned(stage, "a", { keys: 2, end: true });
    },
    act: commit,
  }),
  committing("commit that continues as new", { continueAsNew: true, messages: MESSAGES }),
  committing("commit that returns messages", { continueAsNew: true, returns: names(3), messages: MESSAGES }),
  committing("commit that returns more messages than fit", { continueAsNew: true, returns: names(120) }),
  committing("commit that cancels activities", { cancel: ["x"], activities: [{ label: "z" }] }, (stage) =>
    carryOut(stage, "a", { activities: [{ label: "x" }, { label: "y" }] }),
  ),
  committing("commit that drops a timer", { dropTimers: true, activities: [{ label: "z" }] }, (stage) =>
    carryOut(stage, "a", { timers: 1 }),
  ),
  committing("commit that drops more timers than fit", { dropTimers: true, messages: MESSAGES }, (stage) =>
    carryOut(stage, "a", { timers: 120 }),
  ),
  committing("commit of more than 100 operations", LARGE),
  committing("commit of more than 2 MB", {
    activities: ["x", "y", "z"].map((label) => ({ label, sizeBytes: 400_000 })),
  }),
];

const fetched: readonly Operation[] = [
  operation({
    name: "fetch of a new instance",
    prepare: ({ provider }) => provider.enqueueForOrchestrator(start("a", { activities: [{ label: "x" }] })),
    act: (stage) => mustFetch(stage),
  }),
  operation({
    name: "cold fetch",
    async prepare(stage) {
      const { provider } = await stage.openAnother();
      await begin({ ...stage, provider }, "a");
      for (const name of ["one", "two"]) await provider.enqueueForOrchestrator(raised("a", name));
    },
    act: (stage) => mustFetch(stage),
  }),
  operation({
    name: "warm fetch",
    async prepare(stage) {
      await begin(stage, "a");
      await carryOut(stage, "a", { activities: [{ label: "x" }] });
      await finishWork(stage, await mustWork(stage));
    },
    act: (stage) => mustFetch(stage),
  }),
  operation({
    name: "fetch of messages that came before their start",
    async prepare({ provider }) {
      for (const name of ["one", "two"]) await provider.enqueueForOrchestrator(raised("a", name));
    },
    act: (stage) => fetchOrchestration(stage),
    repeat: ({ provider }) => provider.enqueueForOrchestrator(start("a")),
  }),
  operation({
    name: "fetch of queue messages that came before their start",
    async prepare({ provider }) {
      for (const name of ["one", "two"]) await provider.enqueueForOrchestrator(queueMessage("a", name));
    },
    act: (stage) => fetchOrchestration(stage),
  }),
  operation({
    name: "fetch beside a row that cannot be decoded",
    async prepare(stage) {
      await begin(stage, "a");
      await stage.raw.items.create(undecodableRow("orch_queue", "a"));
      await stage.provider.enqueueForOrchestrator(raised("a", "one"));
    },
    act: (stage) => mustFetch(stage),
  }),
];

const finished: readonly Operation[] = [
  operation({
    name: "fetch that finishes a commit of another process",
    prepare: (stage) => leaveCommit(stage, UNTIL_DECIDED),
    act: (stage) => fetchOrchestration(stage),
  }),
  operation({
    name: "read of a status that finishes a commit of another process",
    prepare: (stage) => leaveCommit(stage, UNTIL_FIRST_PIECE),
    act: ({ provider }) => provider.getInstanceStatus("a"),
  }),
];

/** The turn of a token that came from elsewhere, such as one of this process before its cache was emptied. */
async function fetchElsewhere(stage: Stage): Promise<string> {
  await begin(stage, "a");
  for (const name of ["one", "two"]) await stage.provider.enqueueForOrchestrator(raised("a", name));
  return (await mustFetch(await stage.openAnother())).lockToken;
}

const given: readonly Operation[] = [
  operation({
    name: "giving a turn back",
    prepare: fetchElsewhere,
    act: ({ provider }, lockToken) => provider.abandonOrchestrationItem(lockToken, { delayMs: 10 }),
  }),
  operation({
    name: "giving a turn back as blocked",
    prepare: fetchElsewhere,
    act: ({ provider }, lockToken) =>
      provider.abandonOrchestrationItem(lockToken, { delayMs: 10, ignoreAttempt: true, blocked: BLOCKED }),
  }),
  operation({
    name: "fetch of a blocked batch with a later message",
    async prepare(stage) {
      const options = { delayMs: 3_600_000, ignoreAttempt: true, blocked: BLOCKED };
      await stage.provider.abandonOrchestrationItem(await fetchElsewhere(stage), options);
      await stage.provider.enqueueForOrchestrator(raised("a", "later"));
    },
    act: (stage) => mustFetch(stage),
  }),
  operation({
    name: "renewal of a turn that is about to run alone",
    prepare: fetchElsewhere,
    act: ({ provider, lockMs }, lockToken) =>
      provider.renewOrchestrationItemLock(lockToken, lockMs, { ignoreAttempt: true, alone: true }),
  }),
  operation({
    name: "sending of a named message, twice",
    prepare: (stage) => begin(stage, "a"),
    async act({ provider }) {
      for (let n = 0; n < 2; n++) {
        await provider.enqueueForOrchestrator(raised("a", "named"), undefined, { messageId: "m" });
      }
    },
    repeat: ({ provider }) =>
      provider.enqueueForOrchestrator(raised("a", "named"), undefined, { messageId: "m" }),
  }),
  operation({
    name: "renewal of a turn",
    prepare: fetchElsewhere,
    act: ({ provider, lockMs }, lockToken) => provider.renewOrchestrationItemLock(lockToken, lockMs),
  }),
];

/** Turns of a process that has the history in memory. */
const withoutLock: readonly Operation[] = [
  operation({
    name: "fetch of a turn without a lock",
    async prepare(stage) {
      const memory = await begun(stage);
      await stage.provider.enqueueForOrchestrator(raised("a", "one"));
      return memory;
    },
    act: fetchWarm,
  }),
  operation({
    name: "commit of a turn without a lock",
    prepare: (stage) => fetchPlannedWarm(stage, { activities: [{ label: "x" }], timer: true }),
    act: commit,
  }),
  operation({
    name: "commit of a turn without a lock of more than 100 operations",
    prepare: (stage) => fetchPlannedWarm(stage, { keys: 110, activities: [{ label: "x" }] }),
    act: commit,
  }),
  operation({
    name: "giving a turn without a lock back",
    prepare: (stage) => fetchPlannedWarm(stage, {}),
    act: ({ provider }, { lockToken }) => provider.abandonOrchestrationItem(lockToken, { delayMs: 10 }),
  }),
  operation({
    name: "renewal of a turn without a lock",
    prepare: (stage) => fetchPlannedWarm(stage, {}),
    act: ({ provider, lockMs }, { lockToken }) => provider.renewOrchestrationItemLock(lockToken, lockMs),
  }),
];

export const turns: readonly Operation[] = [...committed, ...fetched, ...finished, ...given, ...withoutLock];
