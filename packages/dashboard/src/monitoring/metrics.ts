/** Metrics: what the store says now, and what the runtime of this process has counted. */
import type { Source } from "../source/source.ts";
import { type StoreFigures, storeFigures } from "../source/store-figures.ts";
import { help } from "./exposition.ts";
import type { PrometheusMeter } from "./prometheus-meter.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The gauges are at most ten seconds old; the counters of the runtime are those of now. */
export async function metrics(source: Source, meter: PrometheusMeter | undefined): Promise<Response> {
  const lines = gaugesOf(await storeFigures(source))
    .filter(([, , value]) => value !== undefined)
    .map(
      ([name, description, value]) =>
        `${help(`duroxide_${name}`, "gauge", description)}duroxide_${name} ${value}\n`,
    );
  const body = lines.join("") + (meter?.text() ?? "");
  return new Response(body, { headers: { "content-type": CONTENT_TYPE } });
}

type Gauge = readonly [name: string, description: string, value: number | undefined];

/** Names and meanings of gauges that runtimes have as well are those of docs/observability.md. */
function gaugesOf({ depths, oldestDueMs, workers, deadLetters }: StoreFigures): Gauge[] {
  const dueSeconds = workers === undefined ? undefined : (oldestDueMs ?? 0) / 1_000;
  return [
    ["active_orchestrations", "Instances that are running", depths.runningInstances],
    [
      "orchestrator_queue_depth",
      "Orchestrator messages that are visible and not locked",
      depths.orchestratorQueue,
    ],
    ["worker_queue_depth", "Activities that are visible and not locked", depths.workerQueue],
    ["timer_queue_depth", "Orchestrator messages that become visible later", depths.timerQueue],
    ["blocked_work", "Instances and activities that wait for fitting code", depths.blockedWork],
    ["oldest_due_seconds", "How long the oldest row is due that no process has taken", dueSeconds],
    ["workers", "Processes that have reported themselves", workers],
    [
      "dead_letters",
      "Rows that no process could read, and messages that were not delivered; 1000 at most",
      deadLetters,
    ],
  ];
}
