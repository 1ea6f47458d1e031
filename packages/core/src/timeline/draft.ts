/** Steps during their construction. */
import type { HistoryEvent } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import type { StepBase } from "./timeline.ts";

/** `T` with its fields writable, down to lists of attempts. */
export type Draft<T> = T extends unknown
  ? { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? Draft<U>[] : T[K] }
  : never;

/** The fields of every step, at the event of its call. */
export function begun(event: HistoryEvent): StepBase {
  return {
    id: Number(event.event_id),
    scheduledAtMs: saturatedNumber(event.timestamp_ms),
    outcome: "open",
    ...("label" in event && event.label !== undefined && { label: event.label }),
    ...("at" in event && event.at !== undefined && { source: event.at }),
  };
}
