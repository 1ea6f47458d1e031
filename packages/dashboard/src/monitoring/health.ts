/** Whether the store answers, and how its work stands. */
import { json } from "../http/answers.ts";
import type { Source } from "../source/source.ts";

/** What `/health` answers: with status 200, or 503 if the store does not answer. */
export interface Health {
  readonly store: { readonly ok: boolean; readonly ms: number };
  /** How long the oldest row is due that no process has taken. */
  readonly oldestDueMs?: number;
  readonly workers?: number;
  readonly blocked?: number;
}

export async function health({ admin, clock }: Source): Promise<Response> {
  const startedAtMs = clock.now();
  const passedMs = (): number => clock.now() - startedAtMs;
  try {
    await admin.queueDepths();
    const store = { ok: true, ms: passedMs() };
    const { blockedWork: blocked } = await admin.metrics();
    const body: Health = { store, ...(blocked !== undefined && { blocked }) };
    if (!admin.queries) return json(body);
    const [workers, { work }] = await Promise.all([
      admin.workers(),
      admin.work({ overdueByMs: 0, limit: 1 }),
    ]);
    const [row] = work;
    const oldestDueMs = row === undefined ? undefined : Math.max(0, clock.now() - row.visibleAtMs);
    const all: Health = {
      ...body,
      workers: workers.length,
      ...(oldestDueMs !== undefined && { oldestDueMs }),
    };
    return json(all);
  } catch {
    // The reason is for the log of the process that uses the store; a health check is often public.
    const body: Health = { store: { ok: false, ms: passedMs() } };
    return json(body, 503);
  }
}
