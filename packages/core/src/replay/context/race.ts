/**
 * The first entry to settle wins; the other calls are dropped, and a losing branch stops at its current `await`.
 * History decides the winner, because at most one call settles between two idle points (live-execution.L4). The losers
 * are dropped before the code goes on, so that it cannot make calls between the two.
 */
import type { RaceOptions } from "../../define/durable-call-options.ts";
import type { RaceEntry } from "../../define/orchestration-context.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { DurableTask } from "../calls/durable-task.ts";
import { type Member, type StartBranch, startMember } from "./member.ts";

export function startRace(
  entries: readonly RaceEntry[],
  { keep = false }: RaceOptions,
  startBranch: StartBranch,
): DurableTask<unknown> {
  if (entries.length === 0)
    throw new InvalidInputError("race needs at least one entry; an empty race never ends");
  const runners = entries.map((entry) => startMember(entry, startBranch));
  const task = new DurableTask<unknown>((reason) => {
    for (const runner of runners) runner.drop(reason);
  });
  const finish = (index: number, settle: () => void): void => {
    if (!task.pending) return;
    if (!keep) dropOthers(runners, index);
    settle();
  };
  for (const [index, { result }] of runners.entries()) {
    result.then(
      (value) => finish(index, () => task.fulfil({ index, value })),
      (error: unknown) => finish(index, () => task.reject(error)),
    );
  }
  return task;
}

function dropOthers(runners: readonly Member[], winner: number): void {
  for (const [index, runner] of runners.entries())
    if (index !== winner) runner.drop("another entry won the race");
}
