/** Whether the store answers, and how its work stands. */
import { json } from "../http/answers.ts";
import type { Source } from "../source/source.ts";
import { storeFigures } from "../source/store-figures.ts";

/** Answer of `/health`: status 200, or 503 if the store does not answer. An answer is kept for ten seconds. */
export interface Health {
  /** `ms` is how long the store took to answer, or to fail. */
  readonly store: { readonly ok: boolean; readonly ms: number };
  /** How long the oldest row is due that no process has taken. */
  readonly oldestDueMs?: number;
  readonly workers?: number;
  /** Instances and activities that wait for fitting code; absent if the store does not count them. */
  readonly blocked?: number;
}

export async function health(source: Source): Promise<Response> {
  const { clock } = source;
  const startedAtMs = clock.now();
  try {
    const { tookMs, blocked, workers, oldestDueMs } = await storeFigures(source);
    const body: Health = {
      store: { ok: true, ms: tookMs },
      ...(blocked !== undefined && { blocked }),
      ...(workers !== undefined && { workers }),
      ...(oldestDueMs !== undefined && { oldestDueMs }),
    };
    return json(body);
  } catch {
    // The reason is for the log of the process that uses the store; a health check is often public.
    const body: Health = { store: { ok: false, ms: clock.now() - startedAtMs } };
    return json(body, 503);
  }
}
