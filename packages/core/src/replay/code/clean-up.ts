/**
 * The functions that the handler registers for a cancellation, and the calls that are undone, and how they run
 * (docs/decisions/sagas.md).
 *
 * - clean-up.U1: The last function that was registered runs first, and the next one when it has ended: what was done
 *   last is undone first.
 * - clean-up.U2: Each may have a time limit, a timer of history. One that fails or exceeds it does not keep the others
 *   from running. One with a mistake does, until the code is correct.
 */
import type { CleanUpFunction, OrchestrationContext } from "../../define/orchestration-context.ts";
import { TimeoutError } from "../../errors/duroxide-error.ts";
import type { Defects } from "./defects.ts";
import { type Undoing, type UndoRunner, UndoStack } from "./undo-stack.ts";
import { type Warned, warnOfCleanUp } from "./warnings.ts";

interface CleanUp {
  readonly run: CleanUpFunction;
  readonly timeoutMs: number | undefined;
}

/** The part of an execution that the clean-up reads. */
interface Cleaned extends Warned {
  readonly isReplaying: boolean;
}

export class CleanUps {
  readonly undos: UndoStack;
  /** Functions in the order of registration. */
  #registered: Set<CleanUp> | undefined;
  #undoes = false;

  constructor(runner: UndoRunner) {
    this.undos = new UndoStack(runner);
  }

  get some(): boolean {
    return this.#registered !== undefined && this.#registered.size > 0;
  }

  /** Returns what withdraws it. */
  add(run: CleanUpFunction, timeoutMs: number | undefined): () => void {
    const cleanUp = { run, timeoutMs };
    this.#registered ??= new Set();
    this.#registered.add(cleanUp);
    return () => void this.#registered?.delete(cleanUp);
  }

  /** Adds a call that is undone on cancellation, and if the code fails. */
  undoLater(call: Undoing): void {
    this.undos.push(call);
    if (this.#undoes) return;
    this.#undoes = true;
    this.add(() => this.undos.runAll(undefined), undefined);
  }

  /** Rejects with the first error, after all have run; at once with a mistake that blocks. */
  async runAll(
    ctx: OrchestrationContext,
    reason: string,
    live: Cleaned,
    defects: Pick<Defects, "blocking">,
  ): Promise<void> {
    const errors: unknown[] = [];
    for (const cleanUp of [...(this.#registered ?? [])].reverse()) {
      try {
        await runOne(ctx, cleanUp, reason);
      } catch (error) {
        if (defects.blocking(error)) throw error;
        errors.push(error);
        if (!live.isReplaying) warnOfCleanUp(live, error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

async function runOne(ctx: OrchestrationContext, { run, timeoutMs }: CleanUp, reason: string): Promise<void> {
  if (timeoutMs === undefined) {
    await run(ctx, reason);
    return;
  }
  const limit = ctx.scheduleTimer(timeoutMs, { label: "limit of the clean-up" });
  const first = await ctx.race([async (branch) => run(branch, reason), limit]);
  if (first.index === 1) throw new TimeoutError(`the clean-up did not end within ${timeoutMs} ms`);
}
