/** The number of a delivery is the same for the handler, in history and in the log. */
import { activity, type LogFields, Runtime, silentLogger } from "@duroxide-ts/core";
import type { ActivityOutcome } from "@duroxide-ts/core/stores";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";
import { activityItem } from "../support/work-items.ts";

class NotingOutcomes extends MemoryProvider {
  readonly outcomes: (ActivityOutcome | undefined)[] = [];

  override ackWorkItem(token: string, outcome?: ActivityOutcome): Promise<void> {
    this.outcomes.push(outcome);
    return super.ackWorkItem(token, outcome);
  }
}

const LOCK = { lockTimeoutMs: 1_000, pollTimeoutMs: 0, tagFilter: { kind: "default-only" } } as const;

test("counts earlier lone runs, for the handler, in history and in the log", async () => {
  const clock = new VirtualClock();
  await using provider = new NotingOutcomes({ clock });
  await provider.enqueueForWorker(activityItem());
  const lost = await provider.fetchWorkItem(LOCK);
  await provider.renewWorkItemLock(lost?.lockToken ?? "", 1, { ignoreAttempt: true });
  await provider.renewWorkItemLock(lost?.lockToken ?? "", 1, { alone: true });
  await clock.advance(1_000);
  const attempts: number[] = [];
  const entries: LogFields[] = [];
  const work = activity("work", async ({ attempt }) => {
    attempts.push(attempt);
  });
  await using _runtime = await Runtime.start({
    provider,
    clock,
    activities: [work],
    reportWorker: false,
    logger: { ...silentLogger, debug: (fields) => entries.push(fields) },
  });
  await clock.settle();

  expect(attempts).toEqual([2]);
  expect(provider.outcomes).toMatchObject([{ kind: "ActivityCompleted", ran: { attempt: 2 } }]);
  expect(entries).toContainEqual(expect.objectContaining({ event: "activity_started", attempt_count: 2 }));
});
