/** A durable call in progress. */

export interface Task<T> extends Promise<T> {
  /**
   * Rejects the task with CancelledError, and cancels the activity, child or wait that it started. Has no effect once
   * the task has settled.
   */
  cancel(reason?: unknown): void;
}
