/**
 * The functions that the handler registers for a cancellation, and how they run (docs/decisions/orchestration-code.md).
 *
 * - clean-up.U1: The last function that was registered runs first, and the next one when it has ended: what was done
 *   last is undone first.
 * - clean-up.U2: Each has its time limit, a timer of history. One that fails or exceeds it does not keep the others
 *   from running.
 */
import type { CleanUpFunction, OrchestrationContext } from "../../define/orchestration-context.ts";
import { TimeoutError } from "../../errors/duroxide-error.ts";

interface CleanUp {
  readonly run: CleanUpFunction;
  readonly timeoutMs: number;
}

export class CleanUps {
  /** Functions in the order of registration. */
  readonly #registered = new Set<CleanUp>();

  get some(): boolean {
    return this.#registered.size > 0;
  }

  /** Returns what withdraws it. */
  add(run: CleanUpFunction, timeoutMs: number): () => void {
    const cleanUp = { run, timeoutMs };
    this.#registered.add(cleanUp);
    return () => void this.#registered.delete(cleanUp);
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
  const limit = ctx.scheduleTimer(timeoutMs, { label: "limit of the clean-up" });
  const first = await ctx.race([async (branch) => run(branch, reason), limit]);
  if (first.index === 1) throw new TimeoutError(`the clean-up did not end within ${timeoutMs} ms`);
}
