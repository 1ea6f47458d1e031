/** Whether the store answers, and how its work stands. */
import type { Clock } from "@duroxide-ts/core";
import { json } from "@duroxide-ts/core/web";
import type { Source } from "../source/source.ts";
import { storeFigures } from "../source/store-figures.ts";

/** Answer of `/health`: status 200, or 503 if the store does not answer. An answer is kept for ten seconds. */
export interface Health {
  /** `ms` is how long the store took to answer, or to fail, or how long it was waited for. */
  readonly store: {
    readonly ok: boolean;
    readonly ms: number;
    readonly problem?: "no answer yet" | "failed";
  };
  /** How long the oldest row is due that no process has taken. */
  readonly oldestDueMs?: number;
  readonly workers?: number;
  /** Instances and activities that wait for fitting code; absent if the store does not count them. */
  readonly blocked?: number;
}

/** Probes wait for some seconds at most, a request to a store that hangs for much longer. */
const LONGEST_WAIT_MS = 2_000;

export async function health(source: Source): Promise<Response> {
  const { clock } = source;
  const startedAtMs = clock.now();
  const ill = (problem: "no answer yet" | "failed"): Response => {
    const body: Health = { store: { ok: false, ms: clock.now() - startedAtMs, problem } };
    return json(body, 503);
  };
  try {
    const figures = await within(LONGEST_WAIT_MS, clock, storeFigures(source));
    if (figures === undefined) return ill("no answer yet");
    const { tookMs, depths, workers, oldestDueMs } = figures;
    const body: Health = {
      store: { ok: true, ms: tookMs },
      ...(depths.blockedWork !== undefined && { blocked: depths.blockedWork }),
      ...(workers !== undefined && { workers }),
      ...(oldestDueMs !== undefined && { oldestDueMs }),
    };
    return json(body);
  } catch {
    // The reason is for the log of the process that uses the store; a health check is often public.
    return ill("failed");
  }
}

/** `undefined` if the answer takes longer. It is kept when it comes, for the probes after. */
function within<T>(ms: number, clock: Clock, answer: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(ms, () => resolve(undefined));
    answer.then(resolve, reject).finally(cancel);
  });
}
