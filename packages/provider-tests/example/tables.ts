/**
 * What the example stores. A provider on a database has tables like these; here they are maps and lists. Events and
 * work items are kept as the texts that a database would hold, so that no caller can change what is stored.
 */
import type { CustomStatus, ExecutionStatus, KvEntry, Random, Semver } from "@duroxide-ts/core";

export interface Tables {
  /** By id, oldest first. Only a commit that has both a name and a version makes one. */
  readonly instances: Map<string, Instance>;
  /** By instance, each list ascending. Any commit makes one, even where there is no instance. */
  readonly executions: Map<string, Execution[]>;
  /** These and the key-values by instance; a commit may set them before there is one. */
  readonly customStatuses: Map<string, CustomStatus>;
  readonly keyValues: Map<string, KeyValues>;
  /** By instance. An expired lock stays until somebody takes the instance or gives it back. */
  readonly instanceLocks: Map<string, Lock>;
  /** By session id, whichever instances use the session. */
  readonly sessions: Map<string, Session>;
  /** Oldest first. */
  readonly orchestratorQueue: Set<OrchestratorRow>;
  readonly workerQueue: Set<WorkerRow>;
  /** By instance: the ids of messages, and when they were sent. */
  readonly messageIds: Map<string, Map<string, number>>;
  /** Rows that could not be decoded, for a human to look at. */
  readonly quarantine: Set<OrchestratorRow | WorkerRow>;
}

export interface Instance {
  readonly id: string;
  /** Grows from instance to instance; pages of a list go by it. */
  readonly number: number;
  name: string;
  version: string;
  readonly parentId: string | undefined;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

export interface Execution {
  readonly id: number;
  status: ExecutionStatus;
  output: string | null;
  pinnedVersion: Semver | undefined;
  readonly startedAtMs: number;
  completedAtMs: number | undefined;
  /** By event id. */
  readonly events: Map<number, string>;
}

/** Two layers (docs/reference/provider-contract.md §13). */
export interface KeyValues {
  /** What finished executions left. */
  readonly settled: Map<string, KvEntry>;
  /** What the current execution has changed; `undefined` hides a settled entry. */
  readonly changed: Map<string, KvEntry | undefined>;
}

export interface Lock {
  readonly token: string;
  untilMs: number;
}

export interface Session {
  readonly ownerId: string;
  untilMs: number;
  lastActivityMs: number;
}

export interface OrchestratorRow {
  readonly instanceId: string;
  readonly text: string;
  /** Of the start of a child. */
  readonly parentId: string | undefined;
  /** By it the rows of an instance are ordered (§4.1). */
  readonly orderAtMs: number;
  visibleAtMs: number;
  attempts: number;
  /** The token of the fetch that delivered the row. */
  deliveredTo: string | undefined;
}

export interface WorkerRow {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
  readonly sessionId: string | undefined;
  readonly tag: string | undefined;
  readonly text: string;
  visibleAtMs: number;
  attempts: number;
  lock: Lock | undefined;
}

/**
 * What an operation works on: the tables as they are, at one instant. Each operation is one synchronous function,
 * so nobody comes between its steps, and it refuses what it must refuse before its first change. A provider on a
 * database puts a transaction in this place.
 */
export interface Moment {
  readonly tables: Tables;
  readonly nowMs: number;
  readonly random: Random;
}

export function emptyTables(): Tables {
  return {
    instances: new Map(),
    executions: new Map(),
    customStatuses: new Map(),
    keyValues: new Map(),
    instanceLocks: new Map(),
    sessions: new Map(),
    orchestratorQueue: new Set(),
    workerQueue: new Set(),
    messageIds: new Map(),
    quarantine: new Set(),
  };
}

/** At its deadline a lock or session is invalid, even if nobody else has taken it. */
export function isValid<Held extends Lock | Session>(held: Held | undefined, nowMs: number): held is Held {
  return held !== undefined && held.untilMs > nowMs;
}
