/** The first to settle wins; the rest is cancelled, and a losing branch stops where it is. */
import type { RaceEntry, RaceOptions } from "../../define/orchestration-context.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { runMarked } from "../../guard/orchestration-frame.ts";
import type { Context } from "../context.ts";
import { DurableTask } from "../durable-task.ts";
import { cancelMember } from "./member.ts";

interface Runner {
  readonly result: PromiseLike<unknown>;
  giveUp(reason: unknown): void;
}

type StartBranch = (run: (branch: Context) => PromiseLike<unknown>) => {
  readonly result: PromiseLike<unknown>;
  stop(): void;
};

export function startRace(
  entries: readonly RaceEntry[],
  { keep = false }: RaceOptions,
  startBranch: StartBranch,
): DurableTask<unknown> {
  if (entries.length === 0)
    throw new InvalidInputError("race needs at least one entry; an empty race never ends");
  const runners = entries.map((entry) => startRunner(entry, startBranch));
  const task = new DurableTask<unknown>((reason) => {
    for (const runner of runners) runner.giveUp(reason);
  });
  const finish = (index: number, settle: () => void): void => {
    if (!task.pending) return;
    if (!keep) giveUpOthers(runners, index);
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

function startRunner(entry: RaceEntry, startBranch: StartBranch): Runner {
  if (typeof entry !== "function") {
    const result = entry instanceof DurableTask ? entry : runMarked(() => entry);
    return { result, giveUp: (reason) => cancelMember(entry, reason) };
  }
  const { result, stop } = startBranch((branch) => runMarked(() => entry(branch)));
  return { result, giveUp: stop };
}

function giveUpOthers(runners: readonly Runner[], winner: number): void {
  for (const [index, runner] of runners.entries())
    if (index !== winner) runner.giveUp("another entry won the race");
}
