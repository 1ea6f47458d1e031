/**
 * Runs one turn in memory, lists the changes of its commit, and applies the consequences of the commit. The caller
 * commits: under the lock of the instance (turn-commit.ts), or together with finished activities (fused-turns.ts).
 * Until `settleTurn` nothing outside of this process has changed, so a turn that is not committed has only to be
 * disposed.
 */
import type { Random } from "../../contract/clock.ts";
import type { ExecutionMetadata, TurnContent } from "../../contract/provider.ts";
import { runTurn, type TurnInput } from "../../replay/turn.ts";
import type { TurnEnd, TurnResult } from "../../replay/turn-result.ts";
import { displayMessage, type ErrorDetails } from "../../wire/error-details.ts";
import { storedTags } from "../../wire/scheduled.ts";
import type { ScheduledRun } from "../../wire/scheduled-run.ts";
import { NO_TAGS } from "../../wire/tags.ts";
import { DUROXIDE_SEMVER } from "../../wire/version.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { startedPayload } from "../messages/batch.ts";
import { logIgnoredStarts } from "../messages/ignored-starts.ts";
import { noticeItem } from "../messages/parent-notices.ts";
import { executionOfTurn } from "./observed-execution.ts";
import type { RuntimeParts } from "./parts.ts";
import { logSetAside } from "./set-aside-log.ts";
import type { TraceStamp } from "./stamp-trace.ts";
import type { RunnableTurn } from "./turn-to-run.ts";

/** A turn that has run and is not committed. */
export interface RanTurn {
  readonly stamp: TraceStamp;
  readonly result: TurnResult;
  readonly tookMs: number;
}

export interface TurnRules {
  /** Code that does not fit its history ends the turn as `blocked`, and not as `failed`. */
  readonly blocks: boolean;
  /** The defect of code that ran outside its turns. */
  readonly violation: ErrorDetails | undefined;
}

/** The execution that the turn belongs to: the next one if the history has ended, because only a start follows an end. */
export function executionIdOf({ fetched, index }: RunnableTurn): number {
  return index.terminal === undefined ? fetched.item.executionId : fetched.item.executionId + 1;
}

/** The id, the stamp and the origin are taken before the turn runs, because the turn adds its events to the index. */
export async function runInMemory(
  parts: RuntimeParts,
  turn: RunnableTurn,
  { blocks, violation }: TurnRules,
): Promise<RanTurn> {
  const { batch, index, program } = turn;
  const { instanceId, kvSnapshot, history } = turn.fetched.item;
  const { clock, random, codec, logger, sourceLines } = parts.settings;
  const { guard, strayExecutions } = parts;
  const executionId = executionIdOf(turn);
  const stamp = parts.stamps.of(executionOfTurn(turn, executionId), index, history);
  const from = origin(turn, stamp, random);
  const onStrayCode = strayExecutions.found;
  const onStepsOver = parts.steps.forget;
  const { limitOfActivity } = parts;
  const surroundings = {
    clock,
    codec,
    logger,
    guard,
    sourceLines,
    limitOfActivity,
    onStrayCode,
    onStepsOver,
  };
  const { messages } = batch;
  const startedAtMs = clock.now();
  const result = await runTurn({
    instanceId,
    executionId,
    program,
    surroundings,
    from,
    messages,
    kvSnapshot,
    blocks,
    violation,
  });
  // step-memory.SM1
  if (result.end.kind === "running") parts.steps.keep(result.end.memory.live);
  const tookMs = clock.now() - startedAtMs;
  parts.loopWatch.tookTurn(program.name, tookMs);
  return { stamp, result, tookMs };
}

/**
 * The changes of the commit. The messages of the code come first, then the notices for parents and for refused starts; a
 * store keeps the order of the messages for one instance.
 */
export async function contentOf(
  parts: RuntimeParts,
  turn: RunnableTurn,
  { stamp, result }: RanTurn,
  collisions: readonly OrchestratorItem[],
): Promise<TurnContent> {
  const orchestratorItems = [
    ...result.orchestratorItems,
    ...(await parentItems(parts, result.end)),
    ...collisions,
  ];
  return stamp.stampTrace({
    executionId: stamp.execution.executionId,
    historyDelta: result.delta,
    workerItems: result.workerItems,
    orchestratorItems,
    ...(result.returnedMessages.length > 0 && { returnedMessages: result.returnedMessages }),
    metadata: {
      ...startMetadata(turn),
      ...endMetadata(result),
      ...(result.tags !== undefined && { tags: storedTags(result.tags, scheduledOf(turn)) }),
    },
    cancelledActivities: result.cancelledActivities,
    ...(result.droppedTimers.length > 0 && { droppedTimers: result.droppedTimers }),
    ...(result.streams !== undefined && { streams: result.streams }),
  });
}

