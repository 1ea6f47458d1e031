/** Runs one turn and commits it, with its news for parents and refused starts. */
import type { ExecutionMetadata, FetchedOrchestration } from "../contract/provider.ts";
import type { ProviderError } from "../contract/provider-error.ts";
import { infrastructureFailure } from "../errors/failure-details.ts";
import type { ObservedTurn } from "../observe/observed-turn.ts";
import type { HistoryIndex } from "../replay/history-index.ts";
import type { Program } from "../replay/live-execution.ts";
import { parentNotice, parentOfStart } from "../replay/terminal.ts";
import {
  type ExecutionMemory,
  runTurn,
  type TurnEnd,
  type TurnInput,
  type TurnResult,
} from "../replay/turn.ts";
import { displayMessage } from "../wire/error-details.ts";
import { DUROXIDE_SEMVER } from "../wire/version.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import { type Batch, startedPayload } from "./batch.ts";
import { commit } from "./commit.ts";
import { failedAck } from "./failure-ack.ts";
import { executionOfTurn } from "./observed-execution.ts";
import { collisionItems, noticeItem } from "./parent-notices.ts";
import type { RuntimeParts } from "./parts.ts";

export interface TurnToRun {
  readonly fetched: FetchedOrchestration;
  readonly batch: Batch;
  readonly index: HistoryIndex;
  /** What is left of the last turn, where nobody else touched the instance since. */
  readonly held: ExecutionMemory | undefined;
  readonly program: Program;
}

/** The batch is still ours and should be given back. */
export interface LostTurn {
  readonly delayMs: number;
}

const LOST_DELAY_MS = 100;

export async function runAndCommit(parts: RuntimeParts, turn: TurnToRun): Promise<LostTurn | undefined> {
  const { fetched, batch, index, program } = turn;
  const { provider, clock, codec, logger, observer } = parts.settings;
  const { guard } = parts;
  const { instanceId, kvSnapshot } = fetched.item;
  const executionId = index.terminal === undefined ? fetched.item.executionId : fetched.item.executionId + 1;
  const firstEventId = batch.start === undefined ? index.nextEventId : 1;
  const collisions = await collisionItems(provider, batch.refusedStarts, index, batch.start);
  const observed = observer.turn(executionOfTurn(turn, executionId), index, fetched.item.history);
  const from = origin(turn, observed);
  const surroundings = { clock, codec, logger, guard };
  const { messages } = batch;
  const result = await runTurn({
    instanceId,
    executionId,
    program,
    surroundings,
    from,
    messages,
    kvSnapshot,
  });
  logDropped(parts, instanceId, result);

  const orchestratorItems = [
    ...result.orchestratorItems,
    ...(await parentItems(parts, result.end)),
    ...collisions,
  ];
  const ack = observed.prepare({
    lockToken: fetched.lockToken,
    executionId,
    historyDelta: result.delta,
    workerItems: result.workerItems,
    orchestratorItems,
    ...(result.returnedMessages.length > 0 && { returnedMessages: result.returnedMessages }),
    metadata: { ...startMetadata(turn), ...endMetadata(result) },
    cancelledActivities: result.cancelledActivities,
  });
  const committed = await commit(provider, clock, ack);
  if (committed.kind === "committed") {
    if (result.end.kind === "running") observer.rememberTurns(observed, result.end.memory.index);
    observed.committed(ack, result.end.kind === "running" ? undefined : result.end);
    parts.lostEvents.add(instanceId, result.lostEvents);
    remember(parts, instanceId, committed.acked.historyTag, result);
    parts.onActivitiesCancelled(result.cancelledActivities);
    return undefined;
  }
  if (result.end.kind === "running") result.end.memory.live.dispose();
  logger.warn(
    { event: "turn_not_committed", instance_id: instanceId, error: committed.error },
    "the turn could not be committed",
  );
  if (committed.kind === "lost") {
    observed.notCommitted();
    return committed.error.code === "lock-lost" ? undefined : { delayMs: LOST_DELAY_MS };
  }
  return failRefused(parts, turn, {
    observed,
    executionId,
    firstEventId,
    collisions,
    error: committed.error,
  });
}

