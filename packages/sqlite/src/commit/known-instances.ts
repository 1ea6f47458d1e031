/**
 * Rows of instances as commits of this process have left them, so that the next fused turn need not read its own.
 *
 * - known-instances.KI1: Each commit of a turn, and whatever else changes one of these columns, draws a new tag for the
 *   history. A stored row with the tag of a known one is therefore equal to it, whichever process has committed since.
 * - known-instances.KI2: A transaction that is rolled back leaves rows whose tag no store has; nobody asks for them.
 */
import { BoundedMap } from "@duroxide-ts/core/stores";
import type { LockedInstance } from "../rows/instance-row.ts";

/** Instances between two turns. One that is pushed out is read again. */
const MOST = 5_000;

export class KnownInstances {
  readonly #byTag = new BoundedMap<string, LockedInstance>(MOST);

  /** Replaces one of the same tag. */
  add(historyTag: string, instance: LockedInstance): void {
    this.#byTag.set(historyTag, instance);
  }

  /** A tag is used up by the turn that begins with it. */
  take(historyTag: string): LockedInstance | undefined {
    const known = this.#byTag.get(historyTag);
    if (known !== undefined) this.#byTag.delete(historyTag);
    return known;
  }
}
