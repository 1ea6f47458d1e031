/**
 * The messages of one fetch: the visible rows of the instance, tagged with its token and counted. An acknowledgement or
 * release changes exactly these rows (docs/reference/provider-contract.md §4, §6). The tag may be written later in the
 * transaction (open-queue.ts).
 */
import { doubledMs, droppedBeforeStart, later, type OrchestratorItem } from "@duroxide-ts/core/stores";
import type { Arrival } from "../commit/open-queue.ts";
import type { Transaction } from "../commit/transaction.ts";
import { parseBlock } from "../rows/blocked.ts";
import { decodeOrchestratorItem, fromText } from "../rows/codec.ts";
import type { LockToken } from "../rows/lock-token.ts";
import { setAside } from "../storing/dead-letters.ts";
import { forgetMessages } from "../storing/message-ids.ts";
import { unlockInstance } from "./unlock-instance.ts";

export interface BatchOwner {
  readonly instance_key: number;
  readonly instance_id: string;
  readonly context_misses: number;
  /** JSON. */
  readonly blocked: string | null;
}

export interface Batch {
  readonly token: LockToken;
  /** Messages by order time, then in queue order. */
  readonly messages: readonly OrchestratorItem[];
  /** The highest count of its rows, this fetch included. */
  readonly attemptCount: number;
  /** How often one of its rows began to run alone: the maximum. */
  readonly loneRuns: number;
  /** Whether clients sent all its messages in the transaction that locks it. */
  readonly cameJustNow: boolean;
  /** Whether its rows are tagged and counted already. If not, the batch has all visible rows. */
  readonly tagged: boolean;
  /** The highest id of its rows; 0 if it has none. */
  readonly lastRow: number;
  /** Messages without a row yet (open-queue.ts). */
  readonly arrivals: readonly Arrival[];
}

/** A larger backlog is processed in several turns, in its order. */
const MAX_BATCH = 1000;

/** Counted as if they were tagged. Selects one row more than the limit, to detect a larger backlog. */
const VISIBLE = `SELECT id, visible_at, order_at, work_item, attempt_count + 1 AS attempt_count, ran_alone
  FROM orchestrator_queue WHERE instance_key = ? AND visible_at <= ? LIMIT ${MAX_BATCH + 1}`;

const TAG_VISIBLE = `UPDATE orchestrator_queue SET lock_token = ?, attempt_count = attempt_count + 1
  WHERE instance_key = ? AND visible_at <= ?`;

/** The first rows whose order time equals their visible time, as for nearly all rows. */
const FIRST_IN_PLACE = `SELECT id, order_at FROM orchestrator_queue
  WHERE instance_key = ? AND visible_at <= ? AND visible_at = order_at ORDER BY visible_at, id LIMIT ${MAX_BATCH}`;

/** The first of the other rows. Names the index, because the planner would scan the whole backlog. */
const FIRST_MOVED = `SELECT id, order_at FROM orchestrator_queue INDEXED BY orchestrator_queue_moved
  WHERE instance_key = ? AND visible_at <= ? AND visible_at <> order_at ORDER BY order_at, id LIMIT ${MAX_BATCH}`;

/** Starts are always included, because a turn cannot process the other messages without them. */
const STARTS = "SELECT id FROM orchestrator_queue WHERE instance_key = ? AND begins = 1 AND visible_at <= ?";

const TAG_CHOSEN = `UPDATE orchestrator_queue SET lock_token = ?, attempt_count = attempt_count + 1
  WHERE id IN (SELECT value FROM json_each(?))
  RETURNING id, visible_at, order_at, work_item, attempt_count, ran_alone`;

/** Rows of a blocked batch, hidden or not, are always part of the batch. */
const TAG_BLOCKED = `UPDATE orchestrator_queue SET lock_token = ?3, attempt_count = attempt_count + 1,
    visible_at = min(visible_at, ?2)
  WHERE instance_key = ?1 AND (visible_at <= ?2 OR lock_token = ?4)
  RETURNING id, visible_at, order_at, work_item, attempt_count, ran_alone`;

const UNTAG = `UPDATE orchestrator_queue SET lock_token = NULL, attempt_count = attempt_count - 1
  WHERE instance_key = ? AND visible_at <= ? AND lock_token = ?`;

const DELETE = "DELETE FROM orchestrator_queue WHERE instance_key = ? AND visible_at <= ? AND lock_token = ?";

/** Postpones the instance at most until its next hidden message is due, because that may be the start. */
const POSTPONE = `UPDATE instances SET lock_token = NULL, context_misses = context_misses + 1,
    due_at = min(?3, coalesce(
      (SELECT min(visible_at) FROM orchestrator_queue WHERE instance_key = ?1 AND visible_at > ?2), ?3))
  WHERE instance_key = ?1 RETURNING due_at`;

const QUEUED_START = "SELECT 1 FROM orchestrator_queue WHERE instance_key = ? AND begins = 1 LIMIT 1";

/** Deletes a row that only anchored messages, after the last of them is deleted. */
const FORGET = `DELETE FROM instances WHERE instance_key = ?1 AND execution_id = 0 AND due_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM worker_queue WHERE instance_key = ?1)`;

const FIRST_POSTPONEMENT_MS = 1_000;
const LONGEST_POSTPONEMENT_MS = 300_000;

interface TaggedRow {
  readonly id: number;
  readonly visible_at: number;
  readonly order_at: number;
  readonly work_item: string;
  readonly attempt_count: number;
  readonly ran_alone: number;
}

interface TakenRows {
  readonly rows: readonly TaggedRow[];
  readonly tagged: boolean;
  readonly arrivals: readonly Arrival[];
}

