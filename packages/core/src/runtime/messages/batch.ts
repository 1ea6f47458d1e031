/**
 * Classifies a fetched batch: the start that it contains, the starts that it refuses, and the other messages. Only the
 * history decides what a start means, so a start that arrives twice begins an execution once.
 */
import type { Random } from "../../contract/clock.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import type { EventPayloads } from "../../wire/event.ts";
import type { OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";

export type Start = WorkItemOf<"StartOrchestration">;
export type Continue = WorkItemOf<"ContinueAsNew">;

export interface Batch {
  /** The message that begins an execution, if this batch does. */
  readonly start: Start | Continue | undefined;
  /** Starts that are refused because the instance runs, or ran, already. */
  readonly refusedStarts: readonly Start[];
  /** Everything else, carried messages of a continue-as-new first. */
  readonly messages: readonly OrchestratorItem[];
}

export function classify(messages: readonly OrchestratorItem[], index: HistoryIndex): Batch {
  const first = messages.find((message) => begins(message, index)) as Start | Continue | undefined;
  const rest = messages.filter((message) => message !== first);
  const otherStarts = rest.filter((message) => message.kind === "StartOrchestration");
  const start = first?.kind === "StartOrchestration" ? forLatestParent(first, otherStarts) : first;
  return {
    start,
    refusedStarts: otherStarts,
    messages: [
      ...carriedMessages(start),
      ...rest.filter(({ kind }) => kind !== "StartOrchestration" && kind !== "ContinueAsNew"),
    ],
  };
}

/**
 * A retry or rewind of the parent repeats the start of a child that has not begun. The child answers the latest
 * execution that waits for it.
 */
function forLatestParent(first: Start, others: readonly Start[]): Start {
  const isSameCall = ({ parent_instance, parent_id }: Start): boolean =>
    parent_instance !== null && parent_instance === first.parent_instance && parent_id === first.parent_id;
  let { parent_execution_id: latest } = first;
  for (const { parent_execution_id: other } of others.filter(isSameCall)) {
    if (latest !== undefined && other !== undefined && other > latest) latest = other;
  }
  return latest === undefined ? first : { ...first, parent_execution_id: latest };
}

/** A start begins an instance without history; a continue-as-new follows an execution that continued as new. */
function begins({ kind }: OrchestratorItem, index: HistoryIndex): boolean {
  if (index.eventCount === 0) return kind === "StartOrchestration" || kind === "ContinueAsNew";
  return kind === "ContinueAsNew" && index.terminal?.type === "OrchestrationContinuedAsNew";
}

function carriedMessages(start: Start | Continue | undefined): OrchestratorItem[] {
  if (start?.kind !== "ContinueAsNew") return [];
  return start.carry_forward_events.map(([name, data]) => ({
    kind: "QueueMessage",
    instance: start.instance,
    name,
    data,
    ...(start.kept_events?.includes(name) === true && { kept_event: true }),
  }));
}

/** 62 random bits, the last 16 digits: two runs of one id must differ, and each activity carries them. */
function runId(uuid: string): string {
  return uuid.slice(19, 23) + uuid.slice(24);
}

/**
 * The first event of the execution that the message begins. It draws the run id: a turn whose commit is refused has sent no
 * activity, so the id of the one that is committed is the only one that an activity gets.
 */
export function startedPayload(
  start: Start | Continue,
  version: string,
  random: Random,
): EventPayloads["OrchestrationStarted"] {
  const common = {
    name: start.orchestration,
    version,
    input: start.input,
    parent_instance: start.parent_instance ?? null,
    parent_id: start.parent_id ?? null,
    ...(start.parent_execution_id !== undefined && { parent_execution_id: start.parent_execution_id }),
    ...(start.deadline_ms !== undefined && { deadline_ms: start.deadline_ms }),
    ...(start.tags !== undefined && { tags: start.tags }),
    ...(start.scheduled !== undefined && { scheduled: start.scheduled }),
    run_id: runId(random.uuid()),
  };
  if (start.kind === "StartOrchestration") {
    const { start_at_ms, limit, priority } = start;
    return {
      ...common,
      ...(start_at_ms !== undefined && { start_at_ms }),
      ...(limit !== undefined && { limit }),
      ...(priority !== undefined && { priority }),
    };
  }
  const { carry_forward_events: carried, initial_custom_status: status } = start;
  return {
    ...common,
    ...(carried.length > 0 && { carry_forward_events: carried }),
    ...(status !== undefined && { initial_custom_status: status }),
    ...(start.limit !== undefined && { limit: start.limit, has_permit: true }),
  };
}
