/** A start with its messages, and what may have its id (docs/reference/provider-contract.md §10.1). */
import type { WorkItemOf } from "../wire/work-item.ts";

/** The instance that has an id; its status is `Queued` before its first turn. */
export interface TakenId {
  readonly orchestration: string;
  readonly status: "Queued" | "Running" | "Completed" | "Failed";
}

/** The messages and the deadline of a start, and the rule for an existing instance (§10.1). */
export interface StartInstanceOptions {
  /**
   * The rule if the instance exists or a start of it is queued. `reuse`: the start is stored and has no effect; the
   * existing instance gets its messages; if it is one of another orchestration, nothing is stored. `fail`: nothing is
   * stored. `restart`: a completed or failed instance is deleted with its tree, and the start is stored; for any other
   * instance nothing is stored.
   */
  readonly ifExists: "reuse" | "fail" | "restart";
  /** Messages for the same instance, in this order, after the start. */
  readonly messages: readonly StartMessage[];
  /** Stored only if there is no instance and no other start: ends the instance after `delayMs`. */
  readonly deadline?: { readonly item: WorkItemOf<"CancelInstance">; readonly delayMs: number };
  /** 1 to 200 characters, with the meaning of a message's id. */
  readonly messageId?: string;
  /** Hint that the id has just been drawn at random, so that nothing has it (§10.1). */
  readonly isNewId?: boolean;
  /**
   * Holds the start back until no further start of the id has come for `waitMs`, but at most until `maxMs` after the first
   * of them; the last one is stored, and `ifExists` decides then.
   */
  readonly debounce?: { readonly waitMs: number; readonly maxMs?: number };
}

/** A message that may be stored with a start. */
export type StartMessage = WorkItemOf<"ExternalRaised"> | WorkItemOf<"QueueMessage">;

/** Whether a start was stored, and its id was free (`created`); if not, what has the id. */
export type StartOutcome =
  | { readonly kind: "stored"; readonly created: boolean }
  | ({ readonly kind: "exists" } & TakenId);
