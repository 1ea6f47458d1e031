/**
 * Rows of instances as commits of this process have left them, so that the next fused turn need not read its own.
 *
 * - known-instances.KI1: Each commit of a turn, and whatever else changes one of these columns, draws a new tag for the
 *   history. A stored row with the tag of a known one is therefore equal to it, whichever process has committed since.
 * - known-instances.KI2: A transaction that is rolled back leaves rows whose tag no store has; nobody asks for them.
 */
import { ChurningMap } from "@duroxide-ts/core/stores";
import type { LockedInstance } from "../rows/instance-row.ts";

/** Instances between two turns. One that is pushed out is read again. */
const MOST = 5_000;

interface Known {
  readonly historyTag: string;
  readonly row: LockedInstance;
}

export class KnownInstances {
  /** Rows by id. One entry for each instance changes its table less often than one for each tag. */
  readonly #byId = new ChurningMap<string, Known>();

  /** Replaces what was known of the instance. */
  keep(row: LockedInstance, historyTag: string): void {
    this.#byId.set(row.instance_id, { historyTag, row });
    const oldest = this.#byId.size > MOST ? this.#byId.oldestKey : undefined;
    if (oldest !== undefined) this.#byId.delete(oldest);
  }

  forget(row: LockedInstance): void {
    this.#byId.delete(row.instance_id);
  }

  /** The row of an instance whose history has the tag. */
  find(instanceId: string, historyTag: string): LockedInstance | undefined {
    const known = this.#byId.get(instanceId);
    return known?.historyTag === historyTag ? known.row : undefined;
  }
}
