/**
 * A commit that does not fit into a batch (hazards W2, W13). Its operations are stored in pieces first
 * (staged-commit.ts). Then one batch decides: under the ETag of the lock it locks the instance document beyond any lease,
 * and creates an intent that names the pieces. From then on any process can apply the commit; Rust sees a locked
 * instance.
 *
 * What is true after a failure, or after the end of the process,
 *
 * - while the pieces are stored: nothing has happened. The note that names them is marked by the reconciler when the time
 *   of its call is over, and then they are removed (docs/decisions/0032).
 * - while the decision is stored: it is stored whole or not at all. Without an answer the instance shows which
 *   (`storedBefore`), also where other processes have applied the commit meanwhile.
 * - after the decision: the commit is done, and this call succeeds. The pieces are applied by this process, by the next
 *   one that reads the instance, or by the reconciler (leases/finish-commit.ts).
 */
import { messageOf } from "@duroxide-ts/core/stores";
import { type Body, toBody } from "../documents/body.ts";
import {
  commitDocumentId,
  instanceDocumentId,
  stagedDocumentId,
  stagingDocumentId,
} from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import {
  COMMIT_LOCK_PREFIX,
  type Finished,
  finishCommit,
  LOCKED_FOR_EVER_MS,
} from "../leases/finish-commit.ts";
import { done, LOST, type Outcome, write } from "../leases/lease.ts";
import { type CommitIntent, stagedBody, stagingBody } from "../leases/staged-commit.ts";
import { instanceAfter } from "../leases/stored-instance.ts";
import { FINISH_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { fitsOneBatch, split } from "../service/split.ts";
import { type Commit, rowOperations } from "./commit.ts";

/** A piece is one document, and its operations one batch: both stay below 2 MB, escaping included. */
const PIECE_BYTES = 900_000;

/** Operations in the batch of a piece beside its own: deleting its document and unlocking the instance. */
const ROOM = 3;

/** A decided commit is applied in any case: by the next process that reads the instance, or by the reconciler. */
const BY_OTHERS: Finished = { instance: undefined, rows: new Map() };

export async function stageCommit(call: Call, commit: Commit): Promise<Outcome<Finished>> {
  const { instanceId } = commit;
  const { service } = call;
  const pieces = split(rowOperations(commit), ROOM, PIECE_BYTES);
  const stage = service.random.uuid();
  const intent = intentOf(commit, { stage, pieces: pieces.length, createdAt: service.clock.now() });
  const documents = pieces.map((piece, index): BatchOperation => {
    const id = stagedDocumentId(instanceId, intent.stage, index);
    return { kind: "upsert", body: stagedBody(id, instanceId, piece) };
  });
  const deciding = decisionOperations(commit, intent);
  // Without a note before it, as no piece can be left over: the pieces are stored with the decision or not at all.
  const together = [...deciding, ...documents];
  const operations = fitsOneBatch(together)
    ? together
    : [...deciding, await stageBefore(call, commit, intent, documents)];
  const decided = await decide(call, commit, operations);
  if (decided.kind !== "done") return LOST;
  if (decided.value === "finished") return done(BY_OTHERS);
  const finishing = service.call(call.operation, FINISH_MS);
  try {
    const piece = async (index: number): Promise<readonly BatchOperation[] | undefined> => pieces[index];
    return done(await finishCommit(finishing, decided.value, { ...intent, piece }));
  } catch (error) {
    service.warn(`a commit of several batches is carried out later: ${messageOf(error)}`, { instanceId });
    return done(BY_OTHERS);
  }
}

/** The intent says which events the commit has, so that the process that finishes it finds a piece that was lost. */
function intentOf(
  { secret, after, history }: Commit,
  rest: Pick<CommitIntent, "stage" | "pieces" | "createdAt">,
): CommitIntent {
  const ids = history.map(({ eventId }) => eventId);
  const [event] = history;
  if (event === undefined) return { secret, after, ...rest };
  const { executionId } = event;
  const events = { executionId, first: Math.min(...ids), last: Math.max(...ids), count: ids.length };
  return { secret, after, events, ...rest };
}

/**
 * Stores the pieces one by one after a note of them; resolves to the deletion of the note. The deletion belongs to the
 * deciding batch, and has the ETag of the note: a note that the reconciler has marked refuses the decision, so no piece
 * of a decided commit is ever removed.
 */
async function stageBefore(
  call: Call,
  { instanceId }: Commit,
  { stage, pieces }: CommitIntent,
  documents: readonly BatchOperation[],
): Promise<BatchOperation> {
  const body = stagingBody({ instanceId, stage, pieces, untilMs: call.untilMs });
  const noted = await call.batch(instanceId, [{ kind: "upsert", body }]);
  for (const document of documents) await call.batch(instanceId, [document]);
  const id = stagingDocumentId(instanceId, stage);
  return { kind: "delete", id, ...(noted.ok && { ifMatch: noted.etags[0] ?? "" }) };
}

function decisionOperations(
  { instanceId, secret, locked }: Commit,
  intent: CommitIntent,
): readonly BatchOperation[] {
  const body = decidedBody(locked, secret);
  const id = commitDocumentId(instanceId);
  const stored: Body = { id, instanceId, type: "commit_intent", ...intent };
  return [
    { kind: "replace", id: instanceDocumentId(instanceId), body, ifMatch: locked.etag },
    { kind: "upsert", body: stored },
  ];
}

function decidedBody({ document }: Instance, secret: string): Body {
  return { ...toBody(document), lockToken: lockTokenOf(secret), lockedUntil: LOCKED_FOR_EVER_MS };
}

function lockTokenOf(secret: string): string {
  return `${COMMIT_LOCK_PREFIX}${secret}`;
}

/** The instance after the decision; `finished` if other processes have applied the commit already. */
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
      const instance = await instanceAfter(call, instanceId, locked.etag);
      if (instance?.document.lockToken === lockTokenOf(secret)) return instance;
      return instance?.notes.turns?.includes(secret) === true ? "finished" : undefined;
    },
  });
}
