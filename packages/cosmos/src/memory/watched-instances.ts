/**
 * Listeners of instances, and the status with which a watched instance has ended here. A client that waits for the result
 * looks at once after the commit, and needs no request for what this process has just written.
 *
 * - watched-instances.WI1: Only the status of an instance that has ended is kept: nothing but a verb or a deletion changes
 *   it. Those of this process drop it; those of others are seen after `KEPT_MS`.
 * - watched-instances.WI2: It is kept only while somebody watches, so it costs nothing where no client waits.
 */
import type { Clock } from "@duroxide-ts/core";
import { type InstanceStatus, Watchers } from "@duroxide-ts/core/stores";

/** Longer than the client takes to look after the commit, ms. */
const KEPT_MS = 1_000;

interface Ended {
  readonly status: InstanceStatus;
  readonly endedAtMs: number;
}

export class WatchedInstances extends Watchers {
  readonly #clock: Clock;
  /** Statuses by instance, the oldest first. */
  readonly #ended = new Map<string, Ended>();

  constructor(clock: Clock) {
    super(clock);
    this.#clock = clock;
  }

  override add(instanceId: string, listener: () => void): () => void {
    const remove = super.add(instanceId, listener);
    return () => {
      remove();
      if (!this.isWatched(instanceId)) this.#ended.delete(instanceId);
    };
  }

  override notify(instanceIds: Iterable<string>): void {
    const ids = [...instanceIds];
    for (const id of ids) this.#ended.delete(id);
    super.notify(ids);
  }

  /** Called after `notify` for the commit that has ended a watched instance. */
  ended(instanceId: string, status: InstanceStatus): void {
    this.#dropOld();
    this.#ended.set(instanceId, { status, endedAtMs: this.#clock.now() });
  }

  /** The status of an instance that has ended here a moment ago. */
  endedStatus(instanceId: string): InstanceStatus | undefined {
    this.#dropOld();
    return this.#ended.get(instanceId)?.status;
  }

  #dropOld(): void {
    const nowMs = this.#clock.now();
    for (const [id, { endedAtMs }] of this.#ended) {
      // A clock that was set back makes none of them older.
      if (endedAtMs <= nowMs && nowMs - endedAtMs < KEPT_MS) return;
      this.#ended.delete(id);
    }
  }
}
