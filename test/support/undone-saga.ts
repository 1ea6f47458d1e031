/** A saga of five steps that is undone, for tests that kill its process. */
import { type AnyOrchestration, type HistoryEvent, orchestration } from "@duroxide-ts/core";
import { expect } from "vitest";

export const SAGA_STEPS = [1, 2, 3, 4, 5] as const;
/** The message of its failure. */
export const REASON = "after all steps";

/** `outcome` differs from run to run; the outcome of an undo is what it got. */
export function undoneSaga(outcome: () => string): AnyOrchestration {
  return orchestration("saga", async (ctx) => {
    const saga = ctx.saga();
    for (const step of SAGA_STEPS) await saga.run(`step ${step}`, outcome, (done) => done);
    throw new Error(REASON);
  });
}

type Outcome = readonly [name: string, outcome: string];

/** Names and outcomes, in the order of their ends. */
export function outcomesOf(events: readonly HistoryEvent[]): readonly Outcome[] {
  const names = new Map(
    events.flatMap((event) =>
      event.type === "ActivityScheduled" ? [[event.event_id, event.name] as const] : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === "ActivityCompleted"
      ? [[names.get(event.source_event_id ?? 0) ?? "", event.result] as const]
      : [],
  );
}

/** Each outcome that was recorded before the kill is kept, and each step is undone once for its outcome, the last first. */
export function expectUndone(all: readonly Outcome[], recorded: readonly Outcome[], where: string): void {
  expect(all.slice(0, recorded.length), where).toEqual(recorded);
  const done = all.slice(0, SAGA_STEPS.length);
  const names = done.map(([name]) => name);
  expect(names, where).toEqual(SAGA_STEPS.map((step) => `step ${step}`));
  const undone = done.map(([name, outcome]) => [`undo ${name}`, outcome]).toReversed();
  expect(all.slice(SAGA_STEPS.length), where).toEqual(undone);
}
