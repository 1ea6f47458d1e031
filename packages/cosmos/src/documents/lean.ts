/**
 * Documents as they are sent: without fields that an index would store for nothing (docs/decisions/0046).
 *
 * L1. A field that is null is left out. Rust reads an optional field that is absent as null (docs/reference/wire-format.md
 *     §6), its queries ask for both, and so do ours.
 * L2. The lock of an activity's row ends when the row becomes visible. Where both are the same time, it is stored once.
 * L3. Only documents whose readers are known are changed: instances and rows of the two queues.
 */
import type { Body } from "./body.ts";

const LEAN: ReadonlySet<unknown> = new Set(["instance", "orch_queue", "worker_queue"]);

export function leanBody(body: Body): Body {
  const { type } = body;
  if (!LEAN.has(type)) return body;
  const isHiddenByLock = type === "worker_queue" && body["lockedUntil"] === body["visibleAt"];
  const lean: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    if (value !== null && !(isHiddenByLock && name === "lockedUntil")) lean[name] = value;
  }
  return lean;
}

/** The end of a lock that was stored as the time at which the row becomes visible (L2). */
export function lockEnd<Time>(row: {
  readonly lockToken?: string | null | undefined;
  readonly lockedUntil?: Time | null | undefined;
  readonly visibleAt: Time;
}): Time | null {
  const { lockToken = null, lockedUntil = null, visibleAt } = row;
  return lockToken === null ? lockedUntil : (lockedUntil ?? visibleAt);
}
