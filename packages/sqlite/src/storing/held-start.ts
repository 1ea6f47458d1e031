/** Starts that are held back for further ones of their id: a row of the queue that is not visible yet. */
import {
  heldStart,
  type OrchestratorItem,
  restartIn,
  type StartInstanceOptions,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { toMessage } from "../rows/message-row.ts";
import { addMessage } from "./add-message.ts";
import { deleteTree } from "./delete-tree.ts";
import { heldSinceMs } from "./kept-start.ts";
import { moveMessageIds } from "./message-ids.ts";

const OPERATION = "startInstance";

const FIND = `SELECT q.id, q.instance_key, q.work_item FROM instances AS i
  CROSS JOIN orchestrator_queue AS q ON q.instance_key = i.instance_key
  WHERE i.instance_id = ? AND q.begins = 1 AND q.visible_at > ?`;

const REPLACE = "UPDATE orchestrator_queue SET work_item = ?2, visible_at = ?3, order_at = ?3 WHERE id = ?1";

const MAKE_DUE = `UPDATE instances SET due_at = (SELECT iif(min(visible_at) < 0, ?2, min(visible_at))
    FROM orchestrator_queue WHERE instance_key = ?1)
  WHERE instance_key = ?1 AND lock_token IS NULL RETURNING due_at`;

const IS_CHILD = "SELECT 1 FROM instances WHERE instance_id = ? AND parent_instance_id IS NOT NULL";

const KEY = "SELECT instance_key FROM instances WHERE instance_id = ?";

/** No instance has it. */
const NO_KEY = 0;

interface HeldRow {
  readonly id: number;
  readonly instance_key: number;
  readonly work_item: string;
}

interface Debounced extends NonNullable<StartInstanceOptions["debounce"]> {
  readonly ifExists: StartInstanceOptions["ifExists"];
}

/** Takes the place of the start of the id that waits. */
export function holdStart(
  tx: Transaction,
  start: WorkItemOf<"StartOrchestration">,
  { ifExists, ...debounce }: Debounced,
): void {
  const rows = tx.db.all<HeldRow>(FIND, toText(start.instance), tx.nowMs);
  const last = rows.find((row) => heldSinceMs(row.work_item) !== undefined);
  const held = heldStart(start, ifExists, debounce, last && heldSinceMs(last.work_item), tx.nowMs);
  const message = toMessage(OPERATION, held.item);
  if (last === undefined) {
    addMessage(tx, message, { visibleAtMs: held.dueAtMs });
    return;
  }
  tx.db.run(REPLACE, last.id, message.workItem, held.dueAtMs);
  const due = tx.db.get<{ due_at: number | null }>(MAKE_DUE, last.instance_key, tx.nowMs);
  if (typeof due?.due_at === "number") tx.effects.orchestrations.add(due.due_at);
}

/** Restarts an instance that has ended, if one of its due messages asks for it; false if none does. */
export function restartEnded(
  tx: Transaction,
  instance: { readonly instance_key: number; readonly instance_id: string },
  messages: readonly OrchestratorItem[],
): boolean {
  const again = restartIn(messages);
  if (again === undefined || tx.db.get(IS_CHILD, instance.instance_id) !== undefined) return false;
  tx.effects.queue.write(tx.db, instance.instance_key);
  // A repetition of the start must find its id after the restart too.
  moveMessageIds(tx, instance.instance_key, NO_KEY);
  deleteTree(tx, OPERATION, instance.instance_id);
  addMessage(tx, toMessage(OPERATION, again), { visibleAtMs: tx.nowMs });
  const key = tx.db.get<{ instance_key: number }>(KEY, instance.instance_id)?.instance_key;
  if (key !== undefined) moveMessageIds(tx, NO_KEY, key);
  return true;
}
