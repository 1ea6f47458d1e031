/**
 * Carries out a commit that was decided (staged-commit.ts). Each piece goes with the document that holds it, in one
 * batch, so that it is applied once, whoever and how many carry it out; the instance is unlocked last, with the last
 * piece where that fits.
 *
 * F1. Only the absence of the document that holds a piece says that the piece is applied. Every other refusal of it
 *     throws, and the commit stays decided for the next one who meets the instance.
 * F2. Before an instance is unlocked whose pieces this process has not all applied itself, the events of the commit are
 *     looked for. Where one is missing, a piece was removed unapplied: the data are corrupt, and the instance stays
 *     locked.
 */
import { ProviderError } from "@duroxide-ts/core";
import type { Written } from "../documents/body.ts";
import { commitDocumentId, instanceDocumentId, stagedDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { type BatchOperation, createdBy } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { fitsOneBatch } from "../service/split.ts";
import { without } from "./lease.ts";
import { type CommitIntent, toCommitIntent } from "./staged-commit.ts";
import { storedEvents } from "./stored-events.ts";

export const COMMIT_LOCK_PREFIX = "commit:";

/** The year 9999: Rust takes the instance for locked whatever its clock says. */
export const LOCKED_FOR_EVER_MS = 253_402_300_799_000;

export function isCommitting({ document }: Instance): boolean {
  return document.lockToken?.startsWith(COMMIT_LOCK_PREFIX) === true;
}

/** A commit that was decided. */
export interface Decided extends CommitIntent {
  /** The operations of a piece; undefined where it was applied already. */
  readonly piece: (index: number) => Promise<readonly BatchOperation[] | undefined>;
}

export interface Finished {
  /** As the commit left it; undefined where somebody else was faster. */
  readonly instance: Instance | undefined;
  /** What this process wrote of it, by id. */
  readonly rows: ReadonlyMap<string, Written>;
}

/** `decided` by this process, or else to be read. */
export async function finishCommit(call: Call, instance: Instance, decided?: Decided): Promise<Finished> {
  const { instanceId } = instance.document;
  const commit = decided ?? (await readDecided(call, instanceId));
  const rows = new Map<string, Written>();
  if (commit === undefined) return { instance: undefined, rows };
  const id = instanceDocumentId(instanceId);
  const unlocking: readonly BatchOperation[] = [
    { kind: "replace", id, body: commit.after, ifMatch: instance.etag },
    { kind: "delete", id: commitDocumentId(instanceId) },
  ];
  const unlocked = (etag: string | undefined): Instance =>
    writtenInstance(call.operation, id, commit.after, etag);

  let isAllOurs = true;
  for (let index = 0; index < commit.pieces; index++) {
    const operations = await commit.piece(index);
    const pieceId = stagedDocumentId(instanceId, commit.stage, index);
    const mayUnlock = isAllOurs && index === commit.pieces - 1;
    const last: readonly BatchOperation[] =
      mayUnlock && fitsOneBatch([...(operations ?? []), ...unlocking, ...unlocking]) ? unlocking : [];
    const applied: Applied | "finished" | undefined =
      operations && (await applyPiece(call, instanceId, { id: pieceId, operations, last }));
    if (applied === "finished") return { instance: undefined, rows };
    if (applied === undefined) isAllOurs = false;
    for (const [rowId, row] of applied?.rows ?? []) rows.set(rowId, row);
    if (applied?.etag !== undefined) return { instance: unlocked(applied.etag), rows };
  }
  if (!isAllOurs) await checkEvents(call, instanceId, commit);
  const outcome = await call.batch(instanceId, unlocking);
  return { instance: outcome.ok ? unlocked(outcome.etags[0]) : undefined, rows };
}

async function readDecided(call: Call, instanceId: string): Promise<Decided | undefined> {
  const stored = await call.read(instanceId, commitDocumentId(instanceId));
  if (stored === undefined) return undefined;
  const intent = toCommitIntent(stored);
  return {
    ...intent,
    async piece(index) {
      const piece = await call.read(instanceId, stagedDocumentId(instanceId, intent.stage, index));
      return piece?.["operations"] as readonly BatchOperation[] | undefined;
    },
  };
}

interface Piece {
  /** Of the document that holds it. */
  readonly id: string;
  readonly operations: readonly BatchOperation[];
  /** What comes after it in the same batch: the instance first. */
  readonly last: readonly BatchOperation[];
}

interface Applied {
  /** What was created. */
  readonly rows: ReadonlyMap<string, Written>;
  /** Of the instance, where it was written too. */
  readonly etag: string | undefined;
}

/** Undefined where the piece was applied already; `finished` where the instance is unlocked already. */
async function applyPiece(
  call: Call,
  instanceId: string,
  { id, operations, last }: Piece,
): Promise<Applied | "finished" | undefined> {
  for (let left = operations; ; ) {
    const all: readonly BatchOperation[] = [{ kind: "delete", id }, ...left, ...last];
    const outcome = await call.batch(instanceId, all);
    if (outcome.ok) {
      const etag = last.length > 0 ? outcome.etags[left.length + 1] : undefined;
      return { rows: createdBy(all, outcome), etag };
    }
    // The condition of a deletion without one is that the document is there (F1).
    if (outcome.index === 0) return undefined;
    if (outcome.index > left.length) return "finished";
    // What is there already, or gone already, needs nothing.
    left = without(left, outcome.index - 1);
  }
}

/** F2. */
async function checkEvents(call: Call, instanceId: string, { events }: CommitIntent): Promise<void> {
  if (events === undefined) return;
  const stored = await storedEvents(call, instanceId, events);
  if (stored.length >= events.count) return;
  throw new ProviderError({
    code: "corrupt-data",
    operation: call.operation,
    message: `a commit of ${JSON.stringify(instanceId)} cannot be carried out: a document that held a part of it is gone, and ${events.count - stored.length} of its ${events.count} events are missing. Restore the container, or remove the documents of the instance`,
  });
}
