/** The steps of the cases about sessions. Owners are workers: "A" and "B" in all of them. */
import type { FetchedWork, FetchWorkOptions } from "@duroxide-ts/core/stores";
import type { Caller } from "../context.ts";
import { activity } from "../messages.ts";
import { fetchWork, given } from "../steps.ts";

/** Duration of the claim of a session where a case says nothing else. */
export const SESSION_MS = 30_000;

/** A session lock that ends soon, and a wait that outlasts it. */
export const SHORT_MS = 50;
export const AFTER_SHORT_MS: number = SHORT_MS + 10;

interface FetchAs extends Partial<FetchWorkOptions> {
  readonly sessionMs?: number;
}

/** A fetch by a worker that serves sessions. */
export function fetchAs(
  caller: Caller,
  ownerId: string,
  { sessionMs = SESSION_MS, ...more }: FetchAs = {},
): Promise<FetchedWork | undefined> {
  return fetchWork(caller, { session: { ownerId, lockTimeoutMs: sessionMs }, ...more });
}

export async function mustFetchAs(caller: Caller, ownerId: string, more: FetchAs = {}): Promise<FetchedWork> {
  return given(await fetchAs(caller, ownerId, more), `no activity for ${ownerId}`);
}

/** One activity of instance "a", in a session or, by default, outside any. */
export function enqueue({ provider }: Caller, id: number, sessionId?: string): Promise<void> {
  return provider.enqueueForWorker(
    activity("a", id, sessionId === undefined ? {} : { session_id: sessionId }),
  );
}

/** Makes a worker the owner of a session by an activity that it has done already, so that none is left. */
export async function claim(
  caller: Caller,
  ownerId: string,
  sessionId: string,
  more: FetchAs = {},
): Promise<void> {
  await enqueue(caller, 100, sessionId);
  const { lockToken } = await mustFetchAs(caller, ownerId, more);
  await caller.provider.ackWorkItem(lockToken);
}
