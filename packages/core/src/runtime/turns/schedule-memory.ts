/**
 * The knowledge of this process about schedules, so that a turn reads neither their history nor the outcome of their last run. The
 * store compares the tag of a history before it leaves it out.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import type { FetchedOrchestration } from "../../contract/provider.ts";
import type { HistoryEvent } from "../../wire/event.ts";

const MOST_SCHEDULES = 2_000;
const MOST_RUNS = 2_000;

interface Remembered {
  readonly tag: string;
  readonly history: readonly HistoryEvent[];
}

export class ScheduleMemory {
  readonly #histories = new BoundedMap<string, Remembered>(MOST_SCHEDULES);
  /** Ids of runs that have completed here. */
  readonly #completed = new BoundedMap<string, true>(MOST_RUNS);

  /** The tag of the remembered history. */
  tagOf(instanceId: string): string | undefined {
    return this.#histories.size === 0 ? undefined : this.#histories.get(instanceId)?.tag;
  }

  /** Puts a history that the store has left out, because this object has it, into the fetch. */
  recall(fetched: FetchedOrchestration | undefined): FetchedOrchestration | undefined {
    if (fetched === undefined || this.#histories.size === 0) return fetched;
    const { item } = fetched;
    const known = this.#histories.get(item.instanceId);
    if (known === undefined) return fetched;
    this.#histories.delete(item.instanceId);
    if (item.historyOmitted !== true) return fetched;
    return { ...fetched, item: { ...item, history: known.history, historyOmitted: false } };
  }

  /** Remembers the history after a commit. */
  keep(instanceId: string, tag: string, history: readonly HistoryEvent[]): void {
    this.#histories.set(instanceId, { tag, history });
  }

  /** Notes that a run has completed in this process. */
  completed(instanceId: string): void {
    this.#completed.set(instanceId, true);
  }

  hasCompleted(instanceId: string): boolean {
    return this.#completed.has(instanceId);
  }
}
