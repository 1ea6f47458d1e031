/**
 * All data of a store (docs/reference/provider-contract.md §2) as immutable values: a rule computes the next state from
 * the previous one. The model is written for clarity, not for speed.
 */
import type {
  ActivityExecute,
  BlockedReason,
  ErrorDetails,
  ExecutionStatus,
  HistoryEvent,
  KvEntry,
  OrchestratorItem,
  Semver,
} from "@duroxide-ts/core/stores";
import type { Capabilities } from "../factory.ts";

export interface State {
  /** The visible messages that a turn gets: see `Capabilities`. */
  readonly batches: "whole" | "completions-first";
  /** A store with several partitions orders activities of other instances by their arrival there. */
  readonly activityOrder: "as-added" | "by-millisecond";
  readonly nowMs: number;
  /** Instances by id; an entry may exist before a turn has named the instance. */
  readonly instances: ReadonlyMap<string, Instance>;
  /** Both queues in the order in which rows were added; a row never changes its place. */
  readonly messages: readonly Message[];
  readonly activities: readonly Activity[];
  /** Sessions by id, across instances. */
  readonly sessions: ReadonlyMap<string, Session>;
  /** Every lock token that a fetch returned. */
  readonly tokens: ReadonlySet<string>;
}

export interface Instance {
  /** Given by the first turn that has both name and version. */
  readonly identity: Identity | undefined;
  /** Executions by id; the highest is the current one. */
  readonly executions: ReadonlyMap<number, Execution>;
  readonly customStatus: { readonly status: string | null; readonly version: number };
  /** Entries as of the end of the last finished execution. */
  readonly kv: ReadonlyMap<string, KvEntry>;
  /** The changes since; `undefined` is a tombstone. */
  readonly kvChanges: ReadonlyMap<string, KvEntry | undefined>;
  readonly lock: { readonly token: string; readonly untilMs: number } | undefined;
  /** The tag of the last commit, if the store returns tags. */
  readonly historyTag: string | undefined;
  readonly block: Block | undefined;
}

/** Why work was released as blocked, and how often (§8.1). Other cases test the times. */
export interface Block extends BlockedReason {
  readonly attempts: number;
  /** Fetch whose rows stay together, for an instance. */
  readonly batch: string | undefined;
}

export interface Identity {
  readonly name: string;
  readonly version: string;
  readonly parentId: string | undefined;
}

export interface Execution {
  readonly status: ExecutionStatus;
  readonly output: string | null;
  readonly failure: ErrorDetails | undefined;
  readonly pinnedVersion: Semver | undefined;
  readonly completedAtMs: number | undefined;
  /** Ascending by id. */
  readonly events: readonly HistoryEvent[];
}

export interface Message {
  readonly instanceId: string;
  readonly item: OrchestratorItem;
  /** Set once: by it the messages of an instance are ordered (§4.1). */
  readonly orderAtMs: number;
  readonly visibleAtMs: number;
  readonly attempts: number;
  readonly loneRuns: number;
  /** Token of the fetch that took it last. */
  readonly tag: string | undefined;
  /**
   * Whether a fetch may have found it while its orchestration was unknown. The store may have dropped it (queue
   * messages) or keep it hidden for some time (other messages), so it may be missing from the next batch.
   */
  readonly passedOver: boolean;
}

export interface Activity {
  readonly item: ActivityExecute;
  readonly addedAtMs: number;
  readonly visibleAtMs: number;
  readonly attempts: number;
  readonly loneRuns: number;
  readonly lock: { readonly token: string; readonly untilMs: number } | undefined;
  readonly block: Block | undefined;
}

export interface Session {
  readonly ownerId: string;
  readonly lockedUntilMs: number;
  readonly lastActivityAtMs: number;
}

export function emptyState(nowMs: number, { batches = "whole", storageCalls }: Capabilities): State {
  return {
    batches,
    activityOrder: storageCalls === "one" ? "as-added" : "by-millisecond",
    nowMs,
    instances: new Map(),
    messages: [],
    activities: [],
    sessions: new Map(),
    tokens: new Set(),
  };
}

const UNKNOWN: Instance = {
  identity: undefined,
  executions: new Map(),
  customStatus: { status: null, version: 0 },
  kv: new Map(),
  kvChanges: new Map(),
  lock: undefined,
  historyTag: undefined,
  block: undefined,
};

export function instanceOf({ instances }: State, id: string): Instance {
  return instances.get(id) ?? UNKNOWN;
}

/** The id of the current execution; 0 where there is none. */
export function currentId({ executions }: Instance): number {
  return Math.max(0, ...executions.keys());
}

export function currentOf(instance: Instance): Execution | undefined {
  return instance.executions.get(currentId(instance));
}

export function withInstance(state: State, id: string, changes: Partial<Instance>): State {
  return { ...state, instances: withEntry(state.instances, id, { ...instanceOf(state, id), ...changes }) };
}

export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map([...map, [key, value]]);
}

/** A lock is invalid at its deadline, also if no other caller has taken it (§4). */
export function isHeld(lock: { readonly untilMs: number } | undefined, { nowMs }: State): boolean {
  return lock !== undefined && lock.untilMs > nowMs;
}
