/**
 * Carries out a commit that was decided (stage-commit.ts). Each piece goes with the document that holds it, in one
 * batch, so that it is applied once, whoever and how many carry it out; the instance is unlocked last.
 */
import { type BatchOperation, type Body, createdBy, type Written } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { commitDocumentId, instanceDocumentId, stagedDocumentId } from "../schema/ids.ts";
import { type Instance, writtenInstance } from "../schema/instance.ts";
import type { Store } from "../store/store.ts";

export const COMMIT_LOCK_PREFIX = "commit:";

/** The year 9999: Rust takes the instance for locked whatever its clock says. */
export const LOCKED_FOR_EVER_MS = 253_402_300_799_000;

export function isCommitting({ document }: Instance): boolean {
  return document.lockToken?.startsWith(COMMIT_LOCK_PREFIX) === true;
}

export interface Finished {
  /** As the commit left it; undefined where somebody else was faster. */
  readonly instance: Instance | undefined;
  /** What this process wrote of it, by id. */
  readonly rows: ReadonlyMap<string, Written>;
}

export async function finishCommit(store: Store, call: Call, instance: Instance): Promise<Finished> {
  const { instanceId } = instance.document;
  const rows = new Map<string, Written>();
  const intent = await store.requests.read(call, instanceId, commitDocumentId(instanceId));
  if (intent === undefined) return { instance: undefined, rows };
  const secret = String(intent["secret"]);
  for (let index = 0; index < Number(intent["pieces"]); index++) {
    const id = stagedDocumentId(instanceId, secret, index);
    const piece = await store.requests.read(call, instanceId, id);
    if (piece === undefined) continue;
    for (const [rowId, row] of await applyPiece(store, call, instanceId, piece)) rows.set(rowId, row);
  }
  const id = instanceDocumentId(instanceId);
  const after = intent["after"] as Body;
  const outcome = await store.requests.batch(call, instanceId, [
    { kind: "replace", id, body: after, ifMatch: instance.etag },
    { kind: "delete", id: intent.id },
  ]);
  const finished = outcome.ok ? writtenInstance(call.operation, id, after, outcome.etags[0]) : undefined;
  return { instance: finished, rows };
}

/** Resolves to what it has created; nothing where somebody else has applied it. */
async function applyPiece(
  store: Store,
  call: Call,
  instanceId: string,
  piece: Stored,
): Promise<ReadonlyMap<string, Written>> {
  let operations = piece["operations"] as readonly BatchOperation[];
  for (;;) {
    const all: readonly BatchOperation[] = [{ kind: "delete", id: piece.id }, ...operations];
    const outcome = await store.requests.batch(call, instanceId, all);
    if (outcome.ok) return createdBy(all, outcome);
    if (outcome.index === 0) return new Map();
    operations = without(operations, outcome.index - 1);
  }
}

/** What is there already, or gone already, needs nothing. */
export function without(operations: readonly BatchOperation[], index: number): readonly BatchOperation[] {
  return operations.filter((_, position) => position !== index);
}