/**
 * Applies what follows from the commit, after it and only then: metrics, spans, the cache and the cancellation of
 * running activities must not show a turn that the store may have refused. `historyTag` identifies the history after
 * it, if the store has such tags.
 */
export function settleTurn(
  parts: RuntimeParts,
  { fetched, batch, index }: RunnableTurn,
  { stamp, result }: RanTurn,
  content: TurnContent,
  historyTag: string | undefined,
): void {
  const { instanceId } = fetched.item;
  const { end } = result;
  if (end.kind === "running") parts.stamps.remember(stamp, end.memory.index);
  else if (end.kind === "completed" && index.started?.scheduled !== undefined)
    parts.schedules.completed(instanceId);
  parts.settings.observer.turnCommitted(
    stamp,
    content,
    end.kind === "running" || end.kind === "blocked" ? undefined : end,
  );
  parts.lostEvents.add(instanceId, result.lostEvents);
  logSetAside(parts.settings.logger, stamp.execution, result.setAside);
  logIgnoredStarts(parts.settings, batch, index);
  remember(parts, instanceId, historyTag, result);
  parts.onActivitiesCancelled(result.cancelledActivities);
}

/**
 * The start of the turn. That of a started execution gets the stamp for traces; in memory and history the first event
 * has it already.
 */
function origin(
  { fetched, batch, index, held, program }: RunnableTurn,
  stamp: TraceStamp,
  random: Random,
): TurnInput["from"] {
  if (batch.start !== undefined) {
    const started = stamp.stampStart(startedPayload(batch.start, program.version, random));
    return { kind: "start", started };
  }
  if (held !== undefined) return { kind: "memory", memory: held };
  return { kind: "history", events: fetched.item.history, index };
}

function remember(
  parts: RuntimeParts,
  instanceId: string,
  tag: string | undefined,
  { end }: TurnResult,
): void {
  // The cache keeps the key-values for the next execution, which then needs no read of the history.
  if (end.kind === "continued-as-new" && tag !== undefined) parts.cache.put(instanceId, tag, end.memory);
  if (end.kind !== "running") return;
  if (tag === undefined || end.memory.live.mustReplay) end.memory.live.dispose();
  else parts.cache.put(instanceId, tag, end.memory);
}

export async function parentItems({ settings }: RuntimeParts, end: TurnEnd): Promise<OrchestratorItem[]> {
  if ((end.kind !== "completed" && end.kind !== "failed") || end.parent === undefined) return [];
  const outcome = end.kind === "completed" ? { result: end.output } : { details: end.details };
  return [await noticeItem(settings.provider, end.parent, outcome)];
}

/** Only the turn that begins an execution names it. The store keeps the names for all later turns. */
export function startMetadata({ batch: { start }, program }: RunnableTurn): ExecutionMetadata {
  if (start === undefined) return {};
  const parent = start.parent_instance ?? undefined;
  return {
    orchestrationName: program.name,
    orchestrationVersion: program.version,
    pinnedVersion: DUROXIDE_SEMVER,
    ...(parent !== undefined && { parentInstanceId: parent }),
    ...(start.scheduled !== undefined && { tags: storedTags(start.tags ?? NO_TAGS, start.scheduled) }),
  };
}

function scheduledOf({ batch: { start }, index }: RunnableTurn): ScheduledRun | undefined {
  return (start ?? index.started)?.scheduled;
}

function endMetadata({ end }: TurnResult): ExecutionMetadata {
  switch (end.kind) {
    case "running":
    case "blocked":
      return {};
    case "completed":
      return { status: "Completed", output: end.output };
    case "failed":
      return { status: "Failed", output: displayMessage(end.details) };
    case "continued-as-new":
      return { status: "ContinuedAsNew", output: end.input };
  }
}

export function logDiscarded(
  { settings }: RuntimeParts,
  instanceId: string,
  { discarded }: TurnResult,
): void {
  for (const { message, reason } of discarded) {
    settings.logger.debug(
      { event: "message_dropped", instance_id: instanceId, message: message.kind, reason },
      "a message changed nothing",
    );
  }
}
