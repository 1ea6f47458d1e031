/**
 * The traces of the instances in work, for loggers that read the active span: an entry with an `instance_id` is written
 * with the trace of that instance active.
 */
import { BoundedMap } from "../collections/bounded-map.ts";
import { type Logger, loggerWithin } from "../define/logger.ts";
import type { Tracing } from "./tracing.ts";

/** Bounds the memory. Entries about other instances have no trace. */
const MOST_INSTANCES = 10_000;

export class InstanceTraces {
  readonly #tracing: Tracing;
  readonly #traceparents = new BoundedMap<string, string>(MOST_INSTANCES);

  constructor(tracing: Tracing) {
    this.#tracing = tracing;
  }

  /** Takes note of the trace to which the present work of an instance belongs. */
  note(instanceId: string, traceparent: string | undefined): void {
    if (traceparent === undefined) this.#traceparents.delete(instanceId);
    else this.#traceparents.set(instanceId, traceparent);
  }

  logger(given: Logger): Logger {
    return loggerWithin(given, ({ instance_id: instanceId }, write) => {
      const traceparent = typeof instanceId === "string" ? this.#traceparents.get(instanceId) : undefined;
      if (traceparent === undefined) write();
      else this.#tracing.within(traceparent, write);
    });
  }
}
