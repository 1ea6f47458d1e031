/** The text that an orchestration shows to the outside, and its version. Catalogue: custom_status. */
import type { HistoryEvent } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import { eventOf, scheduled } from "../messages.ts";
import { createInstance, customStatusOf, turn } from "../steps.ts";

export const customStatus: readonly ProviderCase[] = casesOf("custom_status", {
  async test_custom_status_set(context) {
    const { check } = context;
    await createInstance(context, "a");

    await turn(context, "a", { historyDelta: [updated(2, "progress")] });

    check.equal(await customStatusOf(context, "a", 0), { status: "progress", version: 1 }, "the status");
  },

  async test_custom_status_clear(context) {
    const { check } = context;
    await createInstance(context, "a");
    await turn(context, "a", { historyDelta: [updated(2, "progress")] });

    await turn(context, "a", { historyDelta: [updated(3, null)] });

    check.equal(await customStatusOf(context, "a", 0), { status: null, version: 2 }, "the cleared status");
  },

  async test_custom_status_none_preserves(context) {
    const { check } = context;
    await createInstance(context, "a");
    await turn(context, "a", { historyDelta: [updated(2, "progress")] });

    await turn(context, "a", { historyDelta: [scheduled("a", 3)] });

    check.equal(
      await customStatusOf(context, "a", 0),
      { status: "progress", version: 1 },
      "the status after a turn that does not mention it",
    );
  },

  async test_custom_status_version_increments(context) {
    const { check } = context;
    await createInstance(context, "a");
    const statuses = ["first", "second", null];
    for (const [index, status] of statuses.entries()) {
      await turn(context, "a", { historyDelta: [updated(index + 2, status)] });
      check.equal(
        await customStatusOf(context, "a", 0),
        { status, version: index + 1 },
        `change ${index + 1}`,
      );
    }
  },

  async test_custom_status_polling_no_change(context) {
    const { check } = context;
    await createInstance(context, "a", { historyDelta: [updated(2, "progress")] });

    check.absent(await customStatusOf(context, "a", 1), "the status for a caller that has seen version 1");
    check.equal(
      await customStatusOf(context, "a", 0),
      { status: "progress", version: 1 },
      "the status for a caller that has seen nothing",
    );
  },

  async test_custom_status_nonexistent_instance(context) {
    context.check.absent(await customStatusOf(context, "nobody", 0), "the status of an unknown instance");
  },

  async test_custom_status_default_on_new_instance(context) {
    const { check } = context;
    await createInstance(context, "a");

    check.absent(await customStatusOf(context, "a", 0), "the status of a fresh instance");
  },
});

/** Sets the status of instance "a", or clears it. */
function updated(eventId: number, status: string | null): HistoryEvent {
  return eventOf("CustomStatusUpdated", "a", eventId, { status });
}
