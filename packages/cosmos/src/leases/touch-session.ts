/** Whoever ends or goes on with an activity of a session is active in it (docs/reference/provider-contract.md §11). */

import type { ActivityLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";
import { readOwner, writeOwner } from "./claim-session.ts";

const OPERATION = "touchSession";

/** Best effort: a session that seems idle for a moment is given up at worst. */
export async function touchSession(service: Service, memory: Memory, { row }: ActivityLease): Promise<void> {
  const { session_id: sessionId } = row.item;
  if (sessionId === undefined) return;
  const call = service.call(OPERATION, BEST_EFFORT_MS);
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      const owner = memory.sessions.get(sessionId) ?? (await readOwner(memory, call, sessionId));
      const lastActivityMs = service.clock.now();
      if (owner === undefined || owner.lockedUntilMs <= lastActivityMs) return;
      if ((await writeOwner(memory, call, { ...owner, lastActivityMs })) !== undefined) return;
    }
  } catch {
    // The activity is done, whatever became of its session.
  }
}
