/**
 * A session has two documents: its owner, in a partition of the session, and a mirror of it beside the activities of
 * each instance, because Rust knows the owners within one instance only.
 */
import type { Body } from "./body.ts";
import { sessionDocumentId, sessionOwnerDocumentId, sessionPartition } from "./ids.ts";

/** A session and its owner, as stored last. */
export interface SessionOwner {
  readonly sessionId: string;
  readonly ownerId: string;
  readonly lockedUntilMs: number;
  readonly lastActivityMs: number;
  readonly createdAtMs: number;
  readonly etag: string;
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

export function ownerBody(owner: SessionOwner): Body {
  const { sessionId } = owner;
  return {
    id: sessionOwnerDocumentId(sessionId),
    instanceId: sessionPartition(sessionId),
    type: "session_owner",
    ...fieldsOf(owner),
  };
}

export function mirrorBody(instanceId: string, owner: SessionOwner): Body {
  return {
    id: sessionDocumentId(instanceId, owner.sessionId),
    instanceId,
    type: "session",
    ...fieldsOf(owner),
  };
}

function fieldsOf({ sessionId, ownerId, lockedUntilMs, lastActivityMs, createdAtMs }: SessionOwner): Body {
  return {
    sessionId,
    ownerId,
    lockedUntil: lockedUntilMs,
    lastActivity: lastActivityMs,
    createdAt: createdAtMs,
  };
}
