/**
 * The data of a provider as plain tables: one for each record of docs/reference/provider-contract.md §2. Events and
 * work items are kept as JSON text, as in a database, so no object is shared with the caller.
 *
 * Every operation is synchronous and makes all its checks before its first write. Therefore it is atomic here; a store
 * on a disk or a network needs transactions for the same effect.
 */
import type { Clock, Random } from "../../contract/clock.ts";
import type { Suspended } from "../../contract/instance-info.ts";
import type { StoredLimit } from "../../contract/limits.ts";
import type { StoredProgress } from "../../contract/progress.ts";
import type { KvEntry } from "../../contract/provider.ts";
import type { DeadLetter, Worker } from "../../contract/queries.ts";
import type { BlockedReason, ExecutionStatus } from "../../contract/status.ts";
import type { StreamBatch } from "../../contract/streams.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { Tags } from "../../wire/tags.ts";
import type { Semver } from "../../wire/version.ts";

/** An instance exists once a commit has stored its name. */
export interface Instance {
  name: string;
  version: string;
  readonly parentInstanceId: string | undefined;
  readonly createdAtMs: number;
  updatedAtMs: number;
  tags: Tags;
  /** Newer instances have higher numbers. */
  readonly number: number;
}

export interface Execution {
  status: ExecutionStatus;
  output: string | null;
  failure: ErrorDetails | undefined;
  startsAtMs: number | undefined;
  pinnedVersion: Semver | undefined;
  readonly startedAtMs: number;
  completedAtMs: number | undefined;
  /** JSON text by event id. */
  readonly events: Map<number, string>;
}

/** A message in the queue of an instance, which need not exist. */
export interface MessageRow {
  readonly instanceId: string;
  readonly workItem: string;
  /** The key of the timer or deadline whose message it is. */
  readonly timer: string | undefined;
  /** Set for the start of a child. */
  readonly parentInstanceId: string | undefined;
  /** Orders the messages of an instance; a delay does not change it. */
  readonly orderAtMs: number;
  visibleAtMs: number;
  attemptCount: number;
  /** The token of the last fetch; valid only while that fetch's lock, or its block, exists. */
  lockToken: string | undefined;
  /** How many lone runs of it began. */
  loneRuns: number;
}

export interface ActivityRow {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
  readonly sessionId: string | undefined;
  readonly tag: string | undefined;
  /** The key of its limits. */
  readonly limit: string | undefined;
  readonly priority: number;
  readonly workItem: string;
  readonly queuedAtMs: number;
  visibleAtMs: number;
  attemptCount: number;
  lockToken: string | undefined;
  lockedUntilMs: number;
  loneRuns: number;
  block: Block | undefined;
}

/** The rule of a key, none where it was deleted, and the text of the rule that code has stored last. */
export interface LimitRow {
  readonly limit?: StoredLimit | undefined;
  readonly applied?: string | undefined;
}

/** Why work was released as blocked, since when and how often. */
export interface Block extends BlockedReason {
  readonly sinceMs: number;
  readonly attempts: number;
  readonly nextTryAtMs: number;
}

export interface InstanceBlock extends Block {
  /** The lock token of the batch, whose rows stay together. */
  readonly batch: string;
}

export interface InstanceLock {
  readonly token: string;
  lockedUntilMs: number;
}

export interface Session {
  readonly ownerId: string;
  lockedUntilMs: number;
  lastActivityAtMs: number;
}

export interface StoredStatus {
  readonly status: string | null;
  readonly version: number;
}

/** `null` is a tombstone: the key is deleted, whatever the lower layer has. */
export interface KvChange {
  readonly value: string | null;
  readonly lastUpdatedAtMs: number;
}

export interface KvLayers {
  /** Entries as of the end of the last finished execution. */
  readonly finished: Map<string, KvEntry>;
  /** The changes of the current execution. */
  readonly current: Map<string, KvChange>;
}

/** A batch of a stream, with what a later append needs. */
export interface StreamRow extends Omit<StreamBatch, "step"> {
  readonly step: string | undefined;
  /** Empty for what orchestration code has written, as `delivery` is. */
  readonly call: string;
  readonly delivery: string;
  /** The number of values that the delivery has written, with this batch. */
  readonly written: number;
  readonly bytes: number;
  /** Offset of the first value of the attempt before, in the first batch of one that replaces it. */
  readonly voids: number | undefined;
}

