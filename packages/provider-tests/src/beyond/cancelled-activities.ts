/** A commit deletes exactly the activities that it cancels (hazard W9). */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, scheduled } from "../messages.ts";
import { continueAsNew, createInstance, turn } from "../steps.ts";
import { drain } from "./observe.ts";

const cancel = (instanceId: string, executionId: number, activityId: number) => ({
  instanceId,
  executionId,
  activityId,
});

async function activitiesLeft(
  context: CaseContext,
): Promise<readonly (readonly [string, unknown, unknown])[]> {
  const { activities } = await drain(context);
  return activities.map(({ instance, execution_id, id }) => [instance, execution_id, id] as const);
}

export const cancelledActivities: readonly ProviderCase[] = casesOf("cancelled_activities", {
  async "activities of the same id in another instance or execution stay"(context) {
    await createInstance(context, "b", { workerItems: [activity("b", 2)] });
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    await continueAsNew(context, "a", 2, { workerItems: [activity("a", 2, { execution_id: 2 })] });
    await turn(context, "a", { cancelledActivities: [cancel("a", 2, 2)] });
    context.check.equal(
      await activitiesLeft(context),
      [
        ["b", 1, 2],
        ["a", 1, 2],
      ],
      "what is left",
    );
  },

  async "an activity of another instance can be cancelled"(context) {
    await createInstance(context, "b", { workerItems: [activity("b", 2), activity("b", 3)] });
    await createInstance(context, "a");
    await turn(context, "a", { cancelledActivities: [cancel("b", 1, 2)] });
    context.check.equal(await activitiesLeft(context), [["b", 1, 3]], "what is left");
  },

  async "fifty of a hundred activities"(context) {
    const ids = Array.from({ length: 100 }, (_, n) => n + 2);
    await createInstance(context, "a", {
      historyDelta: ids.map((id) => scheduled("a", id)),
      workerItems: ids.map((id) => activity("a", id)),
    });
    const odd = ids.filter((id) => id % 2 === 1);
    await turn(context, "a", { cancelledActivities: odd.map((id) => cancel("a", 1, id)) });
    const left = (await activitiesLeft(context)).map(([, , id]) => id);
    context.check.equal(
      left,
      ids.filter((id) => id % 2 === 0),
      "what is left",
    );
  },
});
