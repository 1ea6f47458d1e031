/**
 * Every storage call of every operation fails once, before it reaches the store or with its response lost
 * (hazards W5, W7, W8, W26, W35 and W65). Whether the caller gets an error or not, an operation takes effect completely
 * or not at all, and when the leases have expired all work can continue.
 */
import type { FusedAck } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, type Need, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, raised, scheduled, startItem } from "../messages.ts";
import { executionIds, instanceIds, pruneOne } from "../reads.ts";
import {
  ack,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
  passLock,
} from "../steps.ts";
import { fullTurn, instanceInTurn } from "./full-turn.ts";
import { ackFused, fused, running } from "./fused-steps.ts";
import { drain, observe } from "./observe.ts";

/** An operation under faults. */
interface Exposed<Prepared> {
  readonly needs?: readonly Need[];
  prepare(context: CaseContext): Promise<Prepared>;
  act(context: CaseContext, prepared: Prepared): Promise<unknown>;
  /** Checks the stored state; `succeeded` is the outcome for the caller. */
  verify(context: CaseContext, succeeded: boolean, prepared: Prepared): Promise<void>;
}

/** A provider that makes more calls than this for one operation is not tested beyond them. */
const MOST_CALLS = 60;

/** One fresh store for each call that can fail; ends with the first run in which no call failed. */
async function atEveryCall<Prepared>(
  context: CaseContext,
  when: "before" | "after",
  { prepare, act, verify }: Exposed<Prepared>,
): Promise<void> {
  for (let nth = 1; nth <= MOST_CALLS; nth++) {
    const run = await context.openStore();
    const prepared = await prepare(run);
    const fault = run.store.failStorageCall?.(nth, when);
    if (fault === undefined)
      throw new Error("this case uses `failStorageCall` and must say so in its `needs`");
    const succeeded = await settles(act(run, prepared));
    fault.disarm();
    await passLock(run);
    await verify(run, succeeded, prepared);
    if (!fault.fired) return context.check.isTrue(nth > 1, "at least one storage call was made");
  }
  throw new Error(`the operation makes more than ${MOST_CALLS} storage calls`);
}