function origin(
  { fetched, batch, index, held, program }: TurnToRun,
  observed: ObservedTurn,
): TurnInput["from"] {
  if (batch.start !== undefined)
    return { kind: "start", started: observed.begin(startedPayload(batch.start, program.version)) };
  if (held !== undefined) return { kind: "memory", memory: held };
  return { kind: "history", events: fetched.item.history, index };
}

function remember(
  parts: RuntimeParts,
  instanceId: string,
  tag: string | undefined,
  { end }: TurnResult,
): void {
  if (end.kind !== "running") return;
  if (tag === undefined || end.memory.live.replaysOnly) end.memory.live.dispose();
  else parts.cache.put(instanceId, tag, end.memory);
}

async function parentItems({ settings }: RuntimeParts, end: TurnEnd): Promise<OrchestratorItem[]> {
  if ((end.kind !== "completed" && end.kind !== "failed") || end.parent === undefined) return [];
  const outcome = end.kind === "completed" ? { result: end.output } : { details: end.details };
  return [await noticeItem(settings.provider, end.parent, outcome)];
}

function startMetadata({ batch: { start }, program }: TurnToRun): ExecutionMetadata {
  if (start === undefined) return {};
  const parent = start.parent_instance ?? undefined;
  return {
    orchestrationName: program.name,
    orchestrationVersion: program.version,
    pinnedVersion: DUROXIDE_SEMVER,
    ...(parent !== undefined && { parentInstanceId: parent }),
  };
}

function endMetadata({ end }: TurnResult): ExecutionMetadata {
  switch (end.kind) {
    case "running":
      return {};
    case "completed":
      return { status: "Completed", output: end.output };
    case "failed":
      return { status: "Failed", output: displayMessage(end.details) };
    case "continued-as-new":
      return { status: "ContinuedAsNew", output: end.input };
  }
}

interface Refusal {
  readonly observed: ObservedTurn;
  readonly executionId: number;
  readonly firstEventId: number;
  readonly collisions: readonly OrchestratorItem[];
  readonly error: ProviderError;
}

/** The store refuses this turn for good: the execution fails, on the history that was fetched. */
async function failRefused(
  parts: RuntimeParts,
  turn: TurnToRun,
  { observed, executionId, firstEventId, collisions, error }: Refusal,
): Promise<LostTurn | undefined> {
  const { provider, clock } = parts.settings;
  const { batch, index, program, fetched } = turn;
  const details = infrastructureFailure(error.operation, error.detail);
  const started = batch.start && observed.begin(startedPayload(batch.start, program.version));
  const failure = failedAck({
    lockToken: fetched.lockToken,
    instanceId: fetched.item.instanceId,
    executionId,
    firstEventId,
    started,
    details,
    nowMs: clock.now(),
  });
  const parent = started === undefined ? parentNotice(index) : parentOfStart(started);
  const notices = await parentItems(parts, { kind: "failed", details, parent });
  const metadata = { ...startMetadata(turn), ...failure.metadata };
  const ack = observed.prepare({ ...failure, orchestratorItems: [...notices, ...collisions], metadata });
  const committed = await commit(provider, clock, ack);
  if (committed.kind !== "committed") return { delayMs: LOST_DELAY_MS };
  observed.committed(ack, { kind: "failed", details });
  return undefined;
}

function logDropped({ settings }: RuntimeParts, instanceId: string, { dropped }: TurnResult): void {
  for (const { message, reason } of dropped) {
    settings.logger.debug(
      { event: "message_dropped", instance_id: instanceId, message: message.kind, reason },
      "a message changed nothing",
    );
  }
}
