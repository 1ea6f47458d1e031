/**
 * Statuses of instances as the last transaction of this process has left them. A client that has started an instance, or
 * is told that it has ended, looks at once, and finds here what it would read.
 *
 * - last-statuses.LT1: They are kept from a commit to the beginning of the next transaction of this process, so only
 *   another connection can change them meanwhile. `PRAGMA data_version` tells whether one has committed.
 * - last-statuses.LT2: A status is kept only where the transaction knows all of it. Whatever else may change one within
 *   the transaction drops it (effects.ts).
 */
import type { InstanceStatus } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";

/** `null`: the instance does not exist yet, because no turn has named it. */
export type LastStatus = InstanceStatus | null;

const NONE: ReadonlyMap<string, LastStatus> = new Map();

export class LastStatuses {
  #statuses: ReadonlyMap<string, LastStatus> = NONE;
  #dataVersion: number | undefined;

  /** Called when a transaction begins. */
  forget(): void {
    this.#statuses = NONE;
  }

  /** Called when the transaction that leaves them is stored; `dataVersion` is that of the transaction. */
  committed(statuses: ReadonlyMap<string, LastStatus>, dataVersion: number | undefined): void {
    this.#statuses = statuses;
    this.#dataVersion = dataVersion;
  }

  /** The status of the instance whose id has this stored text; `undefined` if it is to be read. */
  find(db: Database, id: string): LastStatus | undefined {
    const status = this.#statuses.get(id);
    return status === undefined || db.dataVersion !== this.#dataVersion ? undefined : status;
  }
}
