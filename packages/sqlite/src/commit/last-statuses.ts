/**
 * Statuses of instances as the last transaction of this process has left them. A client that has started an instance, or
 * is told that it has ended, looks at once, and finds here what it would read.
 *
 * - last-statuses.LT1: They are kept from a commit to the beginning of the next transaction of this process, so only
 *   another connection can change them meanwhile. `PRAGMA data_version` tells whether one has committed.
 * - last-statuses.LT2: A status is kept only where the transaction knows all of it. Whatever else may change one within
 *   the transaction drops it (effects.ts).
 * - last-statuses.LT3: A look soon after the commit, or after an earlier look, does not ask whether another connection
 *   has committed: this process has heard of nothing since. It could hear by I/O, which comes after the jobs of this
 *   round of the event loop, or by a call that blocks the thread, which takes more than a millisecond.
 */
import { afterJobs, type InstanceStatus, monotonicMs } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";

/** `null`: the instance does not exist yet, because no turn has named it. */
export type LastStatus = InstanceStatus | null;

/** last-statuses.LT3, ms. */
const SOON_MS = 1;

const NONE: ReadonlyMap<string, LastStatus> = new Map();

export class LastStatuses {
  #statuses: ReadonlyMap<string, LastStatus> = NONE;
  #dataVersion: number | undefined;
  /** End of the time in which they need no check (last-statuses.LT3), ms of the monotonic clock. */
  #currentUntilMs = 0;

  /** Called when a transaction begins. */
  forget(): void {
    this.#statuses = NONE;
  }

  /**
   * Called when the transaction that leaves them is stored; `dataVersion` is that of the transaction. `isJustNow`: no
   * time has passed since its commit.
   */
  committed(
    statuses: ReadonlyMap<string, LastStatus>,
    dataVersion: number | undefined,
    isJustNow: boolean,
  ): void {
    this.#statuses = statuses;
    this.#dataVersion = dataVersion;
    this.#currentUntilMs = 0;
    if (isJustNow && statuses.size > 0) this.#areCurrent();
  }

  /** The status of the instance whose id has this stored text; `undefined` if it is to be read. */
  find(db: Database, id: string): LastStatus | undefined {
    const status = this.#statuses.get(id);
    if (status === undefined || monotonicMs() < this.#currentUntilMs) return status;
    if (db.dataVersion !== this.#dataVersion) return undefined;
    this.#areCurrent();
    return status;
  }

  #areCurrent(): void {
    this.#currentUntilMs = monotonicMs() + SOON_MS;
    afterJobs(this.#endOfRound);
  }

  readonly #endOfRound = (): void => {
    this.#currentUntilMs = 0;
  };
}