export interface StoredStream {
  first: number;
  next: number;
  /** Bytes of all its values. */
  bytes: number;
  closed: boolean;
  readonly batches: StreamRow[];
}

/** The last report of a call. */
export interface ProgressRow extends StoredProgress {
  readonly delivery: string;
  readonly executionId: number;
}

/** A row that was set aside, with what a requeue needs. */
export interface DeadRow {
  readonly letter: DeadLetter;
  readonly message: MessageRow | undefined;
  readonly activity: ActivityRow | undefined;
}

export type Warn = (message: string, fields: { readonly instanceId: string }) => void;

export class Store {
  readonly clock: Clock;
  readonly random: Random;
  readonly warn: Warn;
  /** Whether a fetch or a fused turn sees the row; the validation kit lets it see what another store has seen. */
  sees: (row: MessageRow | ActivityRow) => boolean = () => true;
  readonly instances: Map<string, Instance> = new Map();
  /**
   * Executions by instance, then by execution id. May exist before the instance does. The highest id is the current
   * one.
   */
  readonly executions: Map<string, Map<number, Execution>> = new Map();
  readonly kv: Map<string, KvLayers> = new Map();
  /** Reports by instance and call. */
  readonly progress: Map<string, Map<string, ProgressRow>> = new Map();
  /** Streams by instance and name. */
  readonly streams: Map<string, Map<string, StoredStream>> = new Map();
  readonly customStatuses: Map<string, StoredStatus> = new Map();
  /** The tag of the history after the last commit, by instance. */
  readonly historyTags: Map<string, string> = new Map();
  readonly instanceLocks: Map<string, InstanceLock> = new Map();
  /** The instance need not exist, because its start may be blocked. */
  readonly blockedInstances: Map<string, InstanceBlock> = new Map();
  /** Suspensions by instance. Fetches skip suspended instances. */
  readonly suspended: Map<string, Suspended> = new Map();
  /** Both queues in the order in which rows were added; a row never changes its position. */
  messages: MessageRow[] = [];
  activities: ActivityRow[] = [];
  /** Sessions by id, across instances. */
  readonly sessions: Map<string, Session> = new Map();
  /** The time until which a repetition is recognised, by instance and id; oldest first. */
  readonly messageIds: Map<string, Map<string, number>> = new Map();
  /** Dead rows by id, which is an increasing number. */
  readonly deadLetters: Map<string, DeadRow> = new Map();
  /** Times until which fetches have left work to others (left-work.ts). */
  readonly leftUntilMs: Set<number> = new Set();
  /** Workers by id. */
  readonly workers: Map<string, Worker> = new Map();
  readonly limits: Map<string, LimitRow> = new Map();
  /** The time until which the rate of a key is used up, by key. */
  readonly spentRates: Map<string, number> = new Map();
  /** The place of each key in the order in which keys were served last. */
  readonly turns: Map<string, number> = new Map();
  lastTurn = 0;
  instancesCreated = 0;
  rowsSetAside = 0;

  constructor(clock: Clock, random: Random, warn: Warn) {
    this.clock = clock;
    this.random = random;
    this.warn = warn;
  }
}

/** The highest execution id that is stored; 0 where there is none. */
export function currentExecutionId(store: Store, instanceId: string): number {
  return Math.max(0, ...(store.executions.get(instanceId)?.keys() ?? []));
}

export function currentExecution(store: Store, instanceId: string): Execution | undefined {
  return store.executions.get(instanceId)?.get(currentExecutionId(store, instanceId));
}

/** Returns the execution; adds it as `Running` if it is missing. */
export function ensureExecution(
  store: Store,
  instanceId: string,
  executionId: number,
  nowMs: number,
): Execution {
  const executions = store.executions.get(instanceId) ?? new Map<number, Execution>();
  store.executions.set(instanceId, executions);
  const execution: Execution = executions.get(executionId) ?? {
    status: "Running",
    output: null,
    failure: undefined,
    startsAtMs: undefined,
    pinnedVersion: undefined,
    startedAtMs: nowMs,
    completedAtMs: undefined,
    events: new Map(),
  };
  executions.set(executionId, execution);
  return execution;
}
