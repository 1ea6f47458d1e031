/** Queue rows, dead letters and worker processes (docs/reference/provider-contract.md §15.1). */
import type { QueuedWork, WorkerReport, WorkQuery } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, queueMessage, raised, scheduled, startItem, timer } from "../messages.ts";
import { createInstance, fetchOrchestration, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";
import { allWork } from "./query-steps.ts";
import { resume, runningInstance, suspend } from "./revision-steps.ts";

const described = ({ kind, instanceId, item, name, eventId }: QueuedWork): string =>
  [kind, instanceId, item, name, eventId].filter((part) => part !== undefined).join(" ");

function reportOf(more: Partial<WorkerReport> = {}): WorkerReport {
  return {
    host: "host-1",
    pid: 4711,
    startedAtMs: 1_700_000_000_000,
    packageVersion: "1.2.3",
    orchestrations: [{ name: "checkout", version: "1.0.0" }],
    activities: ["charge", "ship"],
    tags: ["gpu"],
    turns: { busy: 1, all: 2 },
    activitySlots: { busy: 3, all: 4 },
    ...more,
  };
}

/** Sets a row aside that cannot be read, and returns its letter. */
async function aDeadLetter(context: CaseContext, queue: "orchestrator" | "worker"): Promise<string> {
  await context.store.putUndecodableRow?.(queue, "bad");
  if (queue === "worker") await fetchWork(context);
  else await fetchOrchestration(context);
  const { deadLetters } = await context.admin.listDeadLetters();
  return deadLetters[0]?.id ?? "";
}

export const queryWork: readonly ProviderCase[] = casesOf("query_work", {
  async "rows of both queues are listed with what they are"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a", {
      historyDelta: [scheduled("a", 2), scheduled("a", 3)],
      workerItems: [activity("a", 2), activity("a", 3, { tag: "gpu", session_id: "s" })],
    });
    const atMs = time.now();
    await time.pass(10);
    const messages = [raised("a", "approved"), queueMessage("a", "orders"), completion("a", 7)];
    for (const message of messages) {
      await provider.enqueueForOrchestrator(message);
      await time.pass(10);
    }
    await provider.enqueueForOrchestrator(startItem("b"));
    await time.pass(10);
    await provider.enqueueForOrchestrator(timer("a", time.now() + 60_000, 9), 60_000);
    const work = await allWork(context);
    check.equal(
      work.map(described).sort(),
      [
        "orchestrator a ActivityCompleted 7",
        "orchestrator a ExternalRaised approved",
        "orchestrator a QueueMessage orders",
        "orchestrator a TimerFired 9",
        "orchestrator b StartOrchestration TestOrch",
        "worker a ActivityExecute work 2",
        "worker a ActivityExecute work 3",
      ],
      "the rows",
    );
    const ofMessages = work.filter(({ kind }) => kind === "orchestrator").map(({ item }) => item);
    const inOrder = [
      "ExternalRaised",
      "QueueMessage",
      "ActivityCompleted",
      "StartOrchestration",
      "TimerFired",
    ];
    check.equal(ofMessages, inOrder, "messages in the order in which they become visible");
    const tagged = work.find(({ eventId }) => eventId === 3);
    check.equal([tagged?.tag, tagged?.session, tagged?.attempts], ["gpu", "s", 0], "of the tagged activity");
    check.isTrue(
      work.every(({ lockedUntilMs }) => lockedUntilMs === undefined),
      "nothing is locked",
    );
    const first = work.find(({ eventId }) => eventId === 2)?.visibleAtMs ?? 0;
    check.isTrue(Math.abs(first - atMs) <= 5_000, `an activity is visible since ${first}`);
  },

  async "rows are filtered by instance, queue and tag, a page at a time"(context) {
    const { provider, check } = context;
    for (const id of ["a", "b"]) {
      await createInstance(context, id, {
        workerItems: [activity(id, 2), activity(id, 3, { tag: "gpu" })],
      });
    }
    for (const id of ["a", "b"])
      for (const name of ["1", "2"]) await provider.enqueueForOrchestrator(raised(id, name));
    const expected: readonly (readonly [WorkQuery, number])[] = [
      [{}, 8],
      [{ kind: "worker" }, 4],
      [{ kind: "orchestrator" }, 4],
      [{ instanceId: "a" }, 4],
      [{ instanceId: "a", kind: "worker" }, 2],
      [{ instanceId: "nobody" }, 0],
      [{ tag: "gpu" }, 2],
      [{ tag: "cpu" }, 0],
      [{ tag: "gpu", instanceId: "b" }, 1],
    ];
    for (const [query, count] of expected) {
      const whole = (await allWork(context, query)).map(described);
      check.equal(whole.length, count, `rows of ${JSON.stringify(query)}`);
      for (const limit of [1, 3, 8]) {
        const paged = (await allWork(context, { ...query, limit })).map(described);
        check.equal(new Set(paged), new Set(whole), `pages of ${limit} of ${JSON.stringify(query)}`);
        check.equal(paged.length, whole.length, `rows of pages of ${limit} of ${JSON.stringify(query)}`);
      }
    }
  },

  async "a locked row shows its lock, and is not overdue"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    await createInstance(context, "b", { workerItems: [activity("b", 2)] });
    for (const id of ["a", "b"]) await provider.enqueueForOrchestrator(raised(id, "e"));
    await provider.enqueueForOrchestrator(raised("b", "later"), 600_000);
    await time.pass(1_000);
    const overdue = async (): Promise<string[]> =>
      (await allWork(context, { overdueByMs: 500 }))
        .map(({ kind, instanceId }) => `${kind} ${instanceId}`)
        .sort();
    check.equal(
      await overdue(),
      ["orchestrator a", "orchestrator b", "worker a", "worker b"],
      "overdue rows",
    );
    check.equal((await allWork(context, { overdueByMs: 60_000 })).length, 0, "rows overdue by a minute");
    const turnOfOne = await mustFetch(context);
    const work = await mustFetchWork(context);
    const instanceId = turnOfOne.item.instanceId;
    const other = instanceId === "a" ? "b" : "a";
    const workOther = work.item.instance === "a" ? "b" : "a";
    check.equal(
      await overdue(),
      [`orchestrator ${other}`, `worker ${workOther}`],
      "overdue rows without a lock",
    );
    const [message] = await allWork(context, { instanceId, kind: "orchestrator" });
    check.isTrue(
      Math.abs((message?.lockedUntilMs ?? 0) - (turnOfOne.lockedUntilMs ?? 0)) <= 5_000,
      "the lock of the message",
    );
    check.equal(message?.attempts, 1, "attempts of the message");
    const [locked] = await allWork(context, { instanceId: work.item.instance, kind: "worker" });
    check.isTrue(
      Math.abs((locked?.lockedUntilMs ?? 0) - (work.lockedUntilMs ?? 0)) <= 5_000,
      "the lock of the activity",
    );
    check.equal(locked?.attempts, 1, "attempts of the activity");
  },

  async "a message of a suspended instance is marked, and is not overdue"(context) {
    const { provider, check, time } = context;
    await runningInstance(context);
    await createInstance(context, "b");
    for (const id of ["a", "b"]) await provider.enqueueForOrchestrator(raised(id, "e"));
    await suspend(context);
    await time.pass(1_000);
    const listed = async (query: WorkQuery): Promise<string[]> =>
      (await allWork(context, query)).map(
        ({ kind, instanceId, suspended = false }) => `${kind} ${instanceId} ${suspended}`,
      );
    const [message, other, activities] = ["orchestrator a", "orchestrator b false", "worker a false"];
    check.equal(new Set(await listed({})), new Set([`${message} true`, other, activities]), "all rows");
    const overdue = async (): Promise<Set<string>> => new Set(await listed({ overdueByMs: 500 }));
    check.equal(await overdue(), new Set([other, activities]), "overdue rows");
    await resume(context);
    check.equal(await overdue(), new Set([`${message} false`, other, activities]), "after the resumption");
  },

  async "what is no query of rows is refused"(context) {
    const refused: readonly object[] = [
      { instance: "a" },
      { kind: "timer" },
      { overdueByMs: -1 },
      { limit: 0 },
      { continuation: "what?" },
    ];
    for (const query of refused) {
      const call = context.admin.listWork(query as WorkQuery);
      await context.check.rejects(call, "invalid-input", JSON.stringify(query));
    }
    const letters = context.admin.listDeadLetters({ continuation: "what?" });
    if (letters !== undefined) await context.check.rejects(letters, "invalid-input", "of dead letters");
  },
});

