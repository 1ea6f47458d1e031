/** An activity is independent of the orchestration that scheduled it. */
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion } from "../messages.ts";
import { createInstance, fetchOrchestration, fetchWork, mustFetchWork, turn } from "../steps.ts";

const ended: GroupOfCases = Object.fromEntries(
  (["Completed", "Failed", "ContinuedAsNew"] as const).map((status) => [
    `an activity of an execution that ended as ${status} can be renewed and completed`,
    async (context: CaseContext) => {
      const { provider, check, lockMs } = context;
      await createInstance(context, "a");
      await turn(context, "a", { workerItems: [activity("a", 2)], metadata: { status, output: "{}" } });
      const { lockToken } = await mustFetchWork(context);
      await provider.renewWorkItemLock(lockToken, lockMs);
      await provider.ackWorkItem(lockToken, completion("a", 2));
      check.equal((await fetchOrchestration(context))?.item.messages, [completion("a", 2)], "the messages");
      check.absent(await fetchWork(context), "the activity");
    },
  ]),
);

export const activities: readonly ProviderCase[] = casesOf("activities", {
  ...ended,

  async "what is said of the orchestration that asked for an activity is right"(context) {
    const { provider, check } = context;
    const known = { name: "TestOrch", version: "2.1.0" };
    await createInstance(context, "a", { version: known.version, workerItems: [activity("a", 2)] });
    await provider.enqueueForWorker(activity("a", 3));
    await provider.enqueueForWorker(activity("nobody", 4));
    // A provider that would need another read leaves it out.
    for (const id of [2, 3]) {
      const { orchestration = known } = await mustFetchWork(context);
      check.equal(orchestration, known, `the orchestration of activity ${id}`);
    }
    check.absent((await mustFetchWork(context)).orchestration, "the orchestration of an unknown instance");
  },
});
