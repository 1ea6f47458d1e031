/** Keeps the events that the runtimes of an environment committed, in the order of their commits. */
import type { EventOf, EventType, HistoryEvent } from "../../wire/event.ts";

export class HistoryRecorder {
  readonly #events: HistoryEvent[] = [];
  readonly #starts = new Map<string, EventOf<"OrchestrationStarted">>();

  note(events: readonly HistoryEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      if (event.type === "OrchestrationStarted") this.#starts.set(event.instance_id, event);
    }
  }

  /** The start of the instance's latest execution; `undefined` for one that began before the environment. */
  startOf(instanceId: string): EventOf<"OrchestrationStarted"> | undefined {
    return this.#starts.get(instanceId);
  }

  /** Events of these types, of every instance or of one. */
  ofTypes<T extends EventType>(types: readonly T[], instanceId?: string): readonly OneOf<T>[] {
    const isWanted = (event: HistoryEvent): event is OneOf<T> =>
      (types as readonly string[]).includes(event.type) &&
      (instanceId === undefined || event.instance_id === instanceId);
    return this.#events.filter(isWanted);
  }
}

type OneOf<T extends EventType> = Extract<HistoryEvent, { readonly type: T }>;
