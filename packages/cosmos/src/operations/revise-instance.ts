/**
 * Changes an instance by hand (docs/reference/provider-contract.md §15.2): one commit under the ETag of the read, like a
 * turn without a lock. A holder of the lock finds another ETag and no lock.
 */
import { ProviderError } from "@duroxide-ts/core";
import {
  checkRevision,
  type ExpectedState,
  type InstanceRevision,
  type RevisionOutcome,
  type Suspended,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import { finishDeletionOf } from "../admin/deletion.ts";
import { remember } from "../commit/after-commit.ts";
import { type Commit, toCommit } from "../commit/commit.ts";
import { replacedKeyValues } from "../commit/kv-changes.ts";
import { planCommit } from "../commit/plan-commit.ts";
import { toPreparedTurn } from "../commit/prepared-turn.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { sendOn } from "../delivering/deliver.ts";
import { NOTES_FIELD, toBody } from "../documents/body.ts";
import type { HistoryBody } from "../documents/history.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, isNamed, type Notes, statusOf, writtenInstance } from "../documents/instance.ts";
import { newBody } from "../leases/new-lock.ts";
import { readInstance, readNamed } from "../leases/read-instance.ts";
import { storedEvents } from "../leases/stored-events.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { endPermitAfter } from "../limits/end-permit.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { DELIVERY_MS, WRITE_PATIENCE_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";

const OPERATION = "reviseInstance";

const REVISED: RevisionOutcome = { kind: "revised" };
const OVERTAKEN: RevisionOutcome = { kind: "overtaken" };

/** Hidden rows that become visible with the instance. A turn includes the others. */
const MOST_SHOWN = 90;

export async function reviseInstance(parts: Parts, revision: InstanceRevision): Promise<RevisionOutcome> {
  checkRevision(OPERATION, revision);
  const instanceId = revision.instanceId.toWellFormed();
  const work = new Work(parts, OPERATION, WRITE_PATIENCE_MS);
  const { expected } = revision;
  const found = await (expected === "absent" ? newInstance(work, instanceId) : readNamed(work, instanceId));
  if (found === undefined) {
    if (expected === "absent") return OVERTAKEN;
    throw ProviderError.notFound(OPERATION, revision.instanceId);
  }
  if (expected !== "absent" && !(await standsAs(work, found, expected))) return OVERTAKEN;
  const instance = { ...found, notes: marked(found.notes, revision.suspended) };
  const isStored =
    revision.turn === undefined
      ? await storeMarker(work, instance)
      : await storeTurn(work, instance, { ...revision, turn: revision.turn });
  // The ETag in memory is outdated in any case.
  if (revision.turn === undefined || !isStored) parts.memory.instances.forget(instanceId, parts.clock.now());
  if (!isStored) return OVERTAKEN;
  if (revision.turn === undefined) parts.memory.instances.expect(instanceId, parts.clock.now());
  parts.memory.waitingForTurns.notify();
  parts.memory.watchers.notify([instanceId]);
  return REVISED;
}

/** The instance before it has a name; `undefined` if it has one, or is being deleted. */
async function newInstance(work: Work, instanceId: string): Promise<Instance | undefined> {
  const stored = (await readInstance(work, instanceId)) ?? (await storedInstance(work, instanceId));
  if (stored?.notes.deletion !== undefined) await finishDeletionOf(work, instanceId);
  else if (stored !== undefined) return isNamed(stored) ? undefined : stored;
  else {
    const id = instanceDocumentId(instanceId);
    return writtenInstance(OPERATION, id, newBody(work, id, instanceId), "");
  }
  return undefined;
}

function marked({ suspended: before, ...notes }: Notes, suspended: Suspended | null | undefined): Notes {
  const now = suspended === undefined ? before : (suspended ?? undefined);
  return { ...notes, ...(now !== undefined && { suspended: now }) };
}

async function standsAs(work: Work, instance: Instance, expected: ExpectedState): Promise<boolean> {
  const { executionId, status, lastEventId } = expected;
  if (saturatedNumber(instance.document.currentExecutionId) !== executionId) return false;
  if (statusOf(instance).status !== status) return false;
  if (lastEventId === undefined) return true;
  // A Rust process leaves no notes.
  return (instance.notes.lastEventId ?? (await storedLastEventId(work, instance))) === lastEventId;
}

async function storedLastEventId(work: Work, { document }: Instance): Promise<number> {
  const executionId = saturatedNumber(document.currentExecutionId);
  const span = { executionId, first: 1, last: Number.MAX_SAFE_INTEGER };
  const ids = await storedEvents(work, document.instanceId, span);
  return ids.reduce((last, eventId) => Math.max(last, eventId), 0);
}

const HIDDEN = `SELECT TOP ${MOST_SHOWN} c.id FROM c WHERE c.type = 'orch_queue' AND c.visibleAt > @now
  AND IS_DEFINED(c.duroxideTs.postponedFrom) AND c.duroxideTs.postponedFrom <= @now`;

/** Keeps the lock, so that a running turn continues. False if another write of the instance came first. */
async function storeMarker(work: Work, { document, etag, notes }: Instance): Promise<boolean> {
  const { instanceId } = document;
  const body = { ...toBody(document), [NOTES_FIELD]: notes };
  const id = instanceDocumentId(instanceId);
  const replacing: BatchOperation = { kind: "replace", id, body, ifMatch: etag };
  const shown = notes.suspended === undefined ? await showing(work, instanceId) : [];
  const outcome = await work.batch(instanceId, [replacing, ...shown]);
  if (outcome.ok) return true;
  if (!outcome.repeated || outcome.index > 0) return false;
  // After a lost answer an earlier attempt may have stored it.
  const stored = await storedInstance(work, instanceId);
  return JSON.stringify(stored?.notes.suspended) === JSON.stringify(notes.suspended);
}

async function showing(work: Work, instanceId: string): Promise<readonly BatchOperation[]> {
  const nowMs = work.clock.now();
  const rows = await work.query<{ id: string }>(instanceId, HIDDEN, { "@now": nowMs });
  return rows.map(({ id }) => ({ kind: "set", id, values: { visibleAt: nowMs } }));
}

type WithTurn = InstanceRevision & { readonly turn: NonNullable<InstanceRevision["turn"]> };

/** False if another write of the instance came first. */
async function storeTurn(
  work: Work,
  instance: Instance,
  { turn: content, keyValues }: WithTurn,
): Promise<boolean> {
  const { service } = work;
  const { instanceId } = instance.document;
  const secret = service.random.uuid();
  const turn = toPreparedTurn(OPERATION, content, { instanceId, secret }, true);
  const kv = keyValues && (await replacedKeyValues(work, instance, turn, keyValues));
  const planned = await planCommit(work, { instanceId, secret, instance, rows: [] }, turn, undefined, kv);
  const commit = toCommit({ ...planned, history: planned.history.map((event) => ofRevision(event, secret)) });
  using sending = work.memory.instances.sending(instanceId);
  const outcome = await writeCommit(work, commit);
  if (outcome.kind !== "done" && !(await showsEvents(work, commit))) return false;
  // The rows of an interrupted turn are not locked any more.
  work.memory.instances.forget(instanceId, service.clock.now());
  const rows = outcome.kind === "done" ? outcome.value.rows : new Map();
  remember(work, sending, commit, { instance: undefined, rows });
  work.memory.instances.expect(instanceId, service.clock.now());
  await sendOn(work.within(DELIVERY_MS), commit, turn.cancelled);
  await endPermitAfter(work, commit.locked.notes, commit.after);
  return true;
}

/** The event with a mark of its change: two changes in the same millisecond may have the same events. */
function ofRevision(event: HistoryBody, secret: string): HistoryBody {
  return { ...event, [NOTES_FIELD]: { revision: secret } };
}

/**
 * Whether a commit that seems to be refused is stored. After a lost answer an instance tells it by its list of the last
 * turns, which others may have filled meanwhile. Its first event tells it for ever.
 */
async function showsEvents(work: Work, { instanceId, history: [first], secret }: Commit): Promise<boolean> {
  const stored = first && (await work.read(instanceId, first.id));
  return (stored?.[NOTES_FIELD] as { readonly revision?: unknown } | undefined)?.revision === secret;
}
