/**
 * How to undo what the code of an execution has done (docs/decisions/sagas.md).
 *
 * - undo-stack.US1: The undo of the last call runs first, whichever saga it is of, and the next one when it has ended.
 * - undo-stack.US2: An undo leaves the stack when it has ended. It is in a scope that no cancellation stops, and begins
 *   once: whoever comes to it while it runs waits for it. So an undo that has an outcome is not run again.
 * - undo-stack.US3: An undo that fails keeps no other from running. It gets its last attempt when all others have ended,
 *   beside the last attempts of others: so no call follows from its failure, and a retry can run it alone again
 *   (earlier-failures.F2).
 */
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import { CompensationError } from "../../errors/compensation-error.ts";
import { Scope } from "../calls/scope.ts";

/** A call that may have to be undone. */
export interface Undoing {
  /** The saga that made the call. */
  readonly saga: object;
  /** Undoes it, if it was done, or may have been done and the call says that it matters: all attempts but one, or the last. */
  undo(ctx: OrchestrationContext, attempts: "first" | "last"): PromiseLike<unknown> | undefined;
}

/** The code that runs undos. */
export interface UndoRunner {
  contextIn(scope: Scope): OrchestrationContext;
}

type Running = { [Attempts in "first" | "last"]?: Promise<unknown> };

export class UndoStack {
  /** Calls in their order. */
  #calls: Map<Undoing, Running> | undefined;
  readonly #runner: UndoRunner;
  #scope: Scope | undefined;

  constructor(runner: UndoRunner) {
    this.#runner = runner;
  }

  get isEmpty(): boolean {
    return this.#calls === undefined || this.#calls.size === 0;
  }

  push(call: Undoing): void {
    this.#calls ??= new Map();
    this.#calls.set(call, {});
  }

  /** A call that has failed needs no undo. */
  remove(call: Undoing): void {
    this.#calls?.delete(call);
  }

  /** The scope of the undos; `undefined` if none has run. */
  get scopeInUse(): Scope | undefined {
    return this.#scope;
  }

  /** The scope of the undos, a new one where the last one was stopped (undo-stack.US2). */
  openScope(): Scope {
    // Undos that ran in a scope that was stopped will never end.
    if (this.#scope?.stopped) for (const call of this.#calls?.keys() ?? []) this.#calls?.set(call, {});
    if (this.#scope?.stopped !== false) this.#scope = new Scope();
    return this.#scope;
  }

  /** Undoes what code has done that failed, before its error ends the execution. */
  async undoFailed(error: unknown): Promise<never> {
    await this.runAll(error);
    throw error;
  }

  /** Undoes all calls, or those of one saga. Rejects with CompensationError, with the failure that was the reason. */
  async runAll(reason: unknown, saga?: object): Promise<void> {
    const failed: Undoing[] = [];
    for (const call of [...(this.#calls?.keys() ?? [])].reverse()) {
      if (saga !== undefined && call.saga !== saga) continue;
      try {
        await this.#undo(call, "first");
        this.remove(call);
      } catch {
        failed.push(call);
      }
    }
    // undo-stack.US3
    const last = await Promise.allSettled(failed.map((call) => this.#undo(call, "last")));
    for (const call of failed) this.remove(call);
    const failures = last.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    if (failures.length > 0) throw new CompensationError(failures, reason);
  }

  /** undo-stack.US2 */
  #undo(call: Undoing, attempts: "first" | "last"): Promise<unknown> {
    const ctx = this.#runner.contextIn(this.openScope());
    const running = this.#calls?.get(call);
    // Another caller has come to its end meanwhile.
    if (running === undefined) return Promise.resolve();
    running[attempts] ??= Promise.resolve(call.undo(ctx, attempts));
    return running[attempts];
  }
}
