/** What is handed to a combinator: a task, any other promise or value, or a branch of several steps. */
import type { BranchFunction } from "../../define/orchestration-context.ts";
import { runMarked } from "../../guard/orchestration-frame.ts";
import type { Context } from "../context.ts";
import { DurableTask } from "../durable-task.ts";

export type StartBranch = (run: (branch: Context) => PromiseLike<unknown>) => {
  readonly result: PromiseLike<unknown>;
  stop(): void;
};

export interface Member {
  readonly result: PromiseLike<unknown>;
  /** Tasks and branches can be given up, other promises cannot. */
  giveUp(reason: unknown): void;
}

export function startMember(entry: unknown, startBranch: StartBranch): Member {
  if (typeof entry === "function") {
    const run = entry as BranchFunction;
    const { result, stop } = startBranch((branch) => runMarked(() => run(branch)));
    return { result, giveUp: stop };
  }
  if (entry instanceof DurableTask) return { result: entry, giveUp: (reason) => entry.cancel(reason) };
  return { result: runMarked(() => entry), giveUp: () => {} };
}
