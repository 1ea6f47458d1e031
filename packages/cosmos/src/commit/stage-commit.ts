/**
 * A commit that does not fit into a batch (hazards W2, W13). Its operations are stored aside first; then one batch
 * decides: the instance document, under the ETag of the lock, stays locked beyond any lease, and an intent beside it
 * names the pieces. From there on the commit happens, whoever carries it out; Rust only sees a locked instance.
 */

import { type Body, toBody } from "../documents/body.ts";
import { commitDocumentId, instanceDocumentId, stagedDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import {
  COMMIT_LOCK_PREFIX,
  type Finished,
  finishCommit,
  LOCKED_FOR_EVER_MS,
} from "../leases/finish-commit.ts";
import { done, LOST, type Outcome, write } from "../leases/lease.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { FINISH_MS, STAGED_TTL_SECONDS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call, Service } from "../service/service.ts";
import { fitsOneBatch, split } from "../service/split.ts";
import { type Commit, rowOperations } from "./commit.ts";

/** A piece is one document, and its operations one batch: both stay below 2 MB, escaping included. */
const PIECE_BYTES = 900_000;

/** In the batch of a piece, for its document and for unlocking the instance. */
const ROOM = 3;

/** It will be carried out in any case: by whoever meets the instance, or the reconciler. */
const BY_OTHERS: Finished = { instance: undefined, rows: new Map() };

export async function stageCommit(call: Call, commit: Commit): Promise<Outcome<Finished>> {
  const { instanceId, secret, after } = commit;
  const pieces = split(rowOperations(commit), ROOM, PIECE_BYTES);
  const documents = pieces.map((piece, index): BatchOperation => {
    const id = stagedDocumentId(instanceId, secret, index);
    return { kind: "upsert", body: stagedBody(id, instanceId, piece) };
  });
  const deciding = decisionOperations(call.service, commit, pieces.length);
  // With the decision in one batch, or one by one before it.
  const isTogether = fitsOneBatch([...deciding, ...documents]);
  if (!isTogether) for (const document of documents) await call.batch(instanceId, [document]);
  const decided = await decide(call, commit, [...deciding, ...(isTogether ? documents : [])]);
  if (decided.kind !== "done") return LOST;
  if (decided.value === "finished") return done(BY_OTHERS);
  const finishing = call.service.call(call.operation, FINISH_MS);
  const known = { secret, after, pieces: pieces.length, piece: async (index: number) => pieces[index] };
  const finished = await finishCommit(finishing, decided.value, known).catch(() => BY_OTHERS);
  return done(finished);
}

function stagedBody(id: string, instanceId: string, operations: readonly BatchOperation[]): Body {
  return {
    id,
    instanceId,
    type: "staged",
    operations: operations.map((operation) => ({ ...operation })),
    ttl: STAGED_TTL_SECONDS,
  };
}

function decisionOperations(
  service: Service,
  { instanceId, secret, after, locked }: Commit,
  pieces: number,
): readonly BatchOperation[] {
  const body = decidedBody(locked, secret);
  const intent: Body = {
    id: commitDocumentId(instanceId),
    instanceId,
    type: "commit_intent",
    secret,
    pieces,
    after,
    createdAt: service.clock.now(),
  };
  return [
    { kind: "replace", id: instanceDocumentId(instanceId), body, ifMatch: locked.etag },
    { kind: "upsert", body: intent },
  ];
}

function decidedBody({ document }: Instance, secret: string): Body {
  return { ...toBody(document), lockToken: lockTokenOf(secret), lockedUntil: LOCKED_FOR_EVER_MS };
}

function lockTokenOf(secret: string): string {
  return `${COMMIT_LOCK_PREFIX}${secret}`;
}

/** The instance as the decision left it; `finished` where others have carried the commit out already. */
function decide(
  call: Call,
  { instanceId, secret, locked }: Commit,
  operations: readonly BatchOperation[],
): Promise<Outcome<Instance | "finished">> {
  return write<Instance | "finished">(call, {
    partition: instanceId,
    operations,
    stored: ({ etags: [etag] }) =>
      writtenInstance(call.operation, instanceDocumentId(instanceId), decidedBody(locked, secret), etag),
    async storedBefore() {
      const instance = await storedInstance(call, instanceId);
      if (instance?.document.lockToken === lockTokenOf(secret)) return instance;
      return instance?.notes.turns?.includes(secret) === true ? "finished" : undefined;
    },
  });
}
