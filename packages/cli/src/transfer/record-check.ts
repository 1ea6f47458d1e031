/** Checks of the histories of a record: an import stores nothing that no runtime has written. */
import {
  checkChildId,
  checkRootId,
  type HistoryEvent,
  isTerminal,
  parseSemver,
} from "@duroxide-ts/core/stores";

type Events = readonly HistoryEvent[];

/** The fault of the record; `undefined` if there is none. */
export function recordFault(instanceId: string, executions: readonly Events[]): string | undefined {
  if (executions.length === 0) return "it has no execution";
  for (const [at, events] of executions.entries()) {
    const fault =
      executionFault(instanceId, events) ??
      startFault(instanceId, events) ??
      (events.length === 0 ? `execution ${at + 1} of the line has no event` : undefined) ??
      orderFault(executions[at - 1], events);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function executionFault(instanceId: string, events: Events): string | undefined {
  const { execution_id: execution = 0 } = events[0] ?? {};
  let last: HistoryEvent | undefined;
  let hasEnded = false;
  for (const event of events) {
    const { event_id: id, type } = event;
    const named = `event ${id} of execution ${execution}`;
    if (event.instance_id !== instanceId)
      return `${named} belongs to instance ${JSON.stringify(event.instance_id)}`;
    if (event.execution_id !== execution)
      return `event ${id} belongs to execution ${event.execution_id}, not to execution ${execution}`;
    if (id > Number.MAX_SAFE_INTEGER) return `${named} has an id above 2^53 - 1`;
    if (last !== undefined && id <= last.event_id) return `${named} follows event ${last.event_id}`;
    if (last === undefined && type !== "OrchestrationStarted") return `${named} is no start`;
    if (last !== undefined && type === "OrchestrationStarted") return `${named} is a second start`;
    // Rust fails an execution that has ended where a limit is exceeded, and both drop its activities behind its end.
    if (hasEnded && type !== "OrchestrationFailed" && type !== "ActivityCancelRequested")
      return isTerminal(event) ? `${named} is a second end` : `${named} follows its end`;
    hasEnded ||= isTerminal(event);
    last = event;
  }
  return undefined;
}

/** The fault of an id or a version that no start accepts. */
function startFault(instanceId: string, [started, second]: Events): string | undefined {
  if (started?.type !== "OrchestrationStarted") return undefined;
  const { parent_instance: parent, execution_id: execution, version } = started;
  try {
    if (parent === null) checkRootId(instanceId);
    else checkChildId(instanceId);
  } catch (error) {
    return (error as Error).message;
  }
  // An execution that failed for want of its code has the version that its start asked for.
  if (parseSemver(version) !== undefined || second?.type === "OrchestrationFailed") return undefined;
  return `${JSON.stringify(version)}, of execution ${execution}, is no version`;
}

/** An execution follows one that continued as new, or one that an operator revised. */
function orderFault(before: Events | undefined, [started]: Events): string | undefined {
  const [first] = before ?? [];
  if (before === undefined || first === undefined || started === undefined) return undefined;
  const [from, to] = [first.execution_id, started.execution_id];
  if (to <= from) return `execution ${to} follows execution ${from}`;
  const isRevised = started.type === "OrchestrationStarted" && started.revision !== undefined;
  if (isRevised || before.some(({ type }) => type === "OrchestrationContinuedAsNew")) return undefined;
  return `execution ${from} did not continue as new, and execution ${to} follows it`;
}
