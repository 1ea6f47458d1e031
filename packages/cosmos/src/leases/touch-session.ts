/** Whoever ends or goes on with an activity of a session is active in it (docs/reference/provider-contract.md §11). */

import type { ActivityLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";
import { readOwner, writeOwner } from "./claim-session.ts";

const OPERATION = "touchSession";

/**
 * The process that has the session remembers it; it is stored with the next write of the owner. Best effort: a session
 * that seems idle for a moment is given up at worst.
 */
export async function touchSession(service: Service, memory: Memory, { row }: ActivityLease): Promise<void> {
  const { session_id: sessionId } = row.item;
  if (sessionId === undefined) return;
  const { sessions } = memory;
  const known = sessions.get(sessionId);
  if (known !== undefined) {
    if (sessions.endOf(known) > service.clock.now()) sessions.used(sessionId, service.clock.now());
    return;
  }
  const call = service.call(OPERATION, BEST_EFFORT_MS);
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      const owner = await readOwner(memory, call, sessionId);
      const lastActivityMs = service.clock.now();
      if (owner === undefined || sessions.endOf(owner) <= lastActivityMs) return;
      if ((await writeOwner(memory, call, { ...owner, lastActivityMs })) !== undefined) return;
    }
  } catch {
    // The activity is done, whatever became of its session.
  }
}
