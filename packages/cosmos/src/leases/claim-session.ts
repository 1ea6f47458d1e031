/**
 * Who works on a session. Sessions are global: each owner stands in a document of a partition of its own, which is
 * claimed under its ETag before an activity is locked; a claim without an activity does no harm (hazards W31, W32). Its
 * end is that of the document, or later where the owner vouches for it (vouch-for-sessions.ts).
 */
import { later, type SessionClaim, saturatedNumber } from "@duroxide-ts/core/stores";
import { decodeDocument } from "../documents/documents.ts";
import { sessionDocumentId, sessionOwnerDocumentId, sessionPartition } from "../documents/ids.ts";
import { ownerBody, type SessionOwner, toOwner } from "../documents/session.ts";
import type { Memory } from "../memory/memory.ts";
import type { BatchOperation } from "../service/batch.ts";

import type { Call } from "../service/service.ts";
import { readVouch } from "./vouch-for-sessions.ts";

/** Claims of the same session that got in each other's way. */
const ATTEMPTS = 5;

export interface ClaimedSession {
  readonly owner: SessionOwner;
  /** What was there before; undefined where there was nothing. */
  readonly before: SessionOwner | undefined;
}

/** `undefined` where another owner's claim holds. */
export async function claimSession(
  memory: Memory,
  call: Call,
  sessionId: string,
  instanceId: string,
  claim: SessionClaim,
): Promise<ClaimedSession | undefined> {
  let current = memory.sessions.get(sessionId) ?? (await readOwner(memory, call, sessionId));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const nowMs = call.service.clock.now();
    if (current !== undefined && current.ownerId !== claim.ownerId) {
      if (memory.sessions.endOf(current) > nowMs) return undefined;
      await readVouch(memory, call, current.ownerId);
      if (memory.sessions.endOf(current) > nowMs) return undefined;
    }
    const isNew = current === undefined || memory.sessions.endOf(current) <= nowMs;
    const elsewhere = isNew ? await mirroredElsewhere(call, sessionId, instanceId, claim) : undefined;
    if (elsewhere !== undefined) {
      // Remembered like an owner of ours, so that nobody asks again and again for as long as that lock lasts.
      memory.sessions.set({ ...elsewhere, etag: current?.etag ?? "" });
      return undefined;
    }
    const claimed = await writeOwner(memory, call, {
      sessionId,
      ownerId: claim.ownerId,
      lockedUntilMs: later(nowMs, claim.lockTimeoutMs),
      lastActivityMs: nowMs,
      createdAtMs: current?.createdAtMs ?? nowMs,
      etag: current?.etag ?? "",
    });
    if (claimed !== undefined) return { owner: claimed, before: current };
    current = await readOwner(memory, call, sessionId);
  }
  return undefined;
}

/** For an activity that could not be had after all, so that the session is not kept from those who can. */
export async function undoClaim(
  memory: Memory,
  call: Call,
  { owner, before }: ClaimedSession,
): Promise<void> {
  const { sessionId, etag } = owner;
  if (before !== undefined) {
    await writeOwner(memory, call, { ...before, etag });
    return;
  }
  const id = sessionOwnerDocumentId(sessionId);
  await call.batch(sessionPartition(sessionId), [{ kind: "delete", id, ifMatch: etag }]);
  memory.sessions.delete(sessionId);
}

/** Under the ETag that it was read with; `undefined` where that is old. */
export async function writeOwner(
  memory: Memory,
  call: Call,
  owner: SessionOwner,
): Promise<SessionOwner | undefined> {
  const { sessionId, etag } = owner;
  const body = ownerBody(owner);
  const operation: BatchOperation =
    etag === ""
      ? { kind: "create", body }
      : { kind: "replace", id: sessionOwnerDocumentId(sessionId), body, ifMatch: etag };
  const outcome = await call.batch(sessionPartition(sessionId), [operation]);
  if (!outcome.ok) {
    memory.sessions.delete(sessionId);
    return undefined;
  }
  const written = { ...owner, etag: outcome.etags[0] ?? "" };
  memory.sessions.set(written);
  return written;
}

export async function readOwner(
  memory: Memory,
  call: Call,
  sessionId: string,
): Promise<SessionOwner | undefined> {
  const partition = sessionPartition(sessionId);
  const stored = await call.read(partition, sessionOwnerDocumentId(sessionId));
  if (stored === undefined) return undefined;
  const owner = toOwner(stored);
  memory.sessions.set(owner);
  return owner;
}

/** Rust knows the owners within one instance only. Asked when a session begins, not when it goes on. */
async function mirroredElsewhere(
  call: Call,
  sessionId: string,
  instanceId: string,
  { ownerId }: SessionClaim,
): Promise<Omit<SessionOwner, "etag"> | undefined> {
  const stored = await call.read(instanceId, sessionDocumentId(instanceId, sessionId));
  if (stored === undefined) return undefined;
  const mirror = decodeDocument("session", stored);
  const lockedUntilMs = saturatedNumber(mirror.lockedUntil);
  if (mirror.ownerId === ownerId || lockedUntilMs <= call.service.clock.now()) return undefined;
  return {
    sessionId,
    ownerId: mirror.ownerId,
    lockedUntilMs,
    lastActivityMs: saturatedNumber(mirror.lastActivity),
    createdAtMs: saturatedNumber(mirror.createdAt),
  };
}
