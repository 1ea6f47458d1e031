/** A closed provider ends waiting calls, and rejects all later calls. */
import type { ProviderAdmin, WorkerReport } from "@duroxide-ts/core/stores";
import { casesOf, needing, type ProviderCase } from "../case.ts";
import { activity, raised } from "../messages.ts";
import { createInstance, fetchOrchestration, fetchWork } from "../steps.ts";

const REPORT: WorkerReport = {
  host: "host",
  pid: 1,
  startedAtMs: 1,
  packageVersion: "1.0.0",
  orchestrations: [],
  activities: [],
  turns: { busy: 0, all: 1 },
  activitySlots: { busy: 0, all: 1 },
};

export const closing: readonly ProviderCase[] = casesOf("closing", {
  ...needing(["long-polling"], {
    async "a fetch that waits ends with nothing when its provider is closed"(context) {
      const { provider, check, time } = context;
      const waiting = [fetchOrchestration, fetchWork].map((fetch) =>
        fetch(context, { pollTimeoutMs: 60_000 }),
      );
      await time.pass(100);
      await provider[Symbol.asyncDispose]();
      const { value, elapsedMs } = await time.measure(() => Promise.all(waiting), 60_000);
      check.equal(value, [undefined, undefined], "what the fetches found");
      check.isTrue(elapsedMs <= context.responseMs, `at once, not after ${elapsedMs} ms`);
    },
  }),

  async "a closed provider refuses reads, writes and fetches"(context) {
    const { provider, check } = context;
    check.isTrue(!provider.isClosed, "open, until it is closed");
    await createInstance(context, "a");
    await provider[Symbol.asyncDispose]();
    const calls = {
      "a message": () => provider.enqueueForOrchestrator(raised("a", "poke")),
      "an activity": () => provider.enqueueForWorker(activity("a", 1)),
      "a fetch of an orchestration": () => fetchOrchestration(context),
      "a fetch of an activity": () => fetchWork(context),
      "a look at the status": () => provider.getInstanceStatus("a"),
      "a look at the history": () => provider.readHistory("a"),
    };
    for (const [what, call] of Object.entries(calls)) await check.rejects(call(), "closed", what);
    check.isTrue(provider.isClosed, "isClosed");
  },

  async "a closed provider refuses administration"(context) {
    const { provider, admin, check } = context;
    await createInstance(context, "a");
    await provider[Symbol.asyncDispose]();
    const expected = { executionId: 1, status: "Running" } as const;
    const calls: { readonly [Method in keyof ProviderAdmin]: () => Promise<unknown> } = {
      queryInstances: () => admin.queryInstances(),
      countInstances: () => admin.countInstances(),
      listExecutions: () => admin.listExecutions("a"),
      getInstanceInfo: () => admin.getInstanceInfo("a"),
      getSystemMetrics: () => admin.getSystemMetrics(),
      getQueueDepths: () => admin.getQueueDepths(),
      listBlocked: () => admin.listBlocked(),
      listWork: () => admin.listWork(),
      listDeadLetters: () => admin.listDeadLetters(),
      settleDeadLetter: () => admin.settleDeadLetter("1", "drop"),
      listWorkers: () => admin.listWorkers(),
      reportWorker: () => admin.reportWorker("w", REPORT),
      deleteInstance: () => admin.deleteInstance("a"),
      deleteInstances: () => admin.deleteInstances({}),
      pruneInstances: () => admin.pruneInstances({}, { keepLast: 1 }),
      reviseInstance: () => admin.reviseInstance({ instanceId: "a", expected, suspended: null }),
    };
    for (const [method, call] of Object.entries(calls)) await check.rejects(call(), "closed", method);
  },

  async "closing a provider again does nothing"(context) {
    const { provider, check } = context;
    await provider[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await check.rejects(provider.getInstanceStatus("a"), "closed", "a call afterwards");
  },

  ...needing(["several-providers"], {
    async "commits of a provider are kept after it is closed"(context) {
      const { check } = context;
      const other = await context.openAnother();
      await createInstance(context, "a");
      await context.provider[Symbol.asyncDispose]();
      check.equal((await other.provider.getInstanceStatus("a"))?.status, "Running", "the status");
    },
  }),
});
