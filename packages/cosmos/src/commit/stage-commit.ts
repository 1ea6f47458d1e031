/**
 * A commit that does not fit into a batch (hazards W2, W13). Its operations are stored in pieces first
 * (staged-commit.ts). Then one batch decides: under the ETag of the lock it locks the instance document beyond any lease,
 * and creates an intent that names the pieces. From then on any process can apply the commit; Rust sees a locked
 * instance.
 *
 * What is true after a failure, or after the end of the process,
 *
 * - while the pieces are stored: nothing has happened. The note that names them is marked by the reconciler when the lock
 *   is over, and then they are removed (docs/decisions/cosmos-delivery.md).
 * - while the decision is stored: it is stored whole or not at all. Without an answer the instance shows which
 *   (`storedBefore`), also where other processes have applied the commit meanwhile.
 * - after the decision: the commit is done, and this call succeeds. The pieces are applied by this process, by the next
 *   one that reads the instance, or by the reconciler (leases/finish-commit.ts).
 */
import { messageOf, ProviderError } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import {
  commitDocumentId,
  instanceDocumentId,
  stagedDocumentId,
  stagingDocumentId,
} from "../documents/ids.ts";
import { type Instance, type Notes, optional, writtenInstance } from "../documents/instance.ts";
import {
  COMMIT_LOCK_PREFIX,
  type Finished,
  finishCommit,
  LOCKED_FOR_EVER_MS,
} from "../leases/finish-commit.ts";
import { done, LOST, type Outcome, write } from "../leases/lease.ts";
import { type CommitIntent, stagedBody, stagingBody } from "../leases/staged-commit.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import { STAGE_LOCK_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { fitsOneBatch, split } from "../service/split.ts";
import { forgetStreams, isStreamRecord, streamOperations, wroteStreams } from "../streams/turn-streams.ts";
import { type Commit, rowOperations } from "./commit.ts";
import { Staging } from "./staging.ts";

/** A piece is one document, and its operations one batch: both stay below 2 MB, escaping included. */
const PIECE_BYTES = 900_000;

/** Operations in the batch of a piece beside its own: deleting its document and unlocking the instance. */
const ROOM = 3;

/** A decided commit is applied in any case: by the next process that reads the instance, or by the reconciler. */
const BY_OTHERS: Finished = { instance: undefined, rows: new Map() };

/**
 * Stages a commit under the lease of a turn; a change without a turn locks the instance while its pieces are stored.
 */
export async function stageCommit(work: Work, commit: Commit, lease?: TurnLease): Promise<Outcome<Finished>> {
  const { instanceId } = commit;
  const { service } = work;
  const pieces = split(rowOperations(commit), ROOM, PIECE_BYTES);
  const intent = intentOf(commit, {
    stage: service.random.uuid(),
    pieces: pieces.length,
    createdAt: service.clock.now(),
  });
  const documents = pieces.map((piece, index): BatchOperation => {
    const id = stagedDocumentId(instanceId, intent.stage, index);
    return { kind: "create", body: stagedBody(id, instanceId, piece) };
  });
  // Without a note before it, as no piece can be left over: the pieces are stored with the decision or not at all.
  const together = [...decisionOperations(commit, intent), ...documents, ...commit.streams];
  const decided = fitsOneBatch(together)
    ? await decide(work, commit, intent, together)
    : await stageBefore(work, lease ?? leaseOf(commit), commit, intent, documents);
  if (decided.kind !== "done") return LOST;
  // The process that finishes the commit may be another one, so the ETags are read again.
  wroteStreams(work, instanceId, commit.streams, () => undefined);
  const { instance, after } = decided.value;
  if (instance === "finished") return done(BY_OTHERS);
  try {
    const piece = async (index: number): Promise<readonly BatchOperation[] | undefined> => pieces[index];
    return done(await finishCommit(work, instance, { ...intent, after, piece }));
  } catch (error) {
    service.warn(`a commit of several batches is carried out later: ${messageOf(error)}`, { instanceId });
    return done(BY_OTHERS);
  }
}

