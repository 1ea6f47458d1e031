/**
 * The functions that the handler registers for a cancellation, and the calls that are undone, and how they run
 * (docs/decisions/orchestration-code.md, docs/decisions/sagas.md).
 *
 * - clean-up.U1: The last function that was registered runs first, and the next one when it has ended: what was done
 *   last is undone first.
 * - clean-up.U2: Each may have a time limit, a timer of history. One that fails or exceeds it does not keep the others
 *   from running.
 */
import type { CleanUpFunction, OrchestrationContext } from "../../define/orchestration-context.ts";
import { TimeoutError } from "../../errors/duroxide-error.ts";
import { type Undoing, UndoStack } from "./undo-stack.ts";

interface CleanUp {
  readonly run: CleanUpFunction;
  readonly timeoutMs: number | undefined;
}

export class CleanUps {
  readonly undos: UndoStack = new UndoStack();
  /** Functions in the order of registration. */
  readonly #registered = new Set<CleanUp>();
  #undoes = false;

  get some(): boolean {
    return this.#registered.size > 0;
  }

  /** Returns what withdraws it. */
  add(run: CleanUpFunction, timeoutMs: number | undefined): () => void {
    const cleanUp = { run, timeoutMs };
    this.#registered.add(cleanUp);
    return () => void this.#registered.delete(cleanUp);
  }

  /** Adds a call that is undone on cancellation, and if the code fails. */
  undoLater(call: Undoing): void {
    this.undos.push(call);
    if (this.#undoes) return;
    this.#undoes = true;
    this.add((ctx) => this.undos.runAll(ctx, undefined), undefined);
  }

  /** `onError` gets the error of each that fails. Rejects with the first error, after all have run. */
  async runAll(ctx: OrchestrationContext, reason: string, onError: (error: unknown) => void): Promise<void> {
    const errors: unknown[] = [];
    for (const cleanUp of [...this.#registered].reverse()) {
      try {
        await runOne(ctx, cleanUp, reason);
      } catch (error) {
        errors.push(error);
        onError(error);
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
