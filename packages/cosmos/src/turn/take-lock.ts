/**
 * Takes the lock of an instance: one conditional write of its document (docs/decisions/0013-cosmos-provider.md). The
 * ETag that it returns is the lock. Which messages were taken, and how often, stands in the document's notes.
 */

import { later } from "@duroxide-ts/core/stores";
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { type Instance, NOTES_FIELD, type Notes, writtenInstance } from "../schema/instance.ts";
import type { MessageRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import { storedInstance } from "../store/stored-instance.ts";
import type { HeldTurn } from "./held-turn.ts";

export interface LockRequest {
  readonly instanceId: string;
  /** As it is believed to be stored; undefined for one that is believed not to exist. */
  readonly instance: Instance | undefined;
  readonly rows: readonly MessageRow[];
  readonly lockTimeoutMs: number;
}

/** `undefined` where somebody else was faster, or the belief was wrong. */
export async function takeLock(
  store: Store,
  call: Call,
  request: LockRequest,
): Promise<HeldTurn | undefined> {
  const { instanceId, instance } = request;
  const secret = store.random.uuid();
  const lockedUntilMs = later(store.clock.now(), request.lockTimeoutMs);
  const attempts = attemptsOf(request);
  const notes: Notes = { ...(instance?.notes ?? NEW_NOTES), taken: Object.fromEntries(attempts) };
  const id = instanceDocumentId(instanceId);
  const body: Body = {
    ...(instance === undefined ? newBody(store, id, instanceId) : toBody(instance.document)),
    lockToken: secret,
    lockedUntil: lockedUntilMs,
    [NOTES_FIELD]: notes,
  };
  const operation: BatchOperation =
    instance === undefined ? { kind: "create", body } : { kind: "replace", id, body, ifMatch: instance.etag };
  const outcome = await store.requests.batch(call, instanceId, [operation]);
  const etag = outcome.ok ? outcome.etags[0] : undefined;
  const locked =
    etag !== undefined
      ? writtenInstance(call.operation, id, body, etag)
      : outcome.repeated
        ? await ownLock(store, call, instanceId, secret)
        : undefined;
  if (locked === undefined) return undefined;
  const rows = attempts.map(([rowId, count]) => ({ id: rowId, attempts: count }));
  const waitingSinceMs = Math.min(...request.rows.map(({ visibleAtMs }) => visibleAtMs));
  const turn: HeldTurn = { instanceId, secret, instance: locked, rows, waitingSinceMs, lockedUntilMs };
  store.turns.set(turn);
  store.knowledge.holds(instanceId, lockedUntilMs);
  return turn;
}

/** A lock that expired left its attempts in the notes, not in the rows. */
function attemptsOf({ instance, rows }: LockRequest): [string, number][] {
  const taken = instance?.notes.taken ?? {};
  return rows.map(({ id, attempts }) => [id, Math.max(attempts, taken[id] ?? 0) + 1]);
}

/** After a lost answer: whether the lock that is there is this one. */
async function ownLock(
  store: Store,
  call: Call,
  instanceId: string,
  secret: string,
): Promise<Instance | undefined> {
  const instance = await storedInstance(store, call, instanceId);
  return instance?.document.lockToken === secret ? instance : undefined;
}

const NEW_NOTES: Notes = { lastEventId: 0, kv: { store: false, delta: false } };

/** Without a name it is no instance to anybody yet; Rust leaves such documents too (hazard W22). */
export function newBody(store: Store, id: string, instanceId: string): Body {
  const nowMs = store.clock.now();
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
