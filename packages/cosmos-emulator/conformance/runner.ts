/** Runs checks against an endpoint, several at a time, and keeps what each of them said. */
import { type Check, NotApplicable } from "./check.ts";
import type { Target } from "./target.ts";

export interface Outcome {
  readonly group: string;
  readonly name: string;
  /** Reason of its failure; absent where it passed. */
  readonly failure?: string;
  /** Reason why it does not apply to this endpoint. */
  readonly notApplicable?: string;
  readonly tookMs: number;
}

export interface RunOptions {
  readonly concurrency: number;
  /** A check that has not ended by then has failed. */
  readonly timeoutMs: number;
  /** Gives every check containers of its own: for endpoints on which the items of one disturb another. */
  readonly isolate?: boolean;
  /** Called after a failure: gives the target to go on with, such as a new one where the endpoint had died. */
  recover?(target: Target): Promise<Target>;
}

export async function runChecks(
  opened: Target,
  checks: readonly Check[],
  { concurrency, timeoutMs, isolate = false, recover }: RunOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let target = opened;
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < checks.length; index = next++) {
      const check = checks[index] as Check;
      const outcome = await runCheck(check, isolate ? target.isolated() : target, timeoutMs);
      outcomes[index] = outcome;
      if (outcome.failure !== undefined && recover !== undefined) target = await recover(target);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return outcomes;
}

export async function runCheck(check: Check, target: Target, timeoutMs: number): Promise<Outcome> {
  const startedAt = performance.now();
  const about = { group: check.group, name: check.name };
  try {
    await Promise.race([check.run(target), failAfter(timeoutMs)]);
    return { ...about, tookMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const tookMs = Math.round(performance.now() - startedAt);
    if (error instanceof NotApplicable) return { ...about, notApplicable: error.message, tookMs };
    const failure = error instanceof Error ? error.message : JSON.stringify(error);
    return { ...about, failure, tookMs };
  }
}

function failAfter(timeoutMs: number): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`no end after ${timeoutMs} ms`)), timeoutMs);
    timer.unref();
  });
}
