/**
 * Runs a branch for each item of a list, at most so many at a time, in the order of the items. A branch ends where history
 * settles it, so the order in which further branches begin is the same in every replay.
 */
import type { MapOptions } from "../../define/map.ts";
import type { MapFunction, OrchestrationContext } from "../../define/orchestration-context.ts";
import { isDefect } from "../../errors/defect.ts";
import { runMarked } from "../../guard/orchestration-frame.ts";
import { DurableTask } from "../calls/durable-task.ts";
import type { Branch, StartBranch } from "./member.ts";

/** A context that can run branches of its own. */
export interface Branching extends OrchestrationContext {
  readonly branch: StartBranch;
}

export function mapItems<C extends Branching>(
  items: readonly unknown[],
  each: MapFunction<unknown, unknown>,
  options: MapOptions,
  startBranch: StartBranch<C>,
): DurableTask<unknown> {
  const task = new DurableTask<unknown>(() => group.stop());
  // One scope for all items, so that dropping them costs the same however many there are.
  const group: Branch<unknown> = startBranch((ctx) => {
    const begin = (index: number): Branch<unknown> =>
      ctx.branch((branch) => runMarked(() => each(branch, items[index], index)));
    new ItemBranches(task, options, items.length, { begin, stop: () => group.stop() }).run();
    return task;
  });
  group.scope.result = task;
  return task;
}

type Outcome = PromiseSettledResult<unknown>;

class ItemBranches {
  readonly #task: DurableTask<unknown>;
  readonly #options: MapOptions;
  readonly #begin: (index: number) => Branch<unknown>;
  readonly #stop: () => void;
  readonly #outcomes: (Outcome | undefined)[];
  #begun = 0;
  #settled = 0;
  #failed = 0;

  /** `begin` runs the branch of an item, `stop` drops all of them. */
  constructor(
    task: DurableTask<unknown>,
    options: MapOptions,
    count: number,
    { begin, stop }: { readonly begin: (index: number) => Branch<unknown>; readonly stop: () => void },
  ) {
    this.#task = task;
    this.#options = options;
    this.#begin = begin;
    this.#stop = stop;
    this.#outcomes = new Array<Outcome | undefined>(count).fill(undefined);
  }

  run(): void {
    const { concurrency = Number.POSITIVE_INFINITY } = this.#options;
    this.#endIfDecided();
    while (this.#begun < Math.min(concurrency, this.#outcomes.length) && this.#task.pending)
      this.#beginNext();
  }

  #beginNext(): void {
    const index = this.#begun++;
    this.#begin(index).result.then(
      (value) => this.#settle(index, { status: "fulfilled", value }),
      (reason: unknown) => this.#settle(index, { status: "rejected", reason }),
    );
  }

  #settle(index: number, outcome: Outcome): void {
    if (!this.#task.pending) return;
    this.#outcomes[index] = outcome;
    this.#settled++;
    if (outcome.status === "rejected") this.#failed++;
    this.#endIfDecided(outcome);
    if (this.#task.pending && this.#begun < this.#outcomes.length) this.#beginNext();
  }

  /** Ends the map if the outcomes decide it; `last` is the one that has just arrived. */
  #endIfDecided(last?: Outcome): void {
    const { minSuccessful, toleratedFailures } = this.#options;
    const all = this.#outcomes.length;
    const isEnough = minSuccessful !== undefined && this.#settled - this.#failed >= minSuccessful;
    const isOutOfReach = minSuccessful !== undefined && all - this.#failed < minSuccessful;
    const isIntolerable = toleratedFailures !== undefined && this.#failed > toleratedFailures;
    if (isEnough) this.#end(() => this.#task.fulfil(this.#outcomes));
    // A mistake of the code is to block the turn in which it comes.
    else if (last?.status === "rejected" && !this.#wantsOutcomes && isDefect(last.reason))
      this.#end(() => this.#task.reject(last.reason));
    else if ((isOutOfReach || isIntolerable) && last?.status === "rejected")
      this.#end(() => this.#task.reject(last.reason));
    else if (this.#settled === all) this.#end(() => this.#finish());
  }

  /** Open calls are dropped before the code goes on, as in a race. */
  #end(settle: () => void): void {
    if (this.#settled < this.#begun) this.#stop();
    settle();
  }

  get #wantsOutcomes(): boolean {
    const { minSuccessful, toleratedFailures, settled = false } = this.#options;
    return settled || minSuccessful !== undefined || toleratedFailures !== undefined;
  }

  #finish(): void {
    const failed = this.#outcomes.find((outcome) => outcome?.status === "rejected");
    if (this.#wantsOutcomes) this.#task.fulfil(this.#outcomes);
    else if (failed?.status === "rejected") this.#task.reject(failed.reason);
    else
      this.#task.fulfil(this.#outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value));
  }
}