const cases: GroupOfCases = {
  async "a row that cannot be read is a dead letter, newest first"(context) {
    const { check } = context;
    check.equal((await context.admin.listDeadLetters()).deadLetters, [], "dead letters of a new store");
    await aDeadLetter(context, "orchestrator");
    await context.time.pass(1_100);
    await aDeadLetter(context, "worker");
    const { deadLetters: letters } = await context.admin.listDeadLetters();
    check.equal(
      letters.map(({ kind }) => kind),
      ["worker", "orchestrator"],
      "the kinds",
    );
    for (const { instanceId, reason, text, movedAtMs } of letters) {
      check.equal(instanceId, "bad", "the instance");
      check.isTrue(reason !== "" && text !== "", "a reason and a text");
      check.isTrue(movedAtMs <= context.time.now() + 5_000, "a time");
    }
    const { deadLetters: first, continuation } = await context.admin.listDeadLetters({ limit: 1 });
    const rest = await context.admin.listDeadLetters({
      continuation: check.present(continuation, "a continuation"),
    });
    check.equal([...first, ...rest.deadLetters], [...letters], "the same, a page at a time");
  },

  async "a dead letter is dropped once"(context) {
    const { check } = context;
    const id = await aDeadLetter(context, "worker");
    check.equal(await context.admin.settleDeadLetter("nobody", "drop"), false, "dropping an unknown one");
    check.equal(await context.admin.settleDeadLetter(id, "drop"), true, "dropping it");
    check.equal(await context.admin.settleDeadLetter(id, "drop"), false, "dropping it again");
    check.equal((await context.admin.listDeadLetters()).deadLetters, [], "dead letters");
  },

  async "a requeued dead letter is in its queue again, and is a dead letter again if it cannot be read"(
    context,
  ) {
    const { check } = context;
    for (const queue of ["orchestrator", "worker"] as const) {
      const id = await aDeadLetter(context, queue);
      check.equal(
        await context.admin.settleDeadLetter("nobody", "requeue"),
        false,
        "putting back an unknown one",
      );
      check.equal(await context.admin.settleDeadLetter(id, "requeue"), true, "putting it back");
      check.equal(await context.admin.settleDeadLetter(id, "requeue"), false, "putting it back again");
      check.equal((await context.admin.listDeadLetters()).deadLetters, [], "dead letters");
      const rows = await allWork(context, { kind: queue });
      check.equal(
        rows.map(({ instanceId }) => instanceId),
        ["bad"],
        `rows of the ${queue} queue`,
      );
      if (queue === "worker") await fetchWork(context);
      else await fetchOrchestration(context);
      const [again] = (await context.admin.listDeadLetters()).deadLetters ?? [];
      check.equal(again?.kind, queue, "the dead letter of the next fetch");
      check.equal(await context.admin.settleDeadLetter(again?.id ?? "", "drop"), true, "dropping it");
    }
  },
};

