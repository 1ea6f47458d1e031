/**
 * Asks for what may begin, one request for each group at a time, and returns what is not used
 * (docs/decisions/limits.md).
 */
import type { CancelTimer } from "@duroxide-ts/core";
import { groupOfKey, levelsOf, messageOf } from "@duroxide-ts/core/stores";
import { type Parts, Work } from "../memory/parts.ts";
import { ASK_FOR_PERMITS_MS, BEST_EFFORT_MS, RETURN_SHARE_MS } from "../memory/waits.ts";
import { type Asking, ask } from "./ask.ts";

const OPERATION = "limits";

/** Keys of one group that are asked for in one request; a batch has room for more. */
const MOST_KEYS = 40;

const NOTHING: ReadonlyMap<string, number> = new Map();

export type Wanted = Omit<Asking, "group" | "levels">;

export class ShareKeeper {
  readonly #parts: Parts;
  readonly #asking = new Map<string, Promise<void>>();
  #cancel: CancelTimer | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asks for the keys; those that are left are asked for next time. Failures are warnings: it is tried again soon. */
  async askFor(keys: readonly string[], wanted: Wanted): Promise<void> {
    const groups = Map.groupBy(keys, groupOfKey);
    await Promise.all(
      [...groups].map(([group, ofGroup]) => this.#askOnce(group, ofGroup.slice(0, MOST_KEYS), wanted)),
    );
    this.#watch();
  }

  #askOnce(group: string, keys: readonly string[], wanted: Wanted): Promise<void> {
    const under = this.#asking.get(group);
    if (under !== undefined) return under;
    const levels = new Set(keys.flatMap((key) => [...levelsOf(key)]));
    const { permits, waitingForActivities } = this.#parts.memory;
    permits.pause(group, Number.POSITIVE_INFINITY);
    const asking = this.#ask({ ...wanted, group, levels }).finally(() => {
      this.#asking.delete(group);
      waitingForActivities.notify();
    });
    this.#asking.set(group, asking);
    return asking;
  }

  async #ask(asking: Asking): Promise<void> {
    try {
      await ask(new Work(this.#parts, OPERATION, BEST_EFFORT_MS), asking);
      this.#parts.memory.permits.pause(asking.group, 0);
    } catch (error) {
      const { memory, clock, service } = this.#parts;
      memory.permits.pause(asking.group, clock.now() + ASK_FOR_PERMITS_MS);
      service.warn(
        `the limits of "${asking.group}" cannot be read: ${messageOf(error)}; they are read again soon`,
        {},
      );
    }
  }

  /** Returns unused permits, as long as there are any. */
  #watch(): void {
    if (this.#isClosed || this.#cancel !== undefined) return;
    const { permits } = this.#parts.memory;
    if (!permits.levels().some((level) => (permits.get(level)?.share ?? 0) > 0)) return;
    this.#cancel = this.#parts.clock.schedule(RETURN_SHARE_MS, () => {
      this.#cancel = undefined;
      void this.#returnUnused(RETURN_SHARE_MS).then(() => this.#watch());
    });
  }

  async #returnUnused(forMs: number): Promise<void> {
    const { memory, clock } = this.#parts;
    const nowMs = clock.now();
    const unused = memory.permits.levels().filter((level) => {
      const state = memory.permits.get(level);
      if (state === undefined || state.share <= memory.permits.running(level, nowMs)) return false;
      return Math.max(state.beganAtMs, state.askedAtMs) + forMs <= nowMs;
    });
    const wanted = { waiting: NOTHING, fetches: 0, lockMs: 0 };
    await Promise.all(
      [...Map.groupBy(unused, groupOfKey)].map(([group, levels]) => this.#askOnce(group, levels, wanted)),
    );
  }

  /** Others need not wait for the end of what this process does not use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await Promise.all(this.#asking.values());
    await this.#returnUnused(0);
  }
}
