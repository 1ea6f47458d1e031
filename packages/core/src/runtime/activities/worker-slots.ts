/** The names of the slots of a runtime that run activities. */
import type { SessionClaim } from "../../contract/provider.ts";
import type { RuntimeSettings } from "../options/options.ts";

interface Slot {
  readonly workerId: string;
  readonly session: SessionClaim;
}

interface Parts {
  readonly runtimeId: string;
  readonly settings: Pick<RuntimeSettings, "workerNodeId" | "sessionLockTimeoutMs" | "workerConcurrency">;
}

export class WorkerSlots {
  readonly #parts: Parts;
  readonly #slots: Slot[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  at(index: number): Slot {
    const known = this.#slots[index];
    if (known !== undefined) return known;
    const { runtimeId, settings } = this.#parts;
    const { workerNodeId, sessionLockTimeoutMs, workerConcurrency } = settings;
    const workerId = workerIdOf(index, runtimeId);
    // Beyond the slots there is that of looks (idle-watch.ts), whose sessions belong to an owner that is renewed.
    const ownerId = workerNodeId ?? workerIdOf(index % workerConcurrency, runtimeId);
    const session = { ownerId, lockTimeoutMs: sessionLockTimeoutMs };
    const slot = { workerId, session };
    this.#slots[index] = slot;
    return slot;
  }
}

/** Names a slot in logs and, without a `workerNodeId`, as the owner of sessions. */
export function workerIdOf(slot: number, runtimeId: string): string {
  return `work-${slot}-${runtimeId}`;
}