export const deadLetters: readonly ProviderCase[] = casesOf(
  "dead_letters",
  needing(["undecodable-rows"], cases),
);

export const workers: readonly ProviderCase[] = casesOf("workers", {
  async "a process is listed as it reported itself last, until it is removed"(context) {
    const { check, time } = context;
    check.equal(await context.admin.listWorkers(), [], "workers of a new store");
    await context.admin.reportWorker("w2", reportOf({ host: 'hé/?#\\"' }));
    const { tags: _tags, ...untagged } = reportOf();
    await context.admin.reportWorker("w1", untagged);
    await time.pass(1_100);
    const busy = reportOf({ turns: { busy: 2, all: 2 }, activities: [] });
    await context.admin.reportWorker("w2", busy);
    const listed = await context.admin.listWorkers();
    const reports = listed.map(({ lastSeenAtMs: _seen, ...report }) => report);
    check.equal(
      reports,
      [
        { workerId: "w1", ...untagged },
        { workerId: "w2", ...busy },
      ],
      "the workers, by id",
    );
    const [first, second] = listed.map(({ lastSeenAtMs }) => lastSeenAtMs);
    check.isTrue((first ?? 0) < (second ?? 0), "the times at which they were seen");
    await context.admin.reportWorker("w1", undefined);
    await context.admin.reportWorker("unknown", undefined);
    check.equal(
      (await context.admin.listWorkers()).map(({ workerId }) => workerId),
      ["w2"],
      "workers after a removal",
    );
  },

  // worker-report.WR3: the report of a process that died expires.
  ...needing(["virtual-time"], {
    async "a process that does not report for two minutes is not listed"(context) {
      const { check, time } = context;
      await context.admin.reportWorker("dead", reportOf());
      await time.pass(60_000);
      await context.admin.reportWorker("alive", reportOf());
      const ids = async (): Promise<string[]> =>
        (await context.admin.listWorkers()).map(({ workerId }) => workerId);
      await time.pass(58_000);
      check.equal(await ids(), ["alive", "dead"], "workers after 118 s");
      await time.pass(3_000);
      check.equal(await ids(), ["alive"], "workers after 121 s");
      await context.admin.reportWorker("dead", reportOf());
      check.equal(await ids(), ["alive", "dead"], "workers when it reports again");
    },
  }),
});
