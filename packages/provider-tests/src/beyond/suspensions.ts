/** Suspended instances (docs/reference/provider-contract.md §15.2). */
import { casesOf, needing, type ProviderCase } from "../case.ts";
import { completion, raised, scheduled } from "../messages.ts";
import {
  ack,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  mustFetch,
  mustFetchWork,
  passLock,
} from "../steps.ts";
import { ackFused, fused, running } from "./fused-steps.ts";
import { BY_ADA, resume, revise, revised, runningInstance, suspend } from "./revision-steps.ts";

export const suspensions: readonly ProviderCase[] = casesOf("suspensions", {
  async "what is sent to a suspended instance waits, in its order, without attempts"(context) {
    const { check, provider, admin } = context;
    await runningInstance(context);
    await provider.enqueueForOrchestrator(raised("a", "before"));
    await suspend(context);
    await provider.enqueueForOrchestrator(raised("a", "after"));
    check.absent(await fetchOrchestration(context), "a turn while it is suspended");
    await passLock(context);
    check.absent(await fetchOrchestration(context), "a turn a while later");
    check.equal((await admin.getInstanceInfo("a")).suspended, BY_ADA, "the marker");

    await resume(context);
    check.absent((await admin.getInstanceInfo("a")).suspended, "the marker");
    const { item, attemptCount } = await mustFetch(context);
    check.equal(item.messages, [raised("a", "before"), raised("a", "after")], "the messages");
    check.equal(attemptCount, 1, "the attempts");
  },

  async "it does not delay turns of other instances"(context) {
    const { check, provider } = context;
    await runningInstance(context);
    await createInstance(context, "b");
    await suspend(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    await provider.enqueueForOrchestrator(raised("b", "poke"));
    check.equal((await mustFetch(context)).item.instanceId, "b", "the instance of the next turn");
  },

  async "a turn that runs goes on, and is the last one"(context) {
    const { check, provider } = context;
    await runningInstance(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const holder = await mustFetch(context);
    await suspend(context);
    await ack(context, holder, {
      historyDelta: [scheduled("a", 3)],
      orchestratorItems: [raised("a", "self")],
    });
    check.equal((await provider.readHistory("a")).length, 3, "the number of events");
    check.absent(await fetchOrchestration(context), "the next turn");
    await resume(context);
    check.equal((await mustFetch(context)).item.messages, [raised("a", "self")], "the messages");
  },

  async "a turn that runs goes on over the end of a suspension, and nobody else gets its messages"(context) {
    const { check, provider } = context;
    await runningInstance(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await mustFetch(context);
    await suspend(context);
    await resume(context);
    check.absent(await fetchOrchestration(context), "another turn beside it");
    await ack(context, fetched);
    check.absent(await fetchOrchestration(context), "a repetition of it");
  },

  async "a turn that is given back waits"(context) {
    const { check, provider } = context;
    await runningInstance(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { lockToken } = await mustFetch(context);
    await suspend(context);
    await provider.abandonOrchestrationItem(lockToken);
    check.absent(await fetchOrchestration(context), "a turn after it was given back");
    await resume(context);
    check.equal((await mustFetch(context)).item.messages, [raised("a", "poke")], "the messages");
  },

  async "a lock that ends while it is suspended is of no use afterwards"(context) {
    const { check, provider } = context;
    await runningInstance(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const holder = await mustFetch(context);
    await suspend(context);
    await passLock(context);
    check.absent(await fetchOrchestration(context), "a turn after the end of the lock");
    await resume(context);
    check.equal((await mustFetch(context)).attemptCount, 2, "the attempts");
    await check.rejects(ack(context, holder), "lock-lost", "the commit of the first holder");
  },

  ...needing(["history-tags"], {
    async "activities go on, and no fused turn is stored"(context) {
      const { check, provider } = context;
      const state = await running(context, 2);
      await suspend(context);
      check.equal((await ackFused(context, fused(state))).kind, "overtaken", "the fused turn");
      for (const { lockToken, item } of state.works) {
        await provider.ackWorkItem(lockToken, completion("a", Number(item.id)));
      }
      check.absent(await fetchOrchestration(context), "a turn while it is suspended");
      await resume(context);
      check.equal((await mustFetch(context)).item.messages.length, 2, "the number of outcomes");
    },
  }),

  async "its activities are handed out"(context) {
    await runningInstance(context);
    await suspend(context);
    const { item } = await mustFetchWork(context);
    context.check.equal([item.instance, item.id], ["a", 2], "the activity");
  },

  ...needing(["several-providers"], {
    async "another provider respects it at once"(context) {
      const { check, provider } = context;
      await runningInstance(context);
      const other = await context.openAnother();
      // The other one knows the instance from a turn of its own.
      await other.provider.enqueueForOrchestrator(raised("a", "poke"));
      await ack(other, await mustFetch(other));
      await suspend(context);
      await other.provider.enqueueForOrchestrator(raised("a", "self"));
      await provider.enqueueForOrchestrator(raised("a", "poke"));
      check.absent(await fetchOrchestration(other), "a turn at the other one");
      await resume(other);
      check.equal((await mustFetch(context)).item.messages.length, 2, "the number of messages");
    },
  }),

  async "it stays across executions, and ends with the instance"(context) {
    const { check, provider, admin } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    const expected = { executionId: 2, status: "Running" } as const;
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const holder = await mustFetch(context);
    await revised(context, { instanceId: "a", expected, suspended: BY_ADA });
    await ack(context, holder, { executionId: 2 });
    check.equal((await admin.getInstanceInfo("a")).suspended, BY_ADA, "the marker after a turn");
    await admin.deleteInstance("a", { force: true });
    await createInstance(context, "a");
    check.absent((await admin.getInstanceInfo("a")).suspended, "the marker of a new instance");
  },

  async "lists show it, and can be of it"(context) {
    const { check, admin } = context;
    await runningInstance(context);
    await createInstance(context, "b");
    await suspend(context);
    const listed = async (suspended: boolean) => {
      const page = await admin.queryInstances({ filter: { suspended } });
      return page?.instances.map((each) => [each.instanceId, each.suspended]);
    };
    check.equal(await listed(true), [["a", BY_ADA]], "those that are suspended");
    check.equal(await listed(false), [["b", undefined]], "the others");
  },

  async "an instance with another status is overtaken, with more events not"(context) {
    const { check, admin } = context;
    await runningInstance(context);
    const ended = { executionId: 1, status: "Completed" } as const;
    const outcome = await revise(context, { instanceId: "a", expected: ended, suspended: BY_ADA });
    check.equal(outcome, { kind: "overtaken" }, "the outcome");
    check.absent((await admin.getInstanceInfo("a")).suspended, "the marker");
    await suspend(context);
  },

  ...needing(["long-polling"], {
    async "a fetch that waits gets the messages when it is resumed"(context) {
      const { check, provider, time } = context;
      await runningInstance(context);
      await suspend(context);
      await provider.enqueueForOrchestrator(raised("a", "poke"));
      const waiting = fetchOrchestration(context, { pollTimeoutMs: 5_000 });
      await time.pass(500);
      await resume(context);
      const { value } = await time.measure(() => waiting, 10_000);
      check.equal(value?.item.messages, [raised("a", "poke")], "what it gets");
    },
  }),
});
