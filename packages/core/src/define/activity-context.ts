/** What an activity handler gets beside its input. */
import type { Logger } from "./logger.ts";

/** What an activity handler gets beside its input: who asked, a key for idempotent calls, and when to stop. */
export interface ActivityContext {
  readonly instanceId: string;
  readonly executionId: number;
  /**
   * The name of the orchestration that asked, where the store hands it out with the activity (SQLite and memory do).
   * `orchestration()` knows it always.
   */
  readonly orchestrationName: string | undefined;
  /** As `orchestrationName`, its version. */
  readonly orchestrationVersion: string | undefined;
  /** The orchestration that asked for this activity; may read its history. */
  orchestration(): Promise<{ readonly name: string; readonly version: string }>;
  readonly activityName: string;
  /** Which worker slot runs it, for logs. */
  readonly workerId: string;
  readonly sessionId: string | undefined;
  readonly tag: string | undefined;
  /** How often this activity was handed out, this time included. */
  readonly attempt: number;
  /** A key that is the same for every delivery of this attempt, and differs from attempt to attempt of a retry. */
  readonly idempotencyKey: string;
  /** A key that is the same for all attempts of one call: for idempotent calls to other systems. */
  readonly callKey: string;
  /** Aborts when the orchestration no longer wants the result. A shutdown of the runtime does not abort it. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}
