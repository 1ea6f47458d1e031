/**
 * A commit that does not fit into a batch (hazards W2, W13). Its operations are stored aside first; then one batch
 * decides: the instance document, under the ETag of the lock, stays locked beyond any lease, and an intent beside it
 * names the pieces. From there on the commit happens, whoever carries it out; Rust only sees a locked instance.
 */
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import { commitDocumentId, instanceDocumentId, stagedDocumentId } from "../schema/ids.ts";
import { type Instance, writtenInstance } from "../schema/instance.ts";
import type { Store } from "../store/store.ts";
import { storedInstance } from "../store/stored-instance.ts";
import type { CommitPlan } from "../turn/plan-commit.ts";
import { COMMIT_LOCK_PREFIX, type Finished, finishCommit, LOCKED_FOR_EVER_MS } from "./finish-commit.ts";
import { split } from "./split.ts";

/** A piece is one document, and its operations one batch: both stay below 2 MB, escaping included. */
const PIECE_BYTES = 900_000;

/** Pieces of a commit that never was decided are removed by the service. */
const STAGED_TTL_SECONDS = 24 * 60 * 60;

/** What is decided is worth some time beyond the lock. */
const FINISH_MS = 30_000;

/** `lost` where the lock was. */
export type StagedOutcome = Finished & { readonly lost: boolean };

/** It will be carried out in any case: by whoever meets the instance, or the reconciler. */
const BY_OTHERS: Finished = { instance: undefined, rows: new Map() };

/** What becomes of the instance document, on condition that it is as it was. */
export type Decision = Pick<CommitPlan, "instanceId" | "secret" | "after" | "locked">;

export async function stageCommit(
  store: Store,
  call: Call,
  decision: Decision,
  operations: readonly BatchOperation[],
): Promise<StagedOutcome> {
  const { instanceId, secret } = decision;
  const pieces = split(operations, 1, PIECE_BYTES);
  for (const [index, piece] of pieces.entries()) {
    const body: Body = {
      id: stagedDocumentId(instanceId, secret, index),
      instanceId,
      type: "staged",
      operations: piece.map((operation) => ({ ...operation })),
      ttl: STAGED_TTL_SECONDS,
    };
    await store.requests.batch(call, instanceId, [{ kind: "upsert", body }]);
  }
  const decided = await decide(store, call, decision, pieces.length);
  if (typeof decided === "string") return { ...BY_OTHERS, lost: decided === "lost" };
  const finishing = store.requests.call(call.operation, FINISH_MS);
  const finished = await finishCommit(store, finishing, decided).catch(() => BY_OTHERS);
  return { ...finished, lost: false };
}

/** The instance as the decision left it, unless it was refused, or others have carried it out already. */
async function decide(
  store: Store,
  call: Call,
  { instanceId, secret, after, locked }: Decision,
  pieces: number,
): Promise<Instance | "lost" | "finished"> {
  const id = instanceDocumentId(instanceId);
  const lockToken = `${COMMIT_LOCK_PREFIX}${secret}`;
  const body: Body = { ...toBody(locked.document), lockToken, lockedUntil: LOCKED_FOR_EVER_MS };
  const intent: Body = {
    id: commitDocumentId(instanceId),
    instanceId,
    type: "commit_intent",
    secret,
    pieces,
    after,
    createdAt: store.clock.now(),
  };
  const outcome = await store.requests.batch(call, instanceId, [
    { kind: "replace", id, body, ifMatch: locked.etag },
    { kind: "upsert", body: intent },
  ]);
  if (outcome.ok) return writtenInstance(call.operation, id, body, outcome.etags[0]);
  const instance = outcome.repeated ? await storedInstance(store, call, instanceId) : undefined;
  if (instance?.document.lockToken === lockToken) return instance;
  return instance?.notes.turns?.includes(secret) === true ? "finished" : "lost";
}
