/**
 * How to undo what the code of an execution has done (docs/decisions/sagas.md).
 *
 * - undo-stack.US1: The undo of the last call runs first, whichever saga it is of, and the next one when it has ended.
 * - undo-stack.US2: An undo leaves the stack when it has ended. A cancellation while one runs begins with it again.
 * - undo-stack.US3: An undo that fails keeps no other from running. It gets its last attempt when all others have ended,
 *   beside the last attempts of others: so no call follows from its failure, and a retry can run it alone again
 *   (earlier-failures.F2).
 */
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import { CompensationError } from "../../errors/compensation-error.ts";

/** A call that may have to be undone. */
export interface Undoing {
  /** The saga that made the call. */
  readonly saga: object;
  /** Undoes it, if it was done, or may have been done and the call says that it matters: all attempts but one, or the last. */
  undo(ctx: OrchestrationContext, attempts: "first" | "last"): PromiseLike<unknown> | undefined;
}

export class UndoStack {
  /** Calls in their order. */
  #calls: Set<Undoing> | undefined;

  get isEmpty(): boolean {
    return this.#calls === undefined || this.#calls.size === 0;
  }

  push(call: Undoing): void {
    this.#calls ??= new Set();
    this.#calls.add(call);
  }

  /** A call that has failed needs no undo. */
  remove(call: Undoing): void {
    this.#calls?.delete(call);
  }

  /** Undoes what code has done that failed, before its error ends the execution. */
  async undoFailed(ctx: OrchestrationContext, error: unknown): Promise<never> {
    await this.runAll(ctx, error);
    throw error;
  }

  /** Undoes all calls, or those of one saga. Rejects with CompensationError, with the failure that was the reason. */
  async runAll(ctx: OrchestrationContext, reason: unknown, saga?: object): Promise<void> {
    const failed: Undoing[] = [];
    for (const call of [...(this.#calls ?? [])].reverse()) {
      if (saga !== undefined && call.saga !== saga) continue;
      try {
        await call.undo(ctx, "first");
        this.remove(call);
      } catch {
        failed.push(call);
      }
    }
    // undo-stack.US3
    const last = await Promise.allSettled(failed.map((call) => call.undo(ctx, "last")));
    for (const call of failed) this.remove(call);
    const failures = last.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    if (failures.length > 0) throw new CompensationError(failures, reason);
  }
}
