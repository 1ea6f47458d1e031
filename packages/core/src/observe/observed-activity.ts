/** Metrics, span and log entries of one delivery of an activity. It counts as executed when its outcome is stored. */
import { deliveryOf } from "../contract/delivery.ts";
import type { FetchedWork } from "../contract/provider.ts";
import { type Logger, loggerWithin } from "../define/logger.ts";
import { failureStack } from "../errors/failure-details.ts";
import { outside } from "../host/outside.ts";
import { errorCategory } from "../wire/error-details.ts";
import type { ActivityExecute, ActivityOutcome } from "../wire/work-item.ts";
import { exceptionOf } from "./execution.ts";
import { logActivityEnd, logActivityStart } from "./lifecycle-log.ts";
import type { ObserverTools } from "./observer-tools.ts";
import { traceparentOf } from "./trace-context.ts";
import type { OpenSpan } from "./tracing.ts";

export class ObservedActivity {
  readonly #tools: ObserverTools;
  readonly #fetched: FetchedWork;
  readonly #workerId: string;
  readonly #span: OpenSpan | undefined;
  /** Writes inside the span. */
  readonly #logger: Logger;
  /** Time of the call, ms since the epoch: after the wait for a place, or for a slot of a rate. */
  #startedAtMs = 0;
  #endedAtMs = 0;
  #thrown: unknown;

  constructor(tools: ObserverTools, fetched: FetchedWork, workerId: string) {
    this.#tools = tools;
    this.#fetched = fetched;
    this.#workerId = workerId;
    this.#span = tools.tracing?.begin({
      name: `activity ${fetched.item.name}`,
      kind: "consumer",
      parent: traceparentOf(fetched.item),
      startedAtMs: tools.clock.now(),
      attributes: spanAttributes(fetched, workerId),
    });
    const span = this.#span;
    this.#logger =
      span === undefined ? tools.logger : loggerWithin(tools.logger, (_, write) => span.within(write));
    logActivityStart(this.#logger, fetched.item, workerId, deliveryOf(fetched));
  }

  /** Runs the activity, inside its span. */
  run<T>(call: () => Promise<T>): Promise<T> {
    this.#startedAtMs = this.#tools.clock.now();
    this.#countWait();
    return this.#span === undefined ? call() : this.#span.run(call);
  }

  /** Called when the run has ended. */
  ended(): void {
    this.#endedAtMs = this.#tools.clock.now();
  }

  /** Calls the handler: inside the span, and in a context of its own, so that what it enters ends with it. */
  handle(call: () => unknown): unknown {
    const span = this.#span;
    return outside(() => (span === undefined ? call() : span.run(async () => call())));
  }

  /** Notes the thrown error with its stack, which the stored outcome may not have. */
  threw(error: unknown): void {
    this.#thrown = error;
  }

  /** Called when the outcome is stored; without an outcome the activity was cancelled. */
  settled(outcome: ActivityOutcome | undefined): void {
    const durationMs = this.#endedAtMs - this.#startedAtMs;
    this.#count(outcome, durationMs);
    const failed = outcome?.kind === "ActivityFailed" ? outcome : undefined;
    const stack = failed && failureStack(failed.details, this.#thrown);
    logActivityEnd(this.#logger, this.#fetched.item, outcome, {
      workerId: this.#workerId,
      durationMs,
      stack,
    });
    if (failed !== undefined) this.#span?.fail(exceptionOf(failed.details, stack), this.#endedAtMs);
    this.#endSpan(outcomeLabel(outcome));
  }

  /** Called when the store did not store the outcome: the activity will be delivered again. */
  notStored(): void {
    const { instruments } = this.#tools;
    instruments?.activityInfrastructureErrors.add(1, { activity_name: this.#fetched.item.name });
    this.#endSpan("not_stored");
  }

  /** Called when the run ended without an outcome: the activity will be delivered again. */
  abandoned(): void {
    this.#endSpan("abandoned");
  }

  /** Once for each activity: later deliveries have waited for other things, too. Clocks of processes differ. */
  #countWait(): void {
    const { item, queuedAtMs } = this.#fetched;
    if (queuedAtMs === undefined || deliveryOf(this.#fetched) > 1) return;
    const waitedMs = Math.max(0, this.#startedAtMs - queuedAtMs);
    this.#tools.instruments?.activityQueueTimes.record(waitedMs / 1_000, { activity_name: item.name });
  }

  #count(outcome: ActivityOutcome | undefined, durationMs: number): void {
    const { instruments } = this.#tools;
    if (instruments === undefined) return;
    const { item } = this.#fetched;
    const labels = { activity_name: item.name, outcome: outcomeLabel(outcome), tag: item.tag ?? "default" };
    instruments.activityExecutions.add(1, {
      ...labels,
      retry_attempt: retryLabel(deliveryOf(this.#fetched)),
    });
    instruments.activityDurations.record(durationMs / 1_000, labels);
  }

  #endSpan(outcome: string): void {
    this.#span?.set("duroxide.outcome", outcome);
    this.#span?.end(this.#endedAtMs);
  }
}

function spanAttributes(fetched: FetchedWork, workerId: string): Record<string, string | number> {
  const { instance, execution_id, name, id, tag }: ActivityExecute = fetched.item;
  return {
    "duroxide.instance_id": instance,
    "duroxide.execution_id": Number(execution_id),
    "duroxide.activity_name": name,
    "duroxide.activity_id": Number(id),
    "duroxide.attempt": deliveryOf(fetched),
    "duroxide.worker_id": workerId,
    ...(tag !== undefined && { "duroxide.tag": tag }),
  };
}

const FAILURE_LABEL = {
  application: "app_error",
  infrastructure: "infra_error",
  configuration: "config_error",
  poison: "infra_error",
} as const;

function outcomeLabel(outcome: ActivityOutcome | undefined): string {
  if (outcome === undefined) return "cancelled";
  return outcome.kind === "ActivityCompleted" ? "success" : FAILURE_LABEL[errorCategory(outcome.details)];
}

/** The number of earlier deliveries. A retry by policy is another activity and begins at 0. */
function retryLabel(attemptCount: number): string {
  const earlier = Math.max(0, attemptCount - 1);
  return earlier < 3 ? String(earlier) : "3+";
}
