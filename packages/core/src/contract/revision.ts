/**
 * Changes of an instance by hand, as one conditional commit (docs/decisions/verbs.md,
 * docs/reference/provider-contract.md §15.2). The caller plans the change from the history that it has read; a store
 * only compares and stores.
 */
import type { Suspended } from "./instance-info.ts";
import type { ExecutionStatus } from "./status.ts";
import type { KvEntry, TurnContent } from "./turn-content.ts";

/** The changes to store if the instance is still in the state that the caller has read. */
export interface InstanceRevision {
  readonly instanceId: string;
  /** `absent`: there is no instance of the id, and `turn` begins it. */
  readonly expected: ExpectedState | "absent";
  /**
   * Stored like the commit of a turn: the end of the current execution, or the next execution with its first events.
   * An instance that is locked for a turn is unlocked, so that the commit of that turn is `lock-lost`; and the history
   * gets another tag. Returned messages are allowed with every turn.
   */
  readonly turn?: TurnContent;
  /**
   * Key-values that replace all stored ones, as of the end of the previous execution, when the first events of an
   * execution are stored. The events of `turn` are applied on top.
   */
  readonly keyValues?: ReadonlyMap<string, KvEntry>;
  /** Suspends the instance; `null` ends a suspension; absent: no change. A turn that runs continues. */
  readonly suspended?: Suspended | null;
}

/** The state that the caller has read. */
export interface ExpectedState {
  /** The id of the current execution. */
  readonly executionId: number;
  readonly status: ExecutionStatus;
  /** The highest event id of the current execution. Without it, more events do not matter. */
  readonly lastEventId?: number;
}

/** `overtaken`: the instance is not in the expected state, and nothing has changed. */
export type RevisionOutcome = { readonly kind: "revised" } | { readonly kind: "overtaken" };
