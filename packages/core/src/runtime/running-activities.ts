/** The activities that run in this process, so that a cancellation reaches them at once. */
import type { ActivityId } from "../contract/provider.ts";
import type { ActivityExecute } from "../wire/work-item.ts";

export interface RunningActivity extends Disposable {
  /** Aborts when nobody wants the result any more. */
  readonly signal: AbortSignal;
  /** The runtime has stopped caring: whatever the handler returns is not stored. */
  readonly abandoned: boolean;
  cancel(reason: Error): void;
}

interface Entry {
  readonly controller: AbortController;
  abandoned: boolean;
}

export class RunningActivities {
  readonly #entries = new Map<string, Entry>();

  enter(item: ActivityExecute): RunningActivity {
    const key = keyOf(item.instance, item.execution_id, item.id);
    const entry: Entry = { controller: new AbortController(), abandoned: false };
    this.#entries.set(key, entry);
    return {
      signal: entry.controller.signal,
      get abandoned() {
        return entry.abandoned;
      },
      cancel: (reason) => entry.controller.abort(reason),
      [Symbol.dispose]: () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    };
  }

  cancel(ids: readonly ActivityId[]): void {
    for (const { instanceId, executionId, activityId } of ids) {
      const entry = this.#entries.get(keyOf(instanceId, executionId, activityId));
      entry?.controller.abort(new Error("the orchestration no longer wants the result of this activity"));
    }
  }

  /** At the end of a shutdown: outcomes that come now are for the next delivery to repeat. */
  abandonAll(): void {
    for (const entry of this.#entries.values()) entry.abandoned = true;
  }
}

function keyOf(instanceId: string, executionId: number | bigint, activityId: number | bigint): string {
  return `${executionId}/${activityId}/${instanceId}`;
}
