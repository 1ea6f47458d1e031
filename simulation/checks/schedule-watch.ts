/** Notes what the histories of schedules have, which are deleted while the schedules go on. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { isTerminal } from "@duroxide-ts/core/stores";
import { instanceOfSchedule, isOfSchedule } from "../programs/schedules.ts";
import type { Stored } from "../store/simulated-store.ts";
import {
  type Backfilled,
  type ScheduledInstance,
  type ScheduleState,
  type Stage,
  wrongRuns,
} from "./schedule-rules.ts";

/** A schedule, and what its operator has done. */
export interface DrivenSchedule {
  readonly plan: { readonly name: string };
  /** Whether it is paused for good. */
  readonly isOver: boolean;
  readonly backfilled: readonly Backfilled[];
  /** Least number of runs by hand. */
  readonly triggers: number;
}

export class ScheduleWatch {
  /** Events of each execution, by `<instance>#<execution>`. */
  readonly #events = new Map<string, readonly HistoryEvent[]>();

  /** The store is another one from now on. */
  forget(): void {
    this.#events.clear();
  }

  look(stored: Stored): void {
    for (const [key, events] of stored.histories) {
      if (!isOfSchedule(key) || this.#events.get(key)?.length === events.length) continue;
      this.#events.set(
        key,
        events.map((event) => stored.decode(event)),
      );
    }
  }

  violations(
    drivers: readonly DrivenSchedule[],
    histories: ReadonlyMap<string, readonly HistoryEvent[]>,
    { clocksAgree, slackMs }: { readonly clocksAgree: boolean; readonly slackMs: number },
  ): readonly string[] {
    return drivers.flatMap(({ plan: { name }, isOver, backfilled, triggers }) => {
      if (!isOver) return [`schedule ${name}: was not paused in time`];
      const stages = this.#stagesOf(instanceOfSchedule(name));
      const runs = runsOf(name, histories);
      return wrongRuns({ name, stages, runs, backfilled, triggers, clocksAgree, slackMs });
    });
  }

  #stagesOf(instanceId: string): readonly Stage[] {
    return [...this.#events]
      .filter(([key]) => key.startsWith(`${instanceId}#`))
      .toSorted(([a], [b]) => executionOf(a) - executionOf(b))
      .flatMap(([, events]) => events)
      .flatMap((event) =>
        event.type === "CustomStatusUpdated" && event.status !== null
          ? [{ atMs: Number(event.timestamp_ms), state: JSON.parse(event.status) as ScheduleState }]
          : [],
      );
  }
}

function executionOf(key: string): number {
  return Number(key.slice(key.lastIndexOf("#") + 1));
}

function runsOf(
  name: string,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly ScheduledInstance[] {
  return [...histories].flatMap(([key, events]) => {
    const [first] = events;
    if (first?.type !== "OrchestrationStarted" || first.scheduled?.name !== name) return [];
    const end = events.find(isTerminal);
    return [
      {
        id: key.slice(0, key.lastIndexOf("#")),
        dueMs: Number(first.scheduled.due_ms),
        beganMs: Number(first.timestamp_ms),
        endedMs: end === undefined ? undefined : Number(end.timestamp_ms),
      },
    ];
  });
}
