/** Metrics: what the store says now, and what the runtime of this process has counted. */
import { text } from "../http/answers.ts";
import type { Source } from "../source/source.ts";
import { help } from "./exposition.ts";
import type { PrometheusMeter } from "./prometheus-meter.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
/** Dead letters beyond are not counted. */
const MOST_LETTERS = 1_000;

/** Names and meanings of gauges that runtimes have as well are those of docs/observability.md. */
export async function metrics(
  { admin, clock }: Source,
  meter: PrometheusMeter | undefined,
): Promise<Response> {
  const [{ runningInstances, blockedWork }, depths] = await Promise.all([
    admin.metrics(),
    admin.queueDepths(),
  ]);
  const gauges: (readonly [name: string, description: string, value: number | undefined])[] = [
    ["active_orchestrations", "Instances that are running", runningInstances],
    [
      "orchestrator_queue_depth",
      "Orchestrator messages that are visible and not locked",
      depths.orchestratorQueue,
    ],
    ["worker_queue_depth", "Activities that are visible and not locked", depths.workerQueue],
    ["timer_queue_depth", "Orchestrator messages that become visible later", depths.timerQueue],
    ["blocked_work", "Instances and activities that wait for fitting code", blockedWork],
  ];
  if (admin.queries) {
    const [{ work }, workers, { deadLetters }] = await Promise.all([
      admin.work({ overdueByMs: 0, limit: 1 }),
      admin.workers(),
      admin.deadLetters({ limit: MOST_LETTERS }),
    ]);
    const [row] = work;
    const dueMs = row === undefined ? 0 : Math.max(0, clock.now() - row.visibleAtMs);
    gauges.push(
      ["oldest_due_seconds", "How long the oldest row is due that no process has taken", dueMs / 1_000],
      ["workers", "Processes that have reported themselves", workers.length],
      ["dead_letters", "Rows that no process could read, 1000 at most", deadLetters.length],
    );
  }
  const lines = gauges
    .filter(([, , value]) => value !== undefined)
    .map(
      ([name, description, value]) =>
        `${help(`duroxide_${name}`, "gauge", description)}duroxide_${name} ${value}\n`,
    );
  return text(lines.join("") + (meter?.text() ?? ""), CONTENT_TYPE);
}
