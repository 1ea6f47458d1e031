/** An activity is independent of the orchestration that scheduled it. */
import { STEP_TAG, stepsOf, type TagFilter } from "@duroxide-ts/core/stores";
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

const STEP = { step_of: "TestOrch@1.0.0", tag: STEP_TAG };
const WITH_STEPS: TagFilter = { kind: "tags", tags: [STEP_TAG] };

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

  async "a step goes to a fetch with its tag and the code of its orchestration; another one leaves it"(
    context,
  ) {
    const { check } = context;
    const step = activity("a", 2, STEP);
    await createInstance(context, "a", { workerItems: [step] });
    const code = new Set([stepsOf("TestOrch@1.0.0")]);
    const strangers = {
      "without the tag": { tagFilter: { kind: "default-only" }, activities: code },
      "with another tag": { tagFilter: { kind: "default-and", tags: ["gpu"] }, activities: code },
      "with an activity of its name": { tagFilter: WITH_STEPS, activities: new Set(["work"]) },
      "with another version": { tagFilter: WITH_STEPS, activities: new Set([stepsOf("TestOrch@2.0.0")]) },
      "of everything, with other code": { tagFilter: { kind: "any" }, activities: new Set(["work"]) },
    } as const;
    for (const [what, options] of Object.entries(strangers))
      check.absent(await fetchWork(context, options), `the activity of a fetch ${what}`);
    const fetched = await mustFetchWork(context, { tagFilter: WITH_STEPS, activities: code });
    check.equal(fetched.item, step, "the step");
    check.equal(fetched.attemptCount, 1, "attempts");
  },

  async "the tag of steps does not count among the five of a filter"(context) {
    const { check } = context;
    await createInstance(context, "a", {
      workerItems: [activity("a", 2, STEP), activity("a", 3, { tag: "5" })],
    });
    const tagFilter: TagFilter = { kind: "tags", tags: ["1", "2", "3", "4", "5", STEP_TAG] };
    const ids = [(await mustFetchWork(context, { tagFilter })).item.id];
    ids.push((await mustFetchWork(context, { tagFilter })).item.id);
    check.equal(ids.sort(), [2, 3], "what a filter with six tags gets");
  },
});
