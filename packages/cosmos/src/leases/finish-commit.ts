/**
 * Applies a commit that was decided (staged-commit.ts). One batch applies a piece and deletes the document that holds
 * it, so that a piece is applied once, however many processes do this at the same time. The last write unlocks the
 * instance, together with the last piece if that fits.
 *
 * - finish-commit.F1: A piece is applied if and only if the document that holds it is absent. Every other refusal
 *   throws, and the commit stays decided for the next process that reads the instance.
 * - finish-commit.F2: If this process has not applied all pieces itself, it reads the events of the commit before it
 *   unlocks the instance. A missing event shows that a piece was removed without being applied: the data are corrupt,
 *   and the instance stays locked.
 */
import { ProviderError } from "@duroxide-ts/core";
import { invariant } from "@duroxide-ts/core/stores";
import type { Written } from "../documents/body.ts";
import { commitDocumentId, instanceDocumentId, stagedDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";
import { FINISH_MS } from "../memory/waits.ts";
import { type BatchOperation, writtenBy } from "../service/batch.ts";
import { fitsOneBatch } from "../service/split.ts";
import { without } from "./lease.ts";
import { type CommitIntent, toCommitIntent } from "./staged-commit.ts";
import { storedEvents } from "./stored-events.ts";

export const COMMIT_LOCK_PREFIX = "commit:";

/** The year 9999: for Rust the instance is locked at any time of its clock. */
export const LOCKED_FOR_EVER_MS = 253_402_300_799_000;

export function isCommitting({ document }: Instance): boolean {
  return document.lockToken?.startsWith(COMMIT_LOCK_PREFIX) === true;
}

/** A commit that was decided. */
export interface Decided extends CommitIntent {
  /** The operations of a piece; undefined if it was applied already. */
  readonly piece: (index: number) => Promise<readonly BatchOperation[] | undefined>;
}

export interface Finished {
  /** The instance after the commit; undefined if another process unlocked it first. */
  readonly instance: Instance | undefined;
  /** The documents of the commit that this process wrote, by id. */
  readonly rows: ReadonlyMap<string, Written>;
}

/**
 * `decided` is the commit if this process decided it; otherwise it is read. The process that decided it retries each
 * piece for FINISH_MS, however many there are; others stop when the time of their call is over.
 */
export async function finishCommit(work: Work, instance: Instance, decided?: Decided): Promise<Finished> {
  const { operation } = work;
  const within = (): Work => (decided === undefined ? work : work.within(FINISH_MS));
  invariant(isCommitting(instance), "finish-commit.F1");
  const { instanceId } = instance.document;
  const commit = decided ?? (await readDecided(work, instanceId));
  const rows = new Map<string, Written>();
  if (commit === undefined) return { instance: undefined, rows };
  const id = instanceDocumentId(instanceId);
  const unlocking: readonly BatchOperation[] = [
    { kind: "replace", id, body: commit.after, ifMatch: instance.etag },
    { kind: "delete", id: commitDocumentId(instanceId) },
  ];
  const unlocked = (etag: string | undefined): Instance => writtenInstance(operation, id, commit.after, etag);

  let isAllOurs = true;
  for (let index = 0; index < commit.pieces; index++) {
    const operations = await commit.piece(index);
    const pieceId = stagedDocumentId(instanceId, commit.stage, index);
    const mayUnlock = isAllOurs && index === commit.pieces - 1;
    const last: readonly BatchOperation[] =
      mayUnlock && fitsOneBatch([...(operations ?? []), ...unlocking, ...unlocking]) ? unlocking : [];
    const applied: Applied | "finished" | undefined =
      operations && (await applyPiece(within(), instanceId, { id: pieceId, operations, last }));
    if (applied === "finished") return { instance: undefined, rows };
    if (applied === undefined) isAllOurs = false;
    for (const [rowId, row] of applied?.rows ?? []) rows.set(rowId, row);
    if (applied?.etag !== undefined) return { instance: unlocked(applied.etag), rows };
  }
  if (!isAllOurs) await checkEvents(within(), instanceId, commit);
  const outcome = await within().batch(instanceId, unlocking);
  return { instance: outcome.ok ? unlocked(outcome.etags[0]) : undefined, rows };
}

async function readDecided(work: Work, instanceId: string): Promise<Decided | undefined> {
  const stored = await work.read(instanceId, commitDocumentId(instanceId));
  if (stored === undefined) return undefined;
  const intent = toCommitIntent(stored);
  return {
    ...intent,
    async piece(index) {
      const id = stagedDocumentId(instanceId, intent.stage, index);
      const piece = await work.read(instanceId, id);
      return piece?.["operations"] as readonly BatchOperation[] | undefined;
    },
  };
}

interface Piece {
  /** The id of the document that holds the piece. */
  readonly id: string;
  readonly operations: readonly BatchOperation[];
  /** The operations after the piece in the same batch: the instance first. */
  readonly last: readonly BatchOperation[];
}

interface Applied {
  /** The written documents. */
  readonly rows: ReadonlyMap<string, Written>;
  /** The ETag of the instance, if the batch wrote it. */
  readonly etag: string | undefined;
}

/** Undefined if the piece was applied already; `finished` if the instance is unlocked already. */
async function applyPiece(
  work: Work,
  instanceId: string,
  { id, operations, last }: Piece,
): Promise<Applied | "finished" | undefined> {
  for (let left = operations; ; ) {
    const all: readonly BatchOperation[] = [{ kind: "delete", id }, ...left, ...last];
    const outcome = await work.batch(instanceId, all);
    if (outcome.ok) {
      const etag = last.length > 0 ? outcome.etags[left.length + 1] : undefined;
      return { rows: writtenBy(all, outcome), etag };
    }
    // A deletion without an ETag still requires the document (finish-commit.F1).
    if (outcome.index === 0) return undefined;
    if (outcome.index > left.length) return "finished";
    // A document that exists already, or is deleted already, needs no operation.
    left = without(left, outcome.index - 1);
  }
}

/** finish-commit.F2. */
async function checkEvents(work: Work, instanceId: string, { events }: CommitIntent): Promise<void> {
  if (events === undefined) return;
  const stored = await storedEvents(work, instanceId, events);
  const missing = events.count - stored.length;
  if (missing <= 0) return;
  throw new ProviderError({
    code: "corrupt-data",
    operation: work.operation,
    message: `a commit of ${JSON.stringify(instanceId)} cannot be carried out: a document that held a part of it is gone, and ${missing} of its ${events.count} events are missing. Restore the container, or remove the documents of the instance`,
  });
}
