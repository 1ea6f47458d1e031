/**
 * Claims a session for a worker. Sessions are global: each has a document in a partition of its own, which names the
 * owner. The worker claims it under its ETag before an activity runs; a claim without an activity does no harm (hazards
 * W31, W32). The claim ends when the document says, or later where the owner vouches for it (vouch-for-sessions.ts).
 */
import { later, type SessionClaim } from "@duroxide-ts/core/stores";
import { sessionOwnerDocumentId, sessionPartition } from "../documents/ids.ts";
import { ownerBody, type SessionOwner, toOwner } from "../documents/session.ts";
import type { Parts, Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { readRustClaim } from "./session-mirror.ts";
import { readVouch } from "./vouch-for-sessions.ts";

/** The most attempts; each may conflict with another claim of the same session. */
const ATTEMPTS = 5;

export interface ClaimedSession {
  readonly owner: SessionOwner;
  /** The document before the claim; undefined if there was none. */
  readonly before: SessionOwner | undefined;
  /** False where the claim from before holds for long enough. */
  readonly isWritten: boolean;
}

/**
 * `undefined` where another owner's claim holds. A claim of this owner is written again when half of its time is over:
 * only this process extends it, so the end in its memory is the stored one. `isMirrored`: there is no claim of Rust.
 */
export async function claimSession(
  work: Work,
  sessionId: string,
  instanceId: string,
  claim: SessionClaim,
  isMirrored = false,
): Promise<ClaimedSession | undefined> {
  const { memory } = work;
  // One that is not known is most often new, so that its document is created without a look.
  let current = memory.sessions.get(sessionId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const nowMs = work.clock.now();
    if (current !== undefined && current.ownerId !== claim.ownerId) {
      if (memory.sessions.endOf(current) > nowMs) return undefined;
      await readVouch(work, current.ownerId);
      if (memory.sessions.endOf(current) > nowMs) return undefined;
    }
    const leftMs = current === undefined ? 0 : memory.sessions.endOf(current) - nowMs;
    const lockedUntilMs = later(nowMs, claim.lockTimeoutMs);
    if (current !== undefined && leftMs > 0 && leftMs >= claim.lockTimeoutMs / 2) {
      memory.sessions.used(sessionId, nowMs);
      const owner = { ...current, lockedUntilMs, lastActivityMs: nowMs };
      return { owner, before: current, isWritten: false };
    }
    const { ownerId } = claim;
    const rust =
      leftMs <= 0 && !isMirrored ? await readRustClaim(work, instanceId, { sessionId, ownerId }) : undefined;
    if (rust !== undefined) {
      rememberRust(work, rust);
      return undefined;
    }
    const claimed = await writeOwner(work, {
      sessionId,
      ownerId,
      lockedUntilMs,
      lastActivityMs: nowMs,
      createdAtMs: current?.createdAtMs ?? nowMs,
      holder: work.service.holder,
      etag: current?.etag ?? "",
    });
    if (claimed !== undefined) return { owner: claimed, before: current, isWritten: true };
    current = await readOwner(work, sessionId);
  }
  return undefined;
}

/** Undoes a claim whose activity could not be locked, so that other workers can claim the session. */
export async function undoClaim(work: Work, { owner, before, isWritten }: ClaimedSession): Promise<void> {
  if (!isWritten) return;
  const { sessionId, etag } = owner;
  if (before !== undefined) {
    await writeOwner(work, { ...before, etag });
    return;
  }
  const id = sessionOwnerDocumentId(sessionId);
  await work.batch(sessionPartition(sessionId), [{ kind: "delete", id, ifMatch: etag }]);
  work.memory.sessions.delete(sessionId);
}

/** Undoes a claim where Rust has the session in the instance of the activity. */
export async function leaveToRust(work: Work, claim: ClaimedSession, rust: SessionOwner): Promise<void> {
  await undoClaim(work, claim);
  rememberRust(work, rust);
}

/** Like an owner of ours, so that the process does not read it again while that lock lasts. */
function rememberRust({ memory: { sessions } }: Parts, rust: SessionOwner): void {
  sessions.set({ ...rust, etag: sessions.get(rust.sessionId)?.etag ?? "" });
}

/** Writes under the ETag of the read; `undefined` if the document has changed since. */
export async function writeOwner(work: Work, owner: SessionOwner): Promise<SessionOwner | undefined> {
  const { sessionId, etag } = owner;
  const body = ownerBody(owner);
  const operation: BatchOperation =
    etag === ""
      ? { kind: "create", body }
      : { kind: "replace", id: sessionOwnerDocumentId(sessionId), body, ifMatch: etag };
  const outcome = await work.batch(sessionPartition(sessionId), [operation]);
  if (!outcome.ok) {
    work.memory.sessions.delete(sessionId);
    return undefined;
  }
  const written = { ...owner, etag: outcome.etags[0] ?? "" };
  work.memory.sessions.set(written);
  return written;
}

export async function readOwner(work: Work, sessionId: string): Promise<SessionOwner | undefined> {
  const partition = sessionPartition(sessionId);
  const stored = await work.read(partition, sessionOwnerDocumentId(sessionId));
  if (stored === undefined) return undefined;
  const owner = toOwner(stored);
  work.memory.sessions.set(owner);
  return owner;
}
