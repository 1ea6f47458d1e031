/**
 * A commit that does not fit into a batch (hazards W2, W13). Its operations are stored aside first; then one batch
 * decides: the instance document, under the ETag of the lock, stays locked beyond any lease, and an intent beside it
 * names the pieces. From there on the commit happens, whoever carries it out; Rust only sees a locked instance.
 */
import type { Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import { commitDocumentId, instanceDocumentId, stagedDocumentId } from "../schema/ids.ts";
import { type Instance, writtenInstance } from "../schema/instance.ts";
import type { Store } from "../store/store.ts";
import { storedInstance } from "../store/stored-instance.ts";
import { type CommitPlan, rowOperations } from "../turn/plan-commit.ts";
import { COMMIT_LOCK_PREFIX, finishCommit, LOCKED_FOR_EVER_MS } from "./finish-commit.ts";
import { split } from "./split.ts";

/** A piece is one document, and its operations one batch: both stay below 2 MB, escaping included. */
const PIECE_BYTES = 900_000;

/** Pieces of a commit that never was decided are removed by the service. */
const STAGED_TTL_SECONDS = 24 * 60 * 60;

/** What is decided is worth some time beyond the lock. */
const FINISH_MS = 30_000;

/** The instance as the commit left it, where nobody has written it since; `lost` where the lock was. */
export type StagedOutcome = { readonly lost: boolean; readonly instance: Instance | undefined };

export async function stageCommit(store: Store, call: Call, plan: CommitPlan): Promise<StagedOutcome> {
  const { instanceId, secret } = plan;
  const pieces = split(rowOperations(plan), 1, PIECE_BYTES);
  for (const [index, operations] of pieces.entries()) {
    const body: Body = {
      id: stagedDocumentId(instanceId, secret, index),
      instanceId,
      type: "staged",
      operations: operations.map((operation) => ({ ...operation })),
      ttl: STAGED_TTL_SECONDS,
    };
    await store.requests.batch(call, instanceId, [{ kind: "upsert", body }]);
  }
  const decided = await decide(store, call, plan, pieces.length);
  if (typeof decided === "string") return { lost: decided === "lost", instance: undefined };
  // It will be carried out in any case: by whoever meets the instance, or the reconciler.
  const finishing = store.requests.call(call.operation, FINISH_MS);
  return { lost: false, instance: await finishCommit(store, finishing, decided).catch(() => undefined) };
}

/** The instance as the decision left it, unless it was refused, or others have carried it out already. */
async function decide(
  store: Store,
  call: Call,
  plan: CommitPlan,
  pieces: number,
): Promise<Instance | "lost" | "finished"> {
  const { instanceId, secret, after, locked } = plan;
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
