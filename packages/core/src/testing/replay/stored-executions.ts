/** Reads a stored history: JSON text or events, of one or several executions, in any order. */
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { decodeEvent } from "../../wire/codec.ts";
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import { parseJson, writeJson } from "../../wire/json-text.ts";

export interface StoredExecution {
  readonly instanceId: string;
  readonly executionId: number;
  readonly started: EventOf<"OrchestrationStarted">;
  /** Ascending by id. */
  readonly events: readonly HistoryEvent[];
}

/** Sorted by instance in the order of their first event, and by execution. */
export function storedExecutions(history: string | readonly unknown[]): StoredExecution[] {
  const values = typeof history === "string" ? parseJson(history) : history;
  if (!Array.isArray(values)) {
    throw new InvalidInputError("a history is an array of events, or the JSON text of one");
  }
  if (values.length === 0)
    throw new InvalidInputError("the history has no events, so there is nothing to replay");
  const events = values.map((value) => decodeEvent(writeJson(value)));
  const groups = Map.groupBy(events, (event) =>
    JSON.stringify([event.instance_id, Number(event.execution_id)]),
  );
  const executions = [...groups.values()].map(toExecution);
  const order = [...new Set(executions.map(({ instanceId }) => instanceId))];
  return executions.sort(
    (a, b) => order.indexOf(a.instanceId) - order.indexOf(b.instanceId) || a.executionId - b.executionId,
  );
}

function toExecution(unordered: readonly HistoryEvent[]): StoredExecution {
  const events = [...unordered].sort((a, b) => Number(a.event_id) - Number(b.event_id));
  const [started] = events;
  if (started?.type !== "OrchestrationStarted") {
    throw new InvalidInputError(
      `a history begins with OrchestrationStarted; got ${started?.type ?? "no event at all"}. Export whole executions`,
    );
  }
  const { instance_id: instanceId, execution_id } = started;
  return { instanceId, executionId: Number(execution_id), started, events };
}
