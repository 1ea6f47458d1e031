/**
 * What a provider keeps, as plain tables: one for each record of docs/reference/provider-contract.md §2. Events
 * and work items are kept as the JSON text that a database would hold, so nothing is shared with the caller.
 *
 * Every operation runs from its first line to its last without a pause, and looks before it writes. That is all
 * that makes it atomic here; a store on a disk or a network needs transactions for the same effect.
 */
import type { Clock, Random } from "../../contract/clock.ts";
import type { KvEntry } from "../../contract/provider.ts";
import type { BlockedReason, ExecutionStatus } from "../../contract/status.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { Semver } from "../../wire/version.ts";

/** An instance exists once an acknowledgement has named it. */
export interface Instance {
  name: string;
  version: string;
  readonly parentInstanceId: string | undefined;
  readonly createdAtMs: number;
  updatedAtMs: number;
  /** Grows with every instance: newer ones have higher numbers. */
  readonly number: number;
}

export interface Execution {
  status: ExecutionStatus;
  output: string | null;
  failure: ErrorDetails | undefined;
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
  /** Of the start of a child. */
  readonly parentInstanceId: string | undefined;
  /** By it the messages of an instance are ordered; a delay does not change it. */
  readonly orderAtMs: number;
  visibleAtMs: number;
  attemptCount: number;
  /** Of the fetch that took it last; means something only while that fetch's lock, or its block, exists. */
  lockToken: string | undefined;
  /** Was about to run alone in its process. */
  ranAlone: boolean;
}

export interface ActivityRow {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
  readonly sessionId: string | undefined;
  readonly tag: string | undefined;
  readonly workItem: string;
  visibleAtMs: number;
  attemptCount: number;
  lockToken: string | undefined;
  lockedUntilMs: number;
  ranAlone: boolean;
  block: Block | undefined;
}

/** Why work was given back as blocked, since when and how often. */
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

/** `null` is a tombstone: the key is gone, whatever the layer below says. */
export interface KvChange {
  readonly value: string | null;
  readonly lastUpdatedAtMs: number;
}

export interface KvLayers {
  /** As of the end of the last finished execution. */
  readonly finished: Map<string, KvEntry>;
  /** What the current execution has changed since. */
  readonly current: Map<string, KvChange>;
}

export type Warn = (message: string, fields: { readonly instanceId: string }) => void;

export class Store {
  readonly clock: Clock;
  readonly random: Random;
  readonly warn: Warn;
  readonly instances: Map<string, Instance> = new Map();
  /** By instance, then by execution id. May exist before the instance does. The highest id is the current one. */
  readonly executions: Map<string, Map<number, Execution>> = new Map();
  readonly kv: Map<string, KvLayers> = new Map();
  readonly customStatuses: Map<string, StoredStatus> = new Map();
  /** Names the history as the last commit left it. */
  readonly historyTags: Map<string, string> = new Map();
  readonly instanceLocks: Map<string, InstanceLock> = new Map();
  /** The instance need not exist: nobody may have been able to start it. */
  readonly blockedInstances: Map<string, InstanceBlock> = new Map();
  /** Both queues in the order in which rows were added; a row never changes its place. */
  messages: MessageRow[] = [];
  activities: ActivityRow[] = [];
  /** By session id, whatever the instance. */
  readonly sessions: Map<string, Session> = new Map();
  /** By instance and id, until when a repetition is recognised; oldest first. */
  readonly messageIds: Map<string, Map<string, number>> = new Map();
  instancesCreated = 0;

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

/** Added as `Running` where it is missing. */
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
    pinnedVersion: undefined,
    startedAtMs: nowMs,
    completedAtMs: undefined,
    events: new Map(),
  };
  executions.set(executionId, execution);
  return execution;
}
