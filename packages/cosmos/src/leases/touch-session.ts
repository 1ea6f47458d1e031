/** Notes that a session is active: an activity of it ended or was renewed (docs/reference/provider-contract.md §11). */
import type { ActivityLease } from "../memory/held.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import { readOwner, writeOwner } from "./claim-session.ts";

const OPERATION = "touchSession";

/**
 * The process of the owner remembers the time, and stores it with its next write of the session. Best effort: at worst
 * the session is released because it seems idle.
 */
export async function touchSession(parts: Parts, { row }: ActivityLease): Promise<void> {
  const { session_id: sessionId } = row.item;
  if (sessionId === undefined) return;
  const { sessions } = parts.memory;
  const known = sessions.get(sessionId);
  if (known !== undefined) {
    if (sessions.endOf(known) > parts.clock.now()) sessions.used(sessionId, parts.clock.now());
    return;
  }
  const work = new Work(parts, OPERATION, BEST_EFFORT_MS);
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      const owner = await readOwner(work, sessionId);
      const lastActivityMs = parts.clock.now();
      if (owner === undefined || sessions.endOf(owner) <= lastActivityMs) return;
      if ((await writeOwner(work, { ...owner, lastActivityMs })) !== undefined) return;
    }
  } catch (error) {
    // The activity is done. A failure here concerns the session only.
    if (!isRefusal(error)) return;
    const name = JSON.stringify(sessionId);
    parts.service.warn(
      `the last use of session ${name} is not stored, so it may seem idle: ${error.detail}`,
      {},
    );
  }
}
