/** The steps of the cases about changes by hand, all of them with instance "a". */
import type {
  ExecutionStatus,
  InstanceRevision,
  RevisionOutcome,
  Suspended,
  TurnContent,
} from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { activity, NAMED, raised, scheduled, semver, started } from "../messages.ts";
import { createInstance, given } from "../steps.ts";

/** Throws where the store has no such method. */
export async function revise(
  { admin }: Pick<CaseContext, "admin">,
  revision: InstanceRevision,
): Promise<RevisionOutcome> {
  return given(await admin.reviseInstance(revision), "no reviseInstance");
}

/** Must be stored. */
export async function revised(context: CaseContext, revision: InstanceRevision): Promise<void> {
  const outcome = await revise(context, revision);
  context.check.equal(outcome, { kind: "revised" }, "the outcome");
}

/** Its first execution, with two events, as it stands. */
export function standing(status: ExecutionStatus, lastEventId = 2): InstanceRevision["expected"] {
  return { executionId: 1, status, lastEventId };
}

/** Instance "a", whose activity 2 is queued. */
export async function runningInstance(context: CaseContext): Promise<string | undefined> {
  const { historyTag } = await createInstance(context, "a", {
    historyDelta: [scheduled("a", 2)],
    workerItems: [activity("a", 2)],
  });
  return historyTag;
}

/** Instance "a", which has failed with two events. */
export async function failedInstance(context: CaseContext): Promise<void> {
  await createInstance(context, "a", {
    historyDelta: [scheduled("a", 2)],
    metadata: { status: "Failed", output: "broken" },
  });
}

/** The second execution of instance "a", with an activity and a message. */
export function secondExecution(more: Partial<TurnContent> = {}): TurnContent {
  return {
    executionId: 2,
    historyDelta: [started("a", 2), scheduled("a", 2, 2)],
    workerItems: [activity("a", 2, { execution_id: 2 })],
    orchestratorItems: [raised("a", "again")],
    metadata: { ...NAMED, pinnedVersion: semver("0.1.32") },
    cancelledActivities: [],
    ...more,
  };
}

export const BY_ADA: Suspended = { sinceMs: 1_700_000_000_000, reason: "the bank is down", by: "ada" };

/** Suspends instance "a", whatever it does. */
export function suspend(context: CaseContext): Promise<void> {
  const expected = { executionId: 1, status: "Running" } as const;
  return revised(context, { instanceId: "a", expected, suspended: BY_ADA });
}

/** Ends the suspension of instance "a". */
export function resume(context: CaseContext): Promise<void> {
  const expected = { executionId: 1, status: "Running" } as const;
  return revised(context, { instanceId: "a", expected, suspended: null });
}
