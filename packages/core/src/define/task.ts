/** A durable call in progress. */

export interface Task<T> extends Promise<T> {
  /**
   * The orchestration no longer wants the result: the task rejects with CancelledError, and what it started is
   * told to stop. Does nothing once the task has settled.
   */
  cancel(reason?: unknown): void;
}
