/**
 * A session has two documents: its owner, in a partition of the session, and a mirror of it beside the activities of
 * each instance, because Rust looks for the owners within one instance only. One document of a process vouches for all
 * sessions of its owners, so that an open session costs nothing (docs/decisions/cosmos-finding-work.md).
 */
import { type Body, NOTES_FIELD } from "./body.ts";
import {
  SESSIONS_PARTITION,
  sessionDocumentId,
  sessionOwnerDocumentId,
  sessionPartition,
  vouchDocumentId,
} from "./ids.ts";

/** A session and its owner, as stored last. */
export interface SessionOwner {
  readonly sessionId: string;
  readonly ownerId: string;
  readonly lockedUntilMs: number;
  readonly lastActivityMs: number;
  readonly createdAtMs: number;
  /** The process that has claimed it. */
  readonly holder?: string | undefined;
  readonly etag: string;
}

/**
 * The renewals of a process for the sessions of its owners: the times of the first and the last. Each renewal came
 * before the end of the extension by the one before.
 */
export interface Vouch {
  readonly owners: readonly string[];
  /** The process whose owners they are. */
  readonly holder?: string | undefined;
  readonly fromMs: number;
  readonly atMs: number;
  /** The longest time between two renewals. */
  readonly gapMs: number;
  readonly untilMs: number;
  readonly extendMs: number;
  readonly idleTimeoutMs: number;
}

export function toOwner(stored: Readonly<Record<string, unknown>>): SessionOwner {
  return {
    sessionId: String(stored["sessionId"]),
    ownerId: String(stored["ownerId"]),
    lockedUntilMs: Number(stored["lockedUntil"]),
    lastActivityMs: Number(stored["lastActivity"]),
    createdAtMs: Number(stored["createdAt"]),
    ...holderIn(stored),
    etag: String(stored["_etag"]),
  };
}

export function toVouch(stored: Readonly<Record<string, unknown>>): Vouch {
  const { owners } = stored;
  return {
    owners: Array.isArray(owners) ? owners.map(String) : [],
    ...holderIn(stored),
    fromMs: Number(stored["fromMs"]),
    atMs: Number(stored["atMs"]),
    gapMs: Number(stored["gapMs"]),
    untilMs: Number(stored["untilMs"]),
    extendMs: Number(stored["extendMs"]),
    idleTimeoutMs: Number(stored["idleTimeoutMs"]),
  };
}

function holderIn({ holder }: Readonly<Record<string, unknown>>): { readonly holder?: string } {
  return typeof holder === "string" ? { holder } : {};
}

/**
 * The end of the lock, including the vouch of its owner. A renewal extends a session whose lock holds and which was
 * active recently. If the session was idle at the last renewal, the time of the one before is not known; the latest
 * possible end is then returned.
 */
export function endOfSession(owner: SessionOwner, vouch: Vouch | undefined): number {
  const { ownerId, lockedUntilMs, lastActivityMs } = owner;
  if (vouch === undefined || !vouch.owners.includes(ownerId) || vouch.fromMs >= lockedUntilMs)
    return lockedUntilMs;
  const { fromMs, atMs, gapMs, untilMs, extendMs, idleTimeoutMs } = vouch;
  const wasRenewed =
    atMs >= lastActivityMs &&
    (atMs < lockedUntilMs || fromMs >= lastActivityMs || gapMs <= lockedUntilMs - lastActivityMs);
  if (!wasRenewed) return lockedUntilMs;
  const idleAtMs = lastActivityMs + idleTimeoutMs;
  if (idleAtMs > atMs) return Math.max(lockedUntilMs, untilMs);
  return fromMs === atMs ? lockedUntilMs : Math.max(lockedUntilMs, Math.min(untilMs, idleAtMs + extendMs));
}

export function ownerBody(owner: SessionOwner): Body {
  const { sessionId, holder } = owner;
  return {
    id: sessionOwnerDocumentId(sessionId),
    instanceId: sessionPartition(sessionId),
    type: "session_owner",
    ...fieldsOf(owner),
    ...(holder !== undefined && { holder }),
  };
}

export function vouchBody(vouch: Vouch): Body {
  return {
    id: vouchDocumentId(vouch.owners),
    instanceId: SESSIONS_PARTITION,
    type: "session_vouch",
    ...vouch,
    // Housekeeping, long after the vouch has lost its effect.
    ttl: Math.ceil((2 * vouch.extendMs) / 1_000) + 3_600,
  };
}

export function mirrorBody(instanceId: string, owner: SessionOwner): Body {
  return {
    id: sessionDocumentId(instanceId, owner.sessionId),
    instanceId,
    type: "session",
    ...fieldsOf(owner),
    // Rust removes it when it writes the document (leases/session-mirror.ts).
    [NOTES_FIELD]: {},
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
