/** The life of streams: with that of their instance, and beyond its executions (docs/reference/provider-contract.md §13.1). */
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import { continueItem, started, startItem } from "../messages.ts";
import { ack, complete, continueAsNew, createInstance, firstTurn, mustFetch, turn } from "../steps.ts";
import { append, pageFrom, valuesFrom, writing, written } from "./stream-steps.ts";

const lives: GroupOfCases = {
  async "the stream of a start that waits is there, and that of nobody is not"(context) {
    const { provider, check } = context;
    check.absent(await pageFrom(context), "the stream of nobody");
    await provider.enqueueForOrchestrator(startItem("a"));
    check.equal((await pageFrom(context))?.state, "waiting", "while the start waits");
    await firstTurn(context, await mustFetch(context));
    const page = await pageFrom(context);
    check.equal([page?.state, page?.next, page?.life === ""], ["open", 0, false], "after it");
  },

  async "the end of the instance ends its streams"(context) {
    const fetched = await writing(context, 2);
    await append(context, fetched, ["a"]);
    await turn(context, "a", {
      metadata: { status: "Completed", output: "{}" },
      cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: 2 }],
    });
    context.check.equal((await pageFrom(context))?.state, "ended", "one with values");
    context.check.equal((await pageFrom(context, 0, "a", "t"))?.state, "ended", "one without");
    const late = append(context, fetched, ["b"], { written: 1 });
    await context.check.rejects(late, "lock-lost", "what comes later");
    context.check.equal(await valuesFrom(context), ["a"], "what is written");
  },

  async "continue-as-new and pruning keep streams"(context) {
    await createInstance(context, "a", { streams: [written(["a"])] });
    const life = (await pageFrom(context))?.life;
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("a")],
      streams: [written(["b"])],
    });
    context.check.equal((await pageFrom(context))?.state, "open", "between executions");
    await ack(context, await mustFetch(context), {
      executionId: 2,
      historyDelta: [started("a", 2)],
      streams: [written(["c"])],
    });
    await continueAsNew(context, "a", 3);
    await context.admin.pruneInstances({ instanceIds: ["a"] }, { keepLast: 1 });
    context.check.equal(await valuesFrom(context), ["a", "b", "c"], "the values");
    context.check.equal((await pageFrom(context))?.life, life, "the life");
  },

  async "deletion deletes streams, and another instance of the id begins anew"(context) {
    const { admin, check, time } = context;
    const fetched = await writing(context, 2);
    await append(context, fetched, ["a"]);
    const life = (await pageFrom(context))?.life;
    await time.pass(10);
    await admin.deleteInstance("a", { force: true });
    check.absent(await pageFrom(context), "after the deletion");
    await check.rejects(append(context, fetched, ["b"], { written: 1 }), "lock-lost", "a late append");
    await createInstance(context, "a", { streams: [written(["c"])] });
    const page = await pageFrom(context);
    check.equal([page?.first, page?.next, page?.life === life], [0, 1, false], "of another instance");
    check.equal(await valuesFrom(context), ["c"], "its values");
  },

  async "an instance that ended and begins again writes to its streams again"(context) {
    const { admin, check } = context;
    await createInstance(context, "a", { streams: [written(["a"], { close: true })] });
    await complete(context, "a");
    const { currentExecutionId, status } = await admin.getInstanceInfo("a");
    const outcome = await admin.reviseInstance({
      instanceId: "a",
      expected: { executionId: currentExecutionId, status: status as "Completed" },
      turn: {
        executionId: 2,
        historyDelta: [started("a", 2)],
        workerItems: [],
        orchestratorItems: [],
        cancelledActivities: [],
        metadata: {},
      },
    });
    check.equal(outcome.kind, "revised", "the change");
    check.equal((await pageFrom(context))?.state, "open", "its stream");
    await turn(context, "a", { streams: [written(["b"])] });
    check.equal(await valuesFrom(context), ["a", "b"], "its values");
  },
};

export const streamLives: readonly ProviderCase[] = casesOf("streams", needing(["streams"], lives));
