/**
 * Looks at all histories again and again during a run.
 *
 * - history-watch.H1: An event that was seen is seen again, unchanged, until its instance is deleted or its execution
 *   pruned.
 * - history-watch.H2: Once the outcome of an activity is stored, the activity is not begun any more, except by a
 *   process that had taken it before: a lock and the longest way of an answer later, none can have.
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import type { Run } from "../programs/ledger.ts";
import type { Stored } from "../store/simulated-store.ts";

export type Fate = "stays" | "may go" | "may begin anew";

export interface HistoryWatchOptions {
  /** Time after the stored end of an activity during which it may still be begun, virtual ms. */
  readonly lateMs: number;
  /** Returns what operators may do to an execution: nothing, prune it, or delete its instance and start it anew. */
  readonly fateOf: (key: string) => Fate;
  readonly onViolation: (violation: string) => void;
}

export class HistoryWatch {
  readonly #options: HistoryWatchOptions;
  readonly #seen = new Map<string, readonly string[]>();
  /** Times at which the outcomes of attempts were first seen. */
  readonly #endedAtMs = new Map<string, number>();

  constructor(options: HistoryWatchOptions) {
    this.#options = options;
  }

  /** The store is another one from now on. */
  forget(): void {
    this.#seen.clear();
    this.#endedAtMs.clear();
  }

  look(stored: Stored, nowMs: number): void {
    for (const [key, events] of stored.histories) {
      if (this.#options.fateOf(key) === "may begin anew") continue;
      const before = this.#seen.get(key) ?? [];
      if (before.length === events.length && before.at(-1) === events.at(-1)) continue;
      this.#compare(key, before, events);
      for (const event of events.slice(before.length)) this.#note(key, stored.decode(event), nowMs);
      this.#seen.set(key, events);
    }
    for (const key of this.#seen.keys()) {
      if (stored.histories.has(key) || this.#options.fateOf(key) !== "stays") continue;
      this.#options.onViolation(`${key}: its history is gone`);
    }
  }

  /** history-watch.H2. */
  began({ key, atMs, machine }: Run): void {
    const endedAtMs = this.#endedAtMs.get(key);
    if (endedAtMs === undefined || atMs - endedAtMs <= this.#options.lateMs) return;
    this.#options.onViolation(
      `${key}: begun in ${machine.name} ${atMs - endedAtMs} ms after its outcome was stored`,
    );
  }

  #compare(key: string, before: readonly string[], events: readonly string[]): void {
    const changed = before.findIndex((event, at) => event !== events[at]);
    if (changed < 0) return;
    this.#options.onViolation(
      `${key}: event ${changed + 1} was ${before[changed]} and is ${events[changed] ?? "gone"}`,
    );
  }

  #note(key: string, event: HistoryEvent, nowMs: number): void {
    if (event.type !== "ActivityCompleted" && event.type !== "ActivityFailed") return;
    const [instanceId, executionId] = key.split("#");
    this.#endedAtMs.set(`${instanceId}:${executionId}:${event.source_event_id}`, nowMs);
  }
}
