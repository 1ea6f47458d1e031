/**
 * The lock of an instance before it is written: the new instance document (docs/decisions/cosmos-turns.md). Its
 * notes contain the messages of the turn and their attempts.
 */
import { later } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance, Notes } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import type { HeldTurn, TakenRow, TurnKind } from "../memory/held.ts";
import type { Parts } from "../memory/parts.ts";

export interface LockRequest {
  readonly instanceId: string;
  /** The document as this process last read or wrote it; undefined if it has none. The ETag checks this. */
  readonly instance: Instance | undefined;
  readonly rows: readonly MessageRow[];
  /** Whether the messages were read together with the instance for this turn; otherwise they were known before. */
  readonly isRead: boolean;
  readonly lockTimeoutMs: number;
}

export interface NewLock {
  readonly instanceId: string;
  readonly secret: string;
  readonly lockedUntilMs: number;
  /** The instance document with the lock. */
  readonly body: Body;
  readonly taken: readonly TakenRow[];
  readonly waitingSinceMs: number;
  readonly isRead: boolean;
}

export function newLock(parts: Parts, request: LockRequest): NewLock {
  const { instanceId, instance, rows, isRead, lockTimeoutMs } = request;
  const secret = parts.service.lockSecret();
  const lockedUntilMs = later(parts.clock.now(), lockTimeoutMs);
  const attempts = attemptsOf(request);
  const notes: Notes = { ...(instance?.notes ?? NEW_NOTES), taken: Object.fromEntries(attempts) };
  const id = instanceDocumentId(instanceId);
  return {
    instanceId,
    secret,
    lockedUntilMs,
    isRead,
    body: {
      ...(instance === undefined ? newBody(parts, id, instanceId) : toBody(instance.document)),
      lockToken: secret,
      lockedUntil: lockedUntilMs,
      [NOTES_FIELD]: notes,
    },
    taken: attempts.map(([rowId, count]) => ({ id: rowId, attempts: count })),
    waitingSinceMs: Math.min(...rows.map(({ visibleAtMs }) => visibleAtMs)),
  };
}

/** `instance` is the document with the lock, or the unchanged one if no lock is stored. */
export function hold<Kind extends TurnKind>(
  { memory, clock }: Parts,
  { instanceId, secret, lockedUntilMs, taken: rows, waitingSinceMs, isRead }: NewLock,
  instance: Instance,
  kind: Kind,
): HeldTurn & Kind {
  const turn = { instanceId, secret, instance, rows, waitingSinceMs, lockedUntilMs, ...kind };
  memory.heldTurns.set(turn);
  memory.instances.began(instanceId, isRead, clock.now());
  memory.instances.holds(instanceId, lockedUntilMs);
  return turn;
}

/** The attempts of an expired lock are in the notes, not in the rows. */
function attemptsOf({ instance, rows }: LockRequest): [string, number][] {
  const taken = instance?.notes.taken ?? {};
  return rows.map(({ id, attempts }) => [id, Math.max(attempts, taken[id] ?? 0) + 1]);
}

const NEW_NOTES: Notes = { lastEventId: 0, kv: { store: false, delta: false } };

/** A document without a name is no instance for readers; Rust leaves such documents too (hazard W22). */
export function newBody(parts: Parts, id: string, instanceId: string): Body {
  const nowMs = parts.clock.now();
  return {
    id,
    instanceId,
    type: "instance",
    orchestrationName: "",
    orchestrationVersion: "",
    currentExecutionId: 1,
    status: "Running",
    output: null,
    parentInstanceId: null,
    pinnedDuroxideVersionPacked: null,
    customStatus: null,
    customStatusVersion: 0,
    lockToken: null,
    lockedUntil: null,
    createdAt: nowMs,
    updatedAt: nowMs,
    [NOTES_FIELD]: NEW_NOTES,
  };
}
