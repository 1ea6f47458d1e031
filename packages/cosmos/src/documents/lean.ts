/**
 * Documents as they are sent: without fields that an index would store for nothing
 * (docs/decisions/cosmos-documents.md).
 *
 * - lean.L1: A field that is null is left out. Rust reads an optional field that is absent as null
 *   (docs/reference/wire-format.md §6), its queries ask for both, and so do ours.
 * - lean.L2: The lock of an activity's row ends when the row becomes visible. Where both are the same time, it is
 *   stored once.
 * - lean.L3: Only documents whose readers are known are changed: instances and rows of the two queues.
 * - lean.L4: The lock token of an activity is stored in a field without an index. The index of `lockToken` is for Rust,
 *   which searches for tokens of its own.
 * - lean.L5: A row that Rust cannot serve (`isForRust`) looks locked for ever to it, and is free for us. A ranked row,
 *   which Rust does not see, keeps its lock.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Body } from "./body.ts";
import { isForRust } from "./ids.ts";
import { isRankedAt } from "./ranked.ts";

/** lean.L5: not the end of a lock, but beyond all of them. ms since the epoch. */
export const NOT_FOR_RUST_MS = 253_402_300_798_000;

/** An additional field, which Rust removes when it writes the row. */
const OWN_LOCK_FIELD = "ownLockToken";

const LEAN: ReadonlySet<unknown> = new Set(["instance", "orch_queue", "worker_queue"]);

export function leanBody(body: Body): Body {
  const { type } = body;
  if (!LEAN.has(type)) return body;
  const isHiddenByLock = type === "worker_queue" && body["lockedUntil"] === body["visibleAt"];
  const isRanked = isRankedAt(body["visibleAt"]);
  invariant(typeof body["instanceId"] === "string", "lean.L3");
  const lean: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    if (value === null || (isHiddenByLock && name === "lockedUntil")) continue;
    lean[(isHiddenByLock || isRanked) && name === "lockToken" ? OWN_LOCK_FIELD : name] = value;
  }
  if (
    type !== "instance" &&
    !isRanked &&
    !isForRust(String(body["instanceId"]), body["sessionId"] as string | null)
  )
    lean["lockedUntil"] = NOT_FOR_RUST_MS;
  return lean;
}

export interface StoredLock<Time> {
  readonly lockToken?: string | null | undefined;
  readonly [OWN_LOCK_FIELD]?: string;
  readonly lockedUntil?: Time | null | undefined;
  readonly visibleAt: Time;
}

interface Lock<Time> {
  readonly lockToken: string | null;
  readonly lockedUntil: Time | null;
}

/** The token of an activity that any process has locked (lean.L4). */
export function lockTokenOf(row: object): string | null {
  const { lockToken, [OWN_LOCK_FIELD]: own } = row as Partial<StoredLock<unknown>>;
  const token = lockToken ?? own;
  return typeof token === "string" ? token : null;
}

/** The lock of a row (lean.L2, lean.L4, lean.L5). */
export function lockOf<Time>({ lockedUntil = null, ...row }: StoredLock<Time>): Lock<Time> {
  const lockToken = lockTokenOf(row);
  const endMs = lockedUntil === NOT_FOR_RUST_MS ? null : lockedUntil;
  return { lockToken, lockedUntil: endMs ?? (lockToken === null ? null : row.visibleAt) };
}

/** The row with its lock as it was before it was sent. */
export function withLock<Row extends StoredLock<unknown>>(row: Row): Row {
  const { [OWN_LOCK_FIELD]: _, ...rest } = row;
  return { ...rest, ...lockOf(row) } as unknown as Row;
}
