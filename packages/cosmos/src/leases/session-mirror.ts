/**
 * The session as a worker in Rust reads it: a document beside the activities of each instance
 * (docs/decisions/cosmos-finding-work.md).
 *
 * - session-mirror.SM1: It is created, or replaced under its ETag, as Rust does. So no claim of Rust is overwritten
 *   unread, and the other way round.
 * - session-mirror.SM2: One that we wrote has a note, which Rust removes when it claims. Among processes of ours the
 *   document of the owner decides (claim-session.ts).
 * - session-mirror.SM3: It lasts as long as the lock of each activity of the session that runs here, and is renewed
 *   with it.
 * - session-mirror.SM4: There is none for work that Rust does not meet (`isForRust`).
 */
import { type Body, NOTES_FIELD } from "../documents/body.ts";
import { isForRust, sessionDocumentId } from "../documents/ids.ts";
import { mirrorBody, type SessionOwner, toOwner } from "../documents/session.ts";
import type { ActivityLease } from "../memory/held.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import type { BatchOperation, BatchOutcome } from "../service/batch.ts";

/** The most attempts; each may conflict with another write of the document. */
const ATTEMPTS = 5;

export type MirrorOperation = Extract<BatchOperation, { readonly body: Body }>;

/** session-mirror.SM3. */
export function lasting(owner: SessionOwner, untilMs: number): SessionOwner {
  return { ...owner, lockedUntilMs: Math.max(owner.lockedUntilMs, untilMs) };
}

/** session-mirror.SM1. Undefined where Rust reads none (session-mirror.SM4). */
export function mirrorOperation(
  { memory }: Parts,
  instanceId: string,
  owner: SessionOwner,
  nowMs: number,
): MirrorOperation | undefined {
  const { sessionId } = owner;
  if (!isForRust(instanceId, sessionId)) return undefined;
  const known = memory.sessions.mirrorIn(instanceId, sessionId);
  const body = mirrorBody(instanceId, owner);
  // Where Rust has it as far as is known, it is to be refused, and read again.
  const isFree = known?.isOurs === true || (known !== undefined && known.owner.lockedUntilMs <= nowMs);
  if (known === undefined || !isFree) return { kind: "create", body };
  return { kind: "replace", id: sessionDocumentId(instanceId, sessionId), body, ifMatch: known.owner.etag };
}

/** Outcome of a batch that also writes the document. */
export type MirroredOutcome =
  | { readonly outcome: BatchOutcome }
  /** Rust has the session in this instance. Nothing was written. */
  | { readonly rust: SessionOwner };

export async function batchWithMirror(
  work: Work,
  instanceId: string,
  operations: readonly BatchOperation[],
  owner: SessionOwner,
): Promise<MirroredOutcome> {
  for (let attempt = 1; ; attempt++) {
    const mirror = mirrorOperation(work, instanceId, owner, work.clock.now());
    if (mirror === undefined) return { outcome: await work.batch(instanceId, operations) };
    const outcome = await work.batch(instanceId, [...operations, mirror]);
    if (outcome.ok) noteMirror(work, instanceId, owner, outcome.etags.at(-1));
    if (outcome.ok || outcome.index < operations.length || attempt === ATTEMPTS) return { outcome };
    const rust = await readRustClaim(work, instanceId, owner);
    if (rust !== undefined) return { rust };
  }
}

/** This process has written it. */
export function noteMirror(
  { memory }: Parts,
  instanceId: string,
  owner: SessionOwner,
  etag: string | undefined,
): void {
  const mirror = { owner: { ...owner, etag: etag ?? "" }, isOurs: true };
  memory.sessions.mirrored(instanceId, owner.sessionId, mirror);
}

/** The claim of a worker in Rust, while its lock holds. */
export async function readRustClaim(
  work: Work,
  instanceId: string,
  { sessionId, ownerId }: Pick<SessionOwner, "sessionId" | "ownerId">,
): Promise<SessionOwner | undefined> {
  if (!isForRust(instanceId, sessionId)) return undefined;
  const stored = await work.read(instanceId, sessionDocumentId(instanceId, sessionId));
  const owner = stored && toOwner(stored);
  const isOfUs = stored?.[NOTES_FIELD] !== undefined || owner?.ownerId === ownerId;
  work.memory.sessions.mirrored(instanceId, sessionId, owner && { owner, isOurs: isOfUs });
  if (owner === undefined || isOfUs || owner.lockedUntilMs <= work.clock.now()) return undefined;
  return owner;
}

/** session-mirror.SM3. Best effort: at worst Rust takes the session while this activity runs. */
export async function renewMirror(
  parts: Parts,
  { instanceId, row, lockedUntilMs }: ActivityLease,
): Promise<void> {
  const { session_id: sessionId } = row.item;
  const mirror = sessionId === undefined ? undefined : parts.memory.sessions.mirrorIn(instanceId, sessionId);
  if (mirror?.isOurs !== true || mirror.owner.lockedUntilMs >= lockedUntilMs) return;
  const owner = { ...mirror.owner, lockedUntilMs, lastActivityMs: parts.clock.now() };
  try {
    await batchWithMirror(new Work(parts, "renewSession", BEST_EFFORT_MS), instanceId, [], owner);
  } catch (error) {
    if (!isRefusal(error)) return;
    const name = JSON.stringify(owner.sessionId);
    parts.service.warn(`session ${name} is not renewed for workers in Rust: ${error.detail}`, { instanceId });
  }
}
