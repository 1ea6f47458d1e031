/** Whoever ends or goes on with an activity of a session is active in it (docs/reference/provider-contract.md §11). */

import type { HeldActivity } from "../memory/held.ts";
import type { Store } from "../memory/store.ts";
import { readOwner, writeOwner } from "./claim-session.ts";

const OPERATION = "touchSession";

const PATIENCE_MS = 2_000;

/** Best effort: a session that seems idle for a moment is given up at worst. */
export async function touchSession(store: Store, { row }: HeldActivity): Promise<void> {
  const { session_id: sessionId } = row.item;
  if (sessionId === undefined) return;
  const call = store.service.call(OPERATION, PATIENCE_MS);
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      const owner = store.sessions.get(sessionId) ?? (await readOwner(store, call, sessionId));
      const lastActivityMs = store.clock.now();
      if (owner === undefined || owner.lockedUntilMs <= lastActivityMs) return;
      if ((await writeOwner(store, call, { ...owner, lastActivityMs })) !== undefined) return;
    }
  } catch {
    // The activity is done, whatever became of its session.
  }
}
