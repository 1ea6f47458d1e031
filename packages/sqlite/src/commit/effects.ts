/**
 * The steps of a transaction at and after its commit.
 *
 * - effects.F1: Each transaction has its own effects, which end with it. The operations of one that was rolled back run
 *   again in another one, and would otherwise be counted twice.
 * - effects.F2: `dueInstances` has an instance only while its row is due and not locked, so that a further message need
 *   not write the row. It is cleared before each operation that may change other rows than those that it locks.
 * - effects.F3: `statuses` has an instance only while nothing that the transaction has done since can have changed its
 *   status (last-statuses.LT2). It is cleared before each operation that is not one of LEAVING.
 */
import { streamKey } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText } from "../rows/codec.ts";
import type { LastStatus } from "./last-statuses.ts";
import { OpenActivities } from "./open-activities.ts";
import { OpenQueue } from "./open-queue.ts";

/** Updated at each change, so that metrics never count rows (docs/reference/provider-contract.md §15). */
export interface Totals {
  readonly instances: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  readonly executions: number;
  readonly events: number;
}

export type Total = keyof Totals;

const OF_STATUS: ReadonlyMap<string, Total> = new Map<string, Total>([
  ["Running", "running"],
  ["Completed", "completed"],
  ["Failed", "failed"],
]);

/** The counter for instances of a status, in addition to the total. */
export function totalOf(status: string): Total | undefined {
  return OF_STATUS.get(status);
}

const ADD_TOTALS = `UPDATE totals SET instances = instances + ?, running = running + ?,
  completed = completed + ?, failed = failed + ?, executions = executions + ?, events = events + ?`;

/**
 * Operations that neither read rows of a locked instance nor change an instance that they do not lock. A fused turn
 * changes one without a visible message, of which the transaction holds nothing.
 */
const LEAVING: ReadonlySet<string> = new Set([
  "ackFusedTurn",
  "ackOrchestrationItem",
  "ackWorkItem",
  "enqueueForOrchestrator",
  "enqueueForWorker",
]);

export interface Warning {
  readonly message: string;
  readonly instanceId: string;
}

/**
 * Times at which rows of one queue that the transaction wrote become eligible. Only the fetches of the queue read it.
 */
export class DueTimes {
  readonly #nowMs: number;
  #dueNow = false;
  /** The earliest later time. */
  nextMs: number = Number.POSITIVE_INFINITY;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  add(dueAtMs: number): void {
    if (dueAtMs <= this.#nowMs) this.#dueNow = true;
    else if (dueAtMs < this.nextMs) this.nextMs = dueAtMs;
  }

  /** Whether rows that are eligible at once were written since the last call (parked-fetches.P6). */
  takeDueNow(): boolean {
    const dueNow = this.#dueNow;
    this.#dueNow = false;
    return dueNow;
  }
}

export class Effects {
  readonly orchestrations: DueTimes;
  readonly activities: DueTimes;
  /** Instances whose end, custom status or KV clients may wait for. */
  readonly touchedInstances: Set<string> = new Set();
  /** Streams with new values, or closed; absent while there are none. */
  touchedStreams: Set<string> | undefined;
  /** Statuses that the transaction leaves, by the stored text of the id (effects.F3). */
  readonly statuses: Map<string, LastStatus> = new Map();
  readonly warnings: Warning[] = [];
  /** Keys, by id, of instances that a message of this transaction has made due (effects.F2). */
  readonly dueInstances: Map<string, number> = new Map();
  /** Whether queues of limits have opened, so that instances may begin (limits/admit.ts). */
  queuesOpened = false;
  /** Whether the row of this process was written (lock-holder.ts). */
  holderAdded = false;
  readonly queue: OpenQueue;
  readonly newActivities: OpenActivities;
  readonly #totals = { instances: 0, running: 0, completed: 0, failed: 0, executions: 0, events: 0 };
  #countedSomething = false;

  constructor(nowMs: number) {
    this.queue = new OpenQueue(nowMs);
    this.newActivities = new OpenActivities(nowMs);
    this.orchestrations = new DueTimes(nowMs);
    this.activities = new DueTimes(nowMs);
  }

  /** Called when what clients can read of the instance with this stored id may have changed. */
  touch(id: string): void {
    this.touchedInstances.add(fromText(id));
    this.statuses.delete(id);
  }

  touchStream(instanceId: string, stream: string): void {
    this.touchedStreams ??= new Set();
    this.touchedStreams.add(streamKey(instanceId, stream));
  }

  count(total: Total, change: number): void {
    this.#totals[total] += change;
    this.#countedSomething = true;
  }

  /**
   * Called before an operation. Unwritten rows of the transaction may stay unwritten only before LEAVING operations.
   */
  before(operation: string, db: Database): void {
    if (LEAVING.has(operation)) return;
    this.queue.writeAll(db);
    this.newActivities.writeAll(db);
    this.dueInstances.clear();
    this.statuses.clear();
  }

  /** The last statements before the commit, once for all operations of a transaction. */
  store(db: Database): void {
    this.queue.writeAll(db);
    this.newActivities.writeAll(db);
    if (!this.#countedSomething) return;
    const { instances, running, completed, failed, executions, events } = this.#totals;
    db.run(ADD_TOTALS, instances, running, completed, failed, executions, events);
  }
}
