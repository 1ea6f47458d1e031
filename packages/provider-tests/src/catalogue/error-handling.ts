/** The errors of calls. Catalogue: error_handling. */
import { casesOf, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { started, startItem } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, fetchWork, mustFetch, passLock } from "../steps.ts";
import { refusesStoredEvent } from "./atomicity.ts";

export const errorHandling: readonly ProviderCase[] = casesOf("error_handling", {
  async test_invalid_lock_token_on_ack({ provider, check }) {
    const commit = provider.ackOrchestrationItem({
      lockToken: "unknown",
      executionId: 1,
      historyDelta: [started("a")],
      workerItems: [],
      orchestratorItems: [],
      cancelledActivities: [],
      metadata: {},
    });

    const error = await check.rejects(commit, "lock-lost", "a token that was never handed out");
    check.matches(error.message, /Invalid lock token|lock_token/, "the message");
    check.equal(await provider.readHistory("a"), [], "the history");
  },

  test_duplicate_event_id_rejection: refusesStoredEvent,

  async test_missing_instance_metadata({ provider, check }) {
    check.equal(await provider.readHistory("unknown"), [], "the history of an unknown instance");
  },

  async test_corrupted_serialization_data(context) {
    const { check } = context;
    check.absent(await fetchOrchestration(context), "an orchestration on an empty store");
    check.absent(await fetchWork(context), "an activity on an empty store");
  },

  async test_lock_expiration_during_ack(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);
    await passLock(context);

    const late = ack(context, fetched, { historyDelta: [started("a")] });

    await check.rejects(late, "lock-lost", "an ack after the lock");
    check.equal(await provider.readHistory("a"), [], "the history");
  },

  ...needing(["corrupt-history"], {
    test_read_corrupted_history_returns_error: (context) => readBeforeAndAfterDamage(context),

    test_read_with_execution_corrupted_history_returns_error: (context) =>
      readBeforeAndAfterDamage(context, 1),
  }),
});

/** A history that cannot be decoded must not look like one that is empty. */
async function readBeforeAndAfterDamage(context: CaseContext, executionId?: number): Promise<void> {
  const { provider, store, check } = context;
  await createInstance(context, "a");
  check.equal(await provider.readHistory("a", executionId), [started("a")], "the history before the damage");

  await store.corruptHistory?.("a");

  await check.rejects(provider.readHistory("a", executionId), "corrupt-data", "a read after the damage");
}
