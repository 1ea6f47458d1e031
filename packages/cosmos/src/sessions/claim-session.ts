/**
 * Who works on a session. Sessions are global: each owner stands in a document of a partition of its own, which is
 * claimed under its ETag before an activity is locked; a claim without an activity does no harm (hazards W31, W32).
 */
import { later, type SessionClaim, saturatedNumber } from "@duroxide-ts/core/stores";
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { decodeDocument } from "../schema/documents.ts";
import { sessionDocumentId, sessionOwnerDocumentId, sessionPartition } from "../schema/ids.ts";
import type { Store } from "../store/store.ts";

/** A session and its owner, as stored last. */
export interface SessionOwner {
  readonly sessionId: string;
  readonly ownerId: string;
  readonly lockedUntilMs: number;
  readonly lastActivityMs: number;
  readonly createdAtMs: number;
  readonly etag: string;
}

/** Claims of the same session that got in each other's way. */
const ATTEMPTS = 5;

export interface ClaimedSession {
  readonly owner: SessionOwner;
  /** What was there before; undefined where there was nothing. */
  readonly before: SessionOwner | undefined;
}

/** `undefined` where another owner's claim holds. */
export async function claimSession(
  store: Store,
  call: Call,
  sessionId: string,
  instanceId: string,
  claim: SessionClaim,
): Promise<ClaimedSession | undefined> {
  let current = store.sessions.get(sessionId) ?? (await readOwner(store, call, sessionId));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const nowMs = store.clock.now();
    const isForeign = current !== undefined && current.ownerId !== claim.ownerId;
    if (isForeign && (current?.lockedUntilMs ?? 0) > nowMs) return undefined;
    const isNew = current === undefined || current.lockedUntilMs <= nowMs;
    const elsewhere = isNew ? await mirroredElsewhere(store, call, sessionId, instanceId, claim) : undefined;
    if (elsewhere !== undefined) {
      // Remembered like an owner of ours, so that nobody asks again and again for as long as that lock lasts.
      store.sessions.set(sessionId, { ...elsewhere, etag: current?.etag ?? "" });
      return undefined;
    }
    const claimed = await writeOwner(store, call, {
      sessionId,
      ownerId: claim.ownerId,
      lockedUntilMs: later(nowMs, claim.lockTimeoutMs),
      lastActivityMs: nowMs,
      createdAtMs: current?.createdAtMs ?? nowMs,
      etag: current?.etag ?? "",
    });
    if (claimed !== undefined) return { owner: claimed, before: current };
    current = await readOwner(store, call, sessionId);
  }
  return undefined;
}

/** For an activity that could not be had after all, so that the session is not kept from those who can. */
export async function undoClaim(store: Store, call: Call, { owner, before }: ClaimedSession): Promise<void> {
  const { sessionId, etag } = owner;
  if (before !== undefined) {
    await writeOwner(store, call, { ...before, etag });
    return;
  }
  const id = sessionOwnerDocumentId(sessionId);
  await store.requests.batch(call, sessionPartition(sessionId), [{ kind: "delete", id, ifMatch: etag }]);
  store.sessions.delete(sessionId);
}

/** Under the ETag that it was read with; `undefined` where that is old. */
export async function writeOwner(
  store: Store,
  call: Call,
  owner: SessionOwner,
): Promise<SessionOwner | undefined> {
  const { sessionId, etag } = owner;
  const id = sessionOwnerDocumentId(sessionId);
  const body: Body = {
    id,
    instanceId: sessionPartition(sessionId),
    type: "session_owner",
    sessionId,
    ownerId: owner.ownerId,
    lockedUntil: owner.lockedUntilMs,
    lastActivity: owner.lastActivityMs,
    createdAt: owner.createdAtMs,
  };
  const operation: BatchOperation =
    etag === "" ? { kind: "create", body } : { kind: "replace", id, body, ifMatch: etag };
  const outcome = await store.requests.batch(call, sessionPartition(sessionId), [operation]);
  if (!outcome.ok) {
    store.sessions.delete(sessionId);
    return undefined;
  }
  const written = { ...owner, etag: outcome.etags[0] ?? "" };
  store.sessions.set(sessionId, written);
  return written;
}

export async function readOwner(
  store: Store,
  call: Call,
  sessionId: string,
): Promise<SessionOwner | undefined> {
  const partition = sessionPartition(sessionId);
  const stored = await store.requests.read(call, partition, sessionOwnerDocumentId(sessionId));
  if (stored === undefined) return undefined;
  const owner = toOwner(stored);
  store.sessions.set(sessionId, owner);
  return owner;
}

export function toOwner(stored: Readonly<Record<string, unknown>>): SessionOwner {
  return {
    sessionId: String(stored["sessionId"]),
    ownerId: String(stored["ownerId"]),
    lockedUntilMs: Number(stored["lockedUntil"]),
    lastActivityMs: Number(stored["lastActivity"]),
    createdAtMs: Number(stored["createdAt"]),
    etag: String(stored["_etag"]),
  };
}

/** Rust knows the owners within one instance only. Asked when a session begins, not when it goes on. */
async function mirroredElsewhere(
  store: Store,
  call: Call,
  sessionId: string,
  instanceId: string,
  { ownerId }: SessionClaim,
): Promise<Omit<SessionOwner, "etag"> | undefined> {
  const stored = await store.requests.read(call, instanceId, sessionDocumentId(instanceId, sessionId));
  if (stored === undefined) return undefined;
  const mirror = decodeDocument("session", stored);
  const lockedUntilMs = saturatedNumber(mirror.lockedUntil);
  if (mirror.ownerId === ownerId || lockedUntilMs <= store.clock.now()) return undefined;
  return {
    sessionId,
    ownerId: mirror.ownerId,
    lockedUntilMs,
    lastActivityMs: saturatedNumber(mirror.lastActivity),
    createdAtMs: saturatedNumber(mirror.createdAt),
  };
}
