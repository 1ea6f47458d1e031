/**
 * The children of an execution that a retry or rewind began. A child sends its result to the execution that started it,
 * so a child that must answer a later execution begins another execution too.
 *
 * - children.CH1: The parent is changed first, so that it receives the result of a child that ends afterwards.
 * - children.CH2: Every step may be repeated. Missing steps are found by comparing the parent execution that a child
 *   names with the one that waits; a second answer is discarded.
 */
import { storedStatus } from "../../contract/listed-status.ts";
import { childInstanceId } from "../../replay/calls/child-id.ts";
import { SUB_ORCHESTRATION } from "../../replay/calls/sub-orchestration.ts";
import { HistoryIndex } from "../../replay/history/history-index.ts";
import { type Cut, cutBeforeFailure } from "../../verbs/cut.ts";
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { restoredKeyValues } from "./restored-key-values.ts";
import { type AsChild, findState, type InstanceState, isOver, revise, type VerbTools } from "./revising.ts";
import { endQuietly } from "./terminate.ts";
import type { Repeating, RetryOptions, RetryResult } from "./verb-options.ts";

type Scheduled = EventOf<"SubOrchestrationScheduled">;

type Retry = (tools: VerbTools, id: string, options: RetryOptions, asChild?: AsChild) => Promise<RetryResult>;

/** Why a child, at any depth, cannot be retried with its parent; `undefined` if all can. */
export async function childThatCannot(
  tools: VerbTools,
  verb: Repeating,
  parentId: string,
  { kept, resent }: Cut,
): Promise<string | undefined> {
  const answered = new Set(resent.map(({ source_event_id }) => source_event_id));
  for (const event of openChildren(kept)) {
    if (answered.has(event.event_id)) continue;
    const child = await readChild(tools, parentId, event);
    if (child === undefined || !isOwn(child, parentId, event)) continue;
    const why = await whyNot(tools, verb, child);
    if (why !== undefined) return `its child "${child.info.instanceId}" cannot be retried: ${why}`;
  }
  return undefined;
}

async function whyNot(tools: VerbTools, verb: Repeating, child: InstanceState): Promise<string | undefined> {
  const { info, history } = child;
  if (info.status === "Completed") return undefined;
  const cut = isOver(info) ? cutBeforeFailure(history) : { kept: history, resent: [], dropped: [] };
  // After a rewind, a child that failed by itself answers with its failure.
  if ("refused" in cut) return verb === "retry" ? cut.refused : undefined;
  const restored = await restoredKeyValues(tools, child);
  return "refused" in restored ? restored.refused : childThatCannot(tools, "retry", info.instanceId, cut);
}

export interface TakenOver {
  /** The ids of the children that were retried, at any depth, also below those that were retried before. */
  readonly children: readonly string[];
  /** Whether a start or an answer of a child was sent; also one that was sent before. */
  readonly hasSent: boolean;
}

const SENT: TakenOver = { children: [], hasSent: true };
const NOTHING: TakenOver = { children: [], hasSent: false };

/** Nothing for an execution that no retry or rewind has begun: it keeps no event of another. */
export async function takeOverChildren(
  tools: VerbTools,
  parent: InstanceState,
  options: RetryOptions,
  retry: Retry,
): Promise<TakenOver> {
  const [started] = parent.history;
  const kept = started?.type === "OrchestrationStarted" ? Number(started.revision?.kept ?? 0) : 0;
  const taken: TakenOver[] = [];
  for (const event of openChildren(parent.history)) {
    if (Number(event.event_id) <= kept) taken.push(await takeOver(tools, parent, event, options, retry));
  }
  return {
    children: taken.flatMap(({ children }) => children),
    hasSent: taken.some(({ hasSent }) => hasSent),
  };
}

async function takeOver(
  tools: VerbTools,
  parent: InstanceState,
  event: Scheduled,
  options: RetryOptions,
  retry: Retry,
): Promise<TakenOver> {
  const { instanceId: parentId, currentExecutionId: parentExecutionId } = parent.info;
  const child = await readChild(tools, parentId, event);
  if (child === undefined || !isOwn(child, parentId, event)) {
    await send(tools, startOf(parentId, parentExecutionId, event), `start:${event.event_id}`);
    return SENT;
  }
  const [started] = child.history;
  const names = started?.type === "OrchestrationStarted" ? started.parent_execution_id : undefined;
  const { instanceId, status } = child.info;
  if (names !== undefined && Number(names) === parentExecutionId) {
    return isOver(child.info) ? NOTHING : takeOverChildren(tools, child, options, retry);
  }
  const answer = answerOf(child, parentId, parentExecutionId, event);
  if (
    status === "Completed" ||
    (storedStatus(status) === "Failed" && "refused" in cutBeforeFailure(child.history))
  ) {
    if (answer === undefined) return NOTHING;
    await send(tools, answer, `answer:${event.event_id}`);
    return SENT;
  }
  if (!isOver(child.info)) {
    const isEnded = await revise(tools, "retry", instanceId, (now) =>
      endQuietly(tools, "retry", now, options),
    );
    // It has ended by itself, and may have an answer.
    if (!isEnded) return takeOver(tools, parent, event, options, retry);
  }
  const { children } = await retry(tools, instanceId, options, { parentExecutionId });
  return { children: [instanceId, ...children], hasSent: false };
}

function openChildren(history: readonly HistoryEvent[]): readonly Scheduled[] {
  const open = new Set(
    HistoryIndex.of(history)
      .open(SUB_ORCHESTRATION)
      .map(({ id }) => id),
  );
  return history.filter(
    (event): event is Scheduled => event.type === "SubOrchestrationScheduled" && open.has(event.event_id),
  );
}

function readChild(
  tools: VerbTools,
  parentId: string,
  { instance }: Scheduled,
): Promise<InstanceState | undefined> {
  return findState(tools, childInstanceId(parentId, instance));
}

/** Whether the instance is the child of this call, and not an earlier instance with the same id. */
function isOwn({ history }: InstanceState, parentId: string, { event_id }: Scheduled): boolean {
  const [started] = history;
  if (started?.type !== "OrchestrationStarted") return false;
  return started.parent_instance === parentId && started.parent_id === event_id;
}

function startOf(parentId: string, parentExecutionId: number, event: Scheduled): OrchestratorItem {
  return {
    kind: "StartOrchestration",
    instance: childInstanceId(parentId, event.instance),
    orchestration: event.name,
    input: event.input,
    version: null,
    parent_instance: parentId,
    parent_id: event.event_id,
    parent_execution_id: parentExecutionId,
    execution_id: 1,
    ...(event.tags !== undefined && { tags: event.tags }),
  };
}

function answerOf(
  { history }: InstanceState,
  parentId: string,
  parentExecutionId: number,
  { event_id: parent_id }: Scheduled,
): OrchestratorItem | undefined {
  const address = { parent_instance: parentId, parent_execution_id: parentExecutionId, parent_id };
  for (const event of history) {
    if (event.type === "OrchestrationCompleted") {
      return { kind: "SubOrchCompleted", ...address, result: event.output };
    }
    if (event.type === "OrchestrationFailed") {
      return { kind: "SubOrchFailed", ...address, details: event.details };
    }
  }
  return undefined;
}

/** Sends with a message id, so that a repetition is stored once. */
async function send({ provider }: VerbTools, item: OrchestratorItem, what: string): Promise<void> {
  const execution = "parent_execution_id" in item ? item.parent_execution_id : 0;
  await provider.enqueueForOrchestrator(item, 0, { messageId: `revision:${execution}:${what}` });
}