function leaseOf({ instanceId, secret, locked: instance }: Commit): TurnLease {
  return { kind: "remembered", instanceId, secret, instance, rows: [], waitingSinceMs: 0, lockedUntilMs: 0 };
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
 * Stores the pieces one by one after a note of them, and decides. The decision deletes the note on condition of its ETag:
 * a note that the reconciler has marked refuses the decision, so no piece of a decided commit is ever removed.
 */
async function stageBefore(
  work: Work,
  lease: TurnLease,
  commit: Commit,
  intent: CommitIntent,
  documents: readonly BatchOperation[],
): Promise<Outcome<Decided>> {
  const { instanceId, secret } = commit;
  const { clock } = work;
  const { stage, pieces } = intent;
  const staging = new Staging(work, lease, commit.size);
  try {
    const untilMs = clock.now() + STAGE_LOCK_MS;
    const etag = await staging.note({
      kind: "upsert",
      body: stagingBody({ instanceId, secret, stage, pieces, untilMs }),
    });
    const id = stagingDocumentId(instanceId, stage);
    for (const document of documents) await staging.piece(document, id);
    const value = await staging.decide(async ({ instance }, deciding) => {
      const current = { ...commit, locked: instance, after: afterOn(instance, commit) };
      const stored = { ...intent, after: current.after, createdAt: clock.now() };
      const operations = decisionOperations(current, stored);
      const { ofStreams } = commit;
      const streams = ofStreams === undefined ? [] : await streamOperations(deciding, ofStreams);
      return decide(deciding, current, stored, [
        ...operations,
        { kind: "delete", id, ifMatch: etag },
        ...streams,
      ]);
    });
    return done(value);
  } catch (error) {
    // Without a lease there is no lock that the caller could have lost.
    if (lease.lockedUntilMs === 0 && ProviderError.is(error) && error.code === "lock-lost") return LOST;
    throw error;
  }
}

/** While a lock stands, others write only these two, which stay whatever a turn does. */
function afterOn({ notes }: Instance, { after }: Commit): Body {
  const { deletion, suspended } = notes;
  const { deletion: _, suspended: __, ...ofTurn } = after[NOTES_FIELD] as Notes;
  const kept = { ...ofTurn, ...optional({ deletion, suspended }) };
  return { ...after, [NOTES_FIELD]: kept };
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

/** Lists show the block, the start and the tags until the commit is applied. */
function decidedBody({ document, notes: { blocked, startsAt, tags } }: Instance, secret: string): Body {
  const shown = optional({ blocked, startsAt, tags });
  return {
    ...toBody(document),
    lockToken: lockTokenOf(secret),
    lockedUntil: LOCKED_FOR_EVER_MS,
    ...(Object.keys(shown).length > 0 && { [NOTES_FIELD]: shown }),
  };
}

function lockTokenOf(secret: string): string {
  return `${COMMIT_LOCK_PREFIX}${secret}`;
}

interface Decided {
  /** After the decision; `finished` if other processes have applied the commit already. */
  readonly instance: Instance | "finished";
  /** The instance document after the commit. */
  readonly after: Body;
}

async function decide(
  work: Work,
  { instanceId, secret, locked }: Commit,
  { after }: CommitIntent,
  operations: readonly BatchOperation[],
): Promise<Outcome<Decided>> {
  const outcome = await write<Decided>(work, {
    partition: instanceId,
    operations,
    stored({ etags: [etag] }) {
      const body = decidedBody(locked, secret);
      const instance = writtenInstance(work.operation, instanceDocumentId(instanceId), body, etag);
      return { instance, after };
    },
    async storedBefore() {
      const instance = await storedInstance(work, instanceId);
      if (instance?.document.lockToken === lockTokenOf(secret)) return { instance, after };
      return instance?.notes.turns?.includes(secret) === true ? { instance: "finished", after } : undefined;
    },
  });
  if (outcome.kind !== "done") forgetStreams(work, instanceId, operations);
  // commit.K6
  return outcome.kind === "refused" && isStreamRecord(outcome.operation) ? LOST : outcome;
}