function settles(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

/** After a failed call, its effect is stored once or not at all; after a successful one, once. */
function onceOr(context: CaseContext, count: number, succeeded: boolean, what: string): void {
  context.check.isTrue(
    count === 1 || (count === 0 && !succeeded),
    `${what}: ${count} after ${succeeded ? "success" : "failure"}`,
  );
}

const sendingMessages: Exposed<void> = {
  prepare: (context) => createInstance(context, "a").then(() => {}),
  act: ({ provider }) => provider.enqueueForOrchestrator(raised("a", "sent")),
  async verify(context, succeeded) {
    onceOr(context, (await drain(context)).messages.get("a")?.length ?? 0, succeeded, "the message");
  },
};

const sendingActivities: Exposed<void> = {
  prepare: async () => {},
  act: ({ provider }) => provider.enqueueForWorker(activity("a", 1)),
  async verify(context, succeeded) {
    onceOr(context, (await drain(context)).activities.length, succeeded, "the activity");
  },
};

const MESSAGES = [raised("a", "one"), raised("a", "two"), raised("a", "three")];

const fetchingTurns: Exposed<void> = {
  async prepare(context) {
    await createInstance(context, "a");
    for (const message of MESSAGES) await context.provider.enqueueForOrchestrator(message);
  },
  act: (context) => fetchOrchestration(context),
  async verify(context) {
    const fetched = await fetchOrchestration(context);
    context.check.equal(fetched?.item.messages, MESSAGES, "every message, when the lease is over");
    await ack(context, fetched ?? (await mustFetch(context)));
    context.check.equal([...(await drain(context)).messages], [], "messages after the commit");
  },
};

/** The full turn is stored, or it is not: reads and queues agree. */
async function isWholeOrNot(context: CaseContext, succeeded: boolean): Promise<void> {
  const { check } = context;
  const { status, histories, kv } = await observe(context, "a");
  const { timerQueue } = await context.admin.getQueueDepths();
  const { messages, activities } = await drain(context);
  const happened = status?.status === "Completed";
  check.isTrue(happened || !succeeded, "a commit that was confirmed has happened");
  check.equal(
    {
      events: histories.map((events) => events.length),
      kv: [...kv].sort(),
      customStatus: status?.customStatus,
      messages: [...messages].map(([id, batch]) => [id, batch.length]).sort(),
      activities: activities.map(({ id }) => id).sort(),
      timers: timerQueue,
    },
    happened
      ? {
          events: [7],
          kv: [
            ["added", "x"],
            ["kept", "new"],
          ],
          customStatus: "after",
          messages: [
            ["a", 2],
            ["child", 1],
          ],
          activities: [10, 12, 13],
          timers: 0,
        }
      : {
          events: [3],
          kv: [["kept", "old"]],
          customStatus: "before",
          messages: [["a", 1]],
          activities: [10, 11],
          timers: 1,
        },
    happened ? "everything of the turn" : "nothing of the turn",
  );
}

const committing: Exposed<Awaited<ReturnType<typeof instanceInTurn>>> = {
  prepare: instanceInTurn,
  act: ({ provider }, fetched) => provider.ackOrchestrationItem(fullTurn(fetched)),
  verify: isWholeOrNot,
};

const committingAgain: Exposed<Awaited<ReturnType<typeof instanceInTurn>>> = {
  prepare: instanceInTurn,
  async act({ provider }, fetched) {
    const commit = () => provider.ackOrchestrationItem(fullTurn(fetched));
    if (!(await settles(commit()))) await commit();
  },
  async verify(context) {
    const { status } = await observe(context, "a");
    context.check.equal(status?.status, "Completed", "the status after a second try");
    await isWholeOrNot(context, true);
  },
};

const givingTurnsBack: Exposed<string> = {
  async prepare(context) {
    await createInstance(context, "a");
    for (const message of MESSAGES) await context.provider.enqueueForOrchestrator(message);
    return (await mustFetch(context)).lockToken;
  },
  act: ({ provider }, lockToken) => provider.abandonOrchestrationItem(lockToken, { delayMs: 10 }),
  async verify(context) {
    await context.time.pass(20);
    context.check.equal((await drain(context)).messages.get("a"), MESSAGES, "the messages");
  },
};

const fetchingActivities: Exposed<void> = {
  prepare: ({ provider }) => provider.enqueueForWorker(activity("a", 1, { session_id: "s" })),
  act: (context) => fetchWork(context, { session: { ownerId: "me", lockTimeoutMs: context.lockMs } }),
  async verify(context) {
    context.check.equal(
      (await drain(context)).activities.length,
      1,
      "the activity, when the leases are over",
    );
  },
};

const completing: Exposed<string> = {
  async prepare(context) {
    await createInstance(context, "a", { workerItems: [activity("a", 10)] });
    return (await mustFetchWork(context)).lockToken;
  },
  act: ({ provider }, lockToken) => provider.ackWorkItem(lockToken, completion("a", 10)),
  async verify(context, succeeded) {
    const { messages, activities } = await drain(context);
    const completions = messages.get("a")?.length ?? 0;
    onceOr(context, completions, succeeded, "the completion");
    context.check.equal(activities.length, 1 - completions, "the activity is there until its completion is");
  },
};

/** The turn completes the activity and schedules another one. */
const completingWithTurn: Exposed<FusedAck> = {
  needs: ["history-tags"],
  prepare: async (context) =>
    fused(await running(context), {
      historyDelta: [scheduled("a", 3)],
      workerItems: [activity("a", 11)],
      orchestratorItems: [startItem("child")],
    }),
  act: async (context, fusedAck) => {
    const outcome = await ackFused(context, fusedAck);
    if (outcome.kind !== "committed") throw new Error("overtaken, although nothing else wrote");
  },
  async verify(context, succeeded) {
    const events = (await context.provider.readHistory("a")).length;
    const { messages, activities } = await drain(context);
    onceOr(context, events - 2, succeeded, "the event");
    context.check.equal(
      [activities.map(({ id }) => id), messages.get("child")?.length ?? 0],
      events === 2 ? [[2], 0] : [[11], 1],
      "activities, and messages of the child",
    );
  },
};

const givingActivitiesBack: Exposed<string> = {
  async prepare(context) {
    await context.provider.enqueueForWorker(activity("a", 1));
    return (await mustFetchWork(context)).lockToken;
  },
  act: ({ provider }, lockToken) => provider.abandonWorkItem(lockToken),
  async verify(context) {
    context.check.equal((await drain(context)).activities.length, 1, "the activity");
  },
};

const renewing: Exposed<readonly [turn: string, work: string]> = {
  async prepare(context) {
    await createInstance(context, "a", { workerItems: [activity("a", 10)] });
    await context.provider.enqueueForOrchestrator(raised("a", "poke"));
    return [(await mustFetch(context)).lockToken, (await mustFetchWork(context)).lockToken];
  },
  async act({ provider, lockMs }, [turn, work]) {
    await provider.renewOrchestrationItemLock(turn, lockMs / 2);
    await provider.renewWorkItemLock(work, lockMs / 2);
  },
  async verify(context) {
    const { messages, activities } = await drain(context);
    context.check.equal(messages.get("a"), [raised("a", "poke")], "the message");
    context.check.equal(activities.length, 1, "the activity");
  },
};

const deleting: Exposed<void> = {
  async prepare(context) {
    await createInstance(context, "root", { workerItems: [activity("root", 2)] });
    for (const id of ["one", "two"]) await createInstance(context, id, { parentInstanceId: "root" });
    await continueAsNew(context, "root", 2);
    await context.provider.enqueueForOrchestrator(raised("one", "poke"));
  },
  act: ({ admin }) => admin.deleteInstance("root", { force: true }),
  async verify(context, succeeded) {
    const { admin, check } = context;
    const left = (await instanceIds(admin)).length;
    check.isTrue(
      left === 0 || (left === 3 && !succeeded),
      `the tree is whole or gone: ${left} of 3 are left`,
    );
    if (left > 0) await admin.deleteInstance("root", { force: true });
    const { messages, activities } = await drain(context);
    check.equal([[...messages], activities], [[], []], "the queues, once it is gone");
    for (const id of ["root", "one", "two"]) {
      check.absent(await context.provider.getInstanceStatus(id), `the status of ${id}`);
      check.equal(await context.provider.readHistory(id), [], `the history of ${id}`);
    }
  },
};

const pruning: Exposed<void> = {
  async prepare(context) {
    await createInstance(context, "a");
    for (const next of [2, 3, 4]) await continueAsNew(context, "a", next);
  },
  act: ({ admin }) => pruneOne(admin, "a", { keepLast: 1 }),
  async verify(context, succeeded) {
    const { admin, check, provider } = context;
    if (!succeeded) await pruneOne(admin, "a", { keepLast: 1 });
    check.equal(await executionIds(admin, "a"), [4], "the executions");
    check.equal((await provider.readHistory("a")).length, 1, "the events of the current one");
    for (const gone of [1, 2, 3]) check.equal(await provider.readHistory("a", gone), [], `execution ${gone}`);
  },
};

function casesFor<Prepared>(name: string, exposed: Exposed<Prepared>): GroupOfCases {
  return needing(exposed.needs ?? [], {
    [`${name}, when a call fails before it reaches the store`]: (context) =>
      atEveryCall(context, "before", exposed),
    [`${name}, when a response is lost`]: (context) => atEveryCall(context, "after", exposed),
  });
}

const cases: GroupOfCases = {
  ...casesFor("a message is sent once or not at all", sendingMessages),
  ...casesFor("an activity is sent once or not at all", sendingActivities),
  ...casesFor("a fetched batch comes whole and once", fetchingTurns),
  ...casesFor("a turn is committed whole or not at all", committing),
  ...casesFor("a turn that is given back keeps every message", givingTurnsBack),
  ...casesFor("a fetched activity is not lost", fetchingActivities),
  ...casesFor("an activity is completed once or not at all", completing),
  ...casesFor("an activity and the turn that it causes end once or not at all", completingWithTurn),
  ...casesFor("an activity that is given back is not lost", givingActivitiesBack),
  ...casesFor("a renewal that fails loses nothing", renewing),
  ...casesFor("a deleted tree is whole or gone", deleting),
  ...casesFor("a prune that is repeated finishes", pruning),
  "a turn whose commit failed before the store can be committed again under the same lock": (context) =>
    atEveryCall(context, "before", committingAgain),
};

export const faults: readonly ProviderCase[] = casesOf("faults", needing(["faults"], cases));
