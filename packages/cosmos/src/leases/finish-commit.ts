/**
 * Carries out a commit that was decided (stage-commit.ts). Each piece goes with the document that holds it, in one
 * batch, so that it is applied once, whoever and how many carry it out; the instance is unlocked last, with the last
 * piece where that fits.
 */

import type { Body, Written } from "../documents/body.ts";
import { commitDocumentId, instanceDocumentId, stagedDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { type BatchOperation, createdBy } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { fitsOneBatch } from "../service/split.ts";
import { without } from "./lease.ts";

export const COMMIT_LOCK_PREFIX = "commit:";

/** The year 9999: Rust takes the instance for locked whatever its clock says. */
export const LOCKED_FOR_EVER_MS = 253_402_300_799_000;

export function isCommitting({ document }: Instance): boolean {
  return document.lockToken?.startsWith(COMMIT_LOCK_PREFIX) === true;
}

/** A commit that was decided. */
export interface Decided {
  readonly secret: string;
  /** The instance document in the end. */
  readonly after: Body;
  /** The number of its pieces. */
  readonly pieces: number;
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

  for (let index = 0; index < commit.pieces; index++) {
    const operations = await commit.piece(index);
    if (operations === undefined) continue;
    const pieceId = stagedDocumentId(instanceId, commit.secret, index);
    const isLast = index === commit.pieces - 1;
    const last = isLast && fitsOneBatch([...operations, ...unlocking, ...unlocking]) ? unlocking : [];
    const applied = await applyPiece(call, instanceId, { id: pieceId, operations, last });
    for (const [rowId, row] of applied.rows) rows.set(rowId, row);
    if (applied.etag !== undefined) return { instance: unlocked(applied.etag), rows };
  }
  const outcome = await call.batch(instanceId, unlocking);
  return { instance: outcome.ok ? unlocked(outcome.etags[0]) : undefined, rows };
}

async function readDecided(call: Call, instanceId: string): Promise<Decided | undefined> {
  const intent = await call.read(instanceId, commitDocumentId(instanceId));
  if (intent === undefined) return undefined;
  const secret = String(intent["secret"]);
  return {
    secret,
    after: intent["after"] as Body,
    pieces: Number(intent["pieces"]),
    async piece(index) {
      const piece = await call.read(instanceId, stagedDocumentId(instanceId, secret, index));
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
  /** What was created; nothing where somebody else has applied it. */
  readonly rows: ReadonlyMap<string, Written>;
  /** Of the instance, where it was written too. */
  readonly etag: string | undefined;
}

async function applyPiece(call: Call, instanceId: string, { id, operations, last }: Piece): Promise<Applied> {
  for (let left = operations; ; ) {
    const all: readonly BatchOperation[] = [{ kind: "delete", id }, ...left, ...last];
    const outcome = await call.batch(instanceId, all);
    if (outcome.ok) {
      const etag = last.length > 0 ? outcome.etags[left.length + 1] : undefined;
      return { rows: createdBy(all, outcome), etag };
    }
    const isOfPiece = outcome.index > 0 && outcome.index <= left.length;
    if (!isOfPiece) return { rows: new Map(), etag: undefined };
    // What is there already, or gone already, needs nothing.
    left = without(left, outcome.index - 1);
  }
}
