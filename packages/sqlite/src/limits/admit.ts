/**
 * Instances whose limits hold their code back (docs/decisions/limits.md). The permit of an instance is a row of the worker
 * queue in a lane that no worker reads: it waits there like an activity, and is locked until the instance has ended.
 */
import { invariant, PERMIT_TAG } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { fromText, toLane } from "../rows/codec.ts";
import { type Message, toMessage } from "../rows/message-row.ts";
import { type LeavingRow, leaveLimits } from "./leave.ts";
import { isOpenIn, nextRanked } from "./next-ranked.ts";
import { PERMIT_ENDS_AT } from "./permits.ts";
import { served } from "./queues.ts";

const OPERATION = "admitInstances";

export const PERMIT_LANE: string = toLane(PERMIT_TAG);

const LANES = [PERMIT_LANE];

const GRANT = `UPDATE worker_queue SET lock_token = 'permit', due_at = ${PERMIT_ENDS_AT}
  WHERE id = ? RETURNING instance_key, execution_id, activity_id`;

const HOLD = "UPDATE instances SET limit_key = ?2, held_since = ?3 WHERE instance_key = ?1";

const LET = "UPDATE instances SET held_since = NULL WHERE instance_key = ? RETURNING instance_id";

const END = `DELETE FROM worker_queue WHERE instance_key = ? AND lane = '${PERMIT_LANE}'
  RETURNING limit_key, lane, due_at`;

/** Called when the call for a permit is stored. */
export function holdInstance(
  { db, nowMs, effects }: Transaction,
  instanceKey: number,
  limitKey: string,
): void {
  db.run(HOLD, instanceKey, limitKey, nowMs);
  effects.statuses.clear();
}

export function mayAdmit(db: Database): boolean {
  return isOpenIn(db, LANES);
}

/** Grants permits while limits let instances begin; `answer` stores the message with which the code of one begins. */
export function admitInstances(tx: Transaction, answer: (message: Message) => void): void {
  for (let next = nextRanked(tx, LANES); next !== undefined; next = nextRanked(tx, LANES)) {
    const row = tx.db.get<GrantedRow>(GRANT, next.id);
    const instance = row && tx.db.get<{ instance_id: string }>(LET, row.instance_key);
    invariant(row !== undefined && instance !== undefined, "queues.Q1");
    served(tx, next.key, next.lane);
    tx.effects.touch(instance.instance_id);
    answer(
      toMessage(OPERATION, {
        kind: "ActivityCompleted",
        instance: fromText(instance.instance_id),
        execution_id: row.execution_id,
        id: row.activity_id,
        result: "null",
      }),
    );
  }
}

interface GrantedRow {
  readonly instance_key: number;
  readonly execution_id: number;
  readonly activity_id: number;
}

/** Called when an instance with a limit has ended. */
export function endPermitOf(tx: Transaction, instanceKey: number): void {
  leaveLimits(tx, tx.db.all<LeavingRow>(END, instanceKey));
}
