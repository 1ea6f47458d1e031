/** What one delivery of an activity tells those who watch. It counts as executed once its outcome is settled. */
import type { FetchedWork } from "../contract/provider.ts";
import { failureStack } from "../errors/failure-details.ts";
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
  readonly #startedAtMs: number;
  readonly #span: OpenSpan | undefined;
  #endedAtMs = 0;
  #thrown: unknown;

  constructor(tools: ObserverTools, fetched: FetchedWork, workerId: string) {
    this.#tools = tools;
    this.#fetched = fetched;
    this.#workerId = workerId;
    this.#startedAtMs = tools.clock.now();
    this.#span = tools.tracing?.begin({
      name: `activity ${fetched.item.name}`,
      kind: "consumer",
      parent: traceparentOf(fetched.item),
      startedAtMs: this.#startedAtMs,
      attributes: spanAttributes(fetched, workerId),
    });
    logActivityStart(tools.logger, fetched.item, workerId, fetched.attemptCount);
  }

  /** Calls the handler, inside the activity's span. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await (this.#span === undefined ? call() : this.#span.run(call));
    } finally {
      this.#endedAtMs = this.#tools.clock.now();
    }
  }

  /** What the handler threw, with its stack, which the stored outcome may not have. */
  threw(error: unknown): void {
    this.#thrown = error;
  }

  /** The outcome is stored; without one nobody wanted it any more. */
  settled(outcome: ActivityOutcome | undefined): void {
    const { logger } = this.#tools;
    const durationMs = this.#endedAtMs - this.#startedAtMs;
    this.#count(outcome, durationMs);
    const failed = outcome?.kind === "ActivityFailed" ? outcome : undefined;
    const stack = failed && failureStack(failed.details, this.#thrown);
    logActivityEnd(logger, this.#fetched.item, outcome, { workerId: this.#workerId, durationMs, stack });
    if (failed !== undefined) this.#span?.fail(exceptionOf(failed.details, stack), this.#endedAtMs);
    this.#endSpan(outcomeLabel(outcome));
  }

  /** The store did not take the outcome: the activity will be delivered again. */
  notStored(): void {
    const { instruments } = this.#tools;
    instruments?.activityInfrastructureErrors.add(1, { activity_name: this.#fetched.item.name });
    this.#endSpan("not_stored");
  }

  /** The runtime stopped meanwhile: the activity will be delivered again. */
  abandoned(): void {
    this.#endSpan("abandoned");
  }

  #count(outcome: ActivityOutcome | undefined, durationMs: number): void {
    const { instruments } = this.#tools;
    if (instruments === undefined) return;
    const { item, attemptCount } = this.#fetched;
    const labels = { activity_name: item.name, outcome: outcomeLabel(outcome), tag: item.tag ?? "default" };
    instruments.activityExecutions.add(1, { ...labels, retry_attempt: retryLabel(attemptCount) });
    instruments.activityDurations.record(durationMs / 1_000, labels);
  }

  #endSpan(outcome: string): void {
    this.#span?.set("duroxide.outcome", outcome);
    this.#span?.end(this.#endedAtMs);
  }
}

function spanAttributes(
  { item, attemptCount }: FetchedWork,
  workerId: string,
): Record<string, string | number> {
  const { instance, execution_id, name, id, tag }: ActivityExecute = item;
  return {
    "duroxide.instance_id": instance,
    "duroxide.execution_id": Number(execution_id),
    "duroxide.activity_name": name,
    "duroxide.activity_id": Number(id),
    "duroxide.attempt": attemptCount,
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

/** Deliveries before this one. A retry by policy is another activity and begins at 0 again. */
function retryLabel(attemptCount: number): string {
  const earlier = Math.max(0, attemptCount - 1);
  return earlier < 3 ? String(earlier) : "3+";
}