export function takeBatch(tx: Transaction, owner: BatchOwner): Batch {
  const secret = tx.lockSecret();
  const { rows, tagged, arrivals } = takeRows(tx, owner, secret);
  const places: Placed[] = [];
  let attemptCount = arrivals.length > 0 ? 1 : 0;
  let visibleUntilMs = arrivals.length > 0 ? tx.nowMs : 0;
  let lastRow = 0;
  for (const row of rows) {
    lastRow = Math.max(lastRow, row.id);
    const message = decode(tx, row);
    if (message === undefined) continue;
    places.push({ message, order_at: row.order_at, id: row.id });
    attemptCount = Math.max(attemptCount, row.attempt_count);
    visibleUntilMs = Math.max(visibleUntilMs, row.visible_at);
  }
  for (const [index, { message, orderAtMs }] of arrivals.entries()) {
    const id = lastRow + 1 + index;
    places.push({ message: decodeOrchestratorItem(message.workItem), order_at: orderAtMs, id });
  }
  if (places.length > 1) places.sort(inOrder);
  const messages = places.map(({ message }) => message);
  const cameJustNow = rows.length === 0 && arrivals.every(({ fromClient }) => fromClient);
  const loneRuns = Math.max(0, ...rows.map((row) => row.ran_alone));
  return {
    cameJustNow,
    loneRuns,
    token: { key: owner.instance_key, visibleUntilMs, secret },
    messages,
    attemptCount,
    lastRow,
    tagged,
    arrivals,
  };
}

function takeRows(
  tx: Transaction,
  { instance_key: instanceKey, blocked }: BatchOwner,
  secret: string,
): TakenRows {
  const { queue } = tx.effects;
  if (blocked !== null) {
    queue.write(tx.db, instanceKey);
    const { batch = null } = parseBlock(blocked);
    return { rows: tx.db.all(TAG_BLOCKED, instanceKey, tx.nowMs, secret, batch), tagged: true, arrivals: [] };
  }
  const rows = tx.db.all<TaggedRow>(VISIBLE, instanceKey, tx.nowMs);
  const arrivals = queue.arrivalsOf(instanceKey);
  if (rows.length + arrivals.length <= MAX_BATCH) return { rows, tagged: false, arrivals };
  queue.write(tx.db, instanceKey);
  const chosen = JSON.stringify(firstRows(tx, instanceKey));
  return { rows: tx.db.all(TAG_CHOSEN, secret, chosen), tagged: true, arrivals: [] };
}

/** Tags untagged rows. No other row has become visible since, because no other operation has run in the transaction. */
export function tagRows(tx: Transaction, { token, tagged }: Batch): void {
  tx.effects.queue.write(tx.db, token.key);
  if (!tagged) tx.db.run(TAG_VISIBLE, token.secret, token.key, tx.nowMs);
}

/** Ids of the rows of a batch above the limit. */
function firstRows(tx: Transaction, instanceKey: number): readonly number[] {
  const of = (sql: string) => tx.db.all<Pick<TaggedRow, "id" | "order_at">>(sql, instanceKey, tx.nowMs);
  const first = [...of(FIRST_IN_PLACE), ...of(FIRST_MOVED)].sort(inOrder).slice(0, MAX_BATCH);
  const starts = tx.db.all<{ id: number }>(STARTS, instanceKey, tx.nowMs);
  return [...new Set([...first, ...starts].map(({ id }) => id))];
}

interface Placed extends Pick<TaggedRow, "id" | "order_at"> {
  readonly message: OrchestratorItem;
}

function inOrder(a: Pick<TaggedRow, "id" | "order_at">, b: Pick<TaggedRow, "id" | "order_at">): number {
  return a.order_at - b.order_at || a.id - b.id;
}

function decode(tx: Transaction, row: TaggedRow): OrchestratorItem | undefined {
  try {
    return decodeOrchestratorItem(row.work_item);
  } catch (error) {
    setAside(tx, "orchestrator_queue", row.id, error);
    return undefined;
  }
}

/**
 * Releases a batch whose orchestration is unknown. Queue messages were sent before the start, which is not supported,
 * and are discarded, unless the start is queued and not visible yet. Other messages arrived before their start: they
 * are kept, and the instance becomes due again after growing delays, or when its start is queued.
 */
export function releaseStrayBatch(tx: Transaction, owner: BatchOwner, batch: Batch): void {
  const { messages, token } = batch;
  tagRows(tx, batch);
  const tagged = [token.key, token.visibleUntilMs, token.secret] as const;
  const isEarly = messages.every(({ kind }) => kind === "QueueMessage");
  if (isEarly && tx.db.get(QUEUED_START, owner.instance_key) === undefined) {
    tx.db.run(DELETE, ...tagged);
    unlockInstance(tx, owner.instance_key);
    tx.db.run(FORGET, owner.instance_key);
    forgetMessages(tx, owner.instance_key);
    warnOfDropped(tx, owner, messages);
    return;
  }
  tx.db.run(UNTAG, ...tagged);
  const delayMs = doubledMs(FIRST_POSTPONEMENT_MS, LONGEST_POSTPONEMENT_MS, owner.context_misses);
  const postponed = tx.db.get<{ due_at: number }>(
    POSTPONE,
    owner.instance_key,
    tx.nowMs,
    later(tx.nowMs, delayMs),
  );
  if (postponed !== undefined) tx.effects.orchestrations.add(postponed.due_at);
}

function warnOfDropped(tx: Transaction, owner: BatchOwner, messages: Batch["messages"]): void {
  tx.effects.warnings.push({
    message: droppedBeforeStart(messages),
    instanceId: fromText(owner.instance_id),
  });
}
