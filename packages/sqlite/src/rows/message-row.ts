/** A message as a row of the orchestrator queue. */
import {
  dueMsOf,
  type OrchestratorItem,
  ProviderError,
  saturatedNumber,
  targetInstance,
  type WorkItem,
} from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { encodeWorkItem, toOptionalText, toText } from "./codec.ts";

/** A message ready to be inserted. */
export interface Message {
  readonly instanceId: string;
  readonly workItem: string;
  /** Set for a timer. */
  readonly fireAtMs: number | undefined;
  /** Time at which it becomes visible as a message of a turn; undefined: at once. */
  readonly dueAtMs: number | undefined;
  /** Whether an execution begins with it. */
  readonly begins: boolean;
  /** Set for the start of a child. */
  readonly parentId: string | null;
}

/** The position of a message in the queue of its instance. */
export interface Place {
  readonly instanceKey: number;
  readonly visibleAtMs: number;
  readonly orderAtMs: number;
  /** The secret of the lock of an earlier fetch. */
  readonly tag: string | null;
}

export function toMessage(operation: string, item: OrchestratorItem): Message {
  return {
    instanceId: messageTarget(operation, item),
    workItem: encodeWorkItem(operation, item),
    fireAtMs: item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : undefined,
    dueAtMs: dueMsOf(item),
    parentId: item.kind === "StartOrchestration" ? toOptionalText(item.parent_instance) : null,
    begins: item.kind === "StartOrchestration" || item.kind === "ContinueAsNew",
  };
}

/** The instance in whose queue the item belongs, as a column value. */
function messageTarget(operation: string, item: WorkItem): string {
  if (item.kind !== "ActivityExecute") return toText(targetInstance(item));
  throw new ProviderError({
    code: "invalid-input",
    operation,
    message: "an ActivityExecute belongs in the worker queue; use enqueueForWorker",
  });
}

const INSERT = `INSERT INTO orchestrator_queue (instance_key, visible_at, order_at, begins, work_item,
  parent_instance_id, lock_token, attempt_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export function insertMessage(db: Database, { workItem, begins, parentId }: Message, place: Place): void {
  const { instanceKey, visibleAtMs, orderAtMs, tag } = place;
  const attempts = tag === null ? 0 : 1;
  db.run(INSERT, instanceKey, visibleAtMs, orderAtMs, begins ? 1 : 0, workItem, parentId, tag, attempts);
}
