/** Runs one turn and commits it, and notifies parents and refused starts. */
import type { ExecutionMetadata } from "../contract/provider.ts";
import type { ProviderError } from "../contract/provider-error.ts";
import type { Logger } from "../define/logger.ts";
import { infrastructureFailure } from "../errors/failure-details.ts";
import { parentNotice, parentOfStart } from "../replay/history/end-execution.ts";
import { runTurn, type TurnEnd, type TurnInput, type TurnResult } from "../replay/turn.ts";
import { displayMessage } from "../wire/error-details.ts";
import { DUROXIDE_SEMVER } from "../wire/version.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import { unregisteredDelayMs } from "./backoff.ts";
import { startedPayload } from "./batch.ts";
import { type CommitResult, commit } from "./commit.ts";
import { failedAck } from "./failure-ack.ts";
import type { GiveBack } from "./give-back.ts";
import { logIgnoredStarts } from "./ignored-starts.ts";
import { executionOfTurn } from "./observed-execution.ts";
import { collisionItems, noticeItem } from "./parent-notices.ts";
import type { RuntimeParts } from "./parts.ts";
import type { TraceStamp } from "./stamp-trace.ts";
import type { TurnToRun } from "./turn-to-run.ts";

const FIRST_LOST_DELAY_MS = 100;
const LONGEST_LOST_DELAY_MS = 5_000;

/** How the batch is to be given back; `undefined` where the turn is committed. */
export async function runAndCommit(parts: RuntimeParts, turn: TurnToRun): Promise<GiveBack | undefined> {
  const { fetched, batch, index, program } = turn;
  const { provider, clock, codec, logger, observer, storeStacks } = parts.settings;
  const { guard, strayExecutions } = parts;
  const { instanceId, kvSnapshot } = fetched.item;
  const executionId = index.terminal === undefined ? fetched.item.executionId : fetched.item.executionId + 1;
  const firstEventId = batch.start === undefined ? index.nextEventId : 1;
  const collisions =
    batch.refusedStarts.length === 0
      ? []
      : await collisionItems(provider, batch.refusedStarts, index, batch.start);
  const stamp = parts.stamps.of(executionOfTurn(turn, executionId), index, fetched.item.history);
  const from = origin(turn, stamp);
  const surroundings = { clock, codec, logger, guard, storeStacks, onStrayCode: strayExecutions.found };
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
    blocks: parts.settings.onNondeterminism === "block",
    violation: strayExecutions.take(instanceId, executionId),
  });
  const tookMs = clock.now() - startedAtMs;
  parts.loopWatch.tookTurn(program.name, tookMs);
  if (result.end.kind === "blocked") return blockedTurn(parts, turn, result.end.detail);
  logDiscarded(parts, instanceId, result);

  const orchestratorItems = [
    ...result.orchestratorItems,
    ...(await parentItems(parts, result.end)),
    ...collisions,
  ];
  const ack = stamp.stampTrace({
    lockToken: fetched.lockToken,
    executionId,
    historyDelta: result.delta,
    workerItems: result.workerItems,
    orchestratorItems,
    ...(result.returnedMessages.length > 0 && { returnedMessages: result.returnedMessages }),
    metadata: { ...startMetadata(turn), ...endMetadata(result) },
    cancelledActivities: result.cancelledActivities,
  });
  const committed = await commit(provider, clock, parts.health, ack);
  if (committed.kind === "committed") {
    if (result.end.kind === "running") parts.stamps.remember(stamp, result.end.memory.index);
    observer.turnCommitted(stamp, ack, result.end.kind === "running" ? undefined : result.end);
    parts.lostEvents.add(instanceId, result.lostEvents);
    logIgnoredStarts(parts.settings, batch, index);
    remember(parts, instanceId, committed.acked.historyTag, result);
    parts.onActivitiesCancelled(result.cancelledActivities);
    return undefined;
  }
  if (result.end.kind === "running") result.end.memory.live.dispose();
  logNotCommitted(logger, instanceId, committed);
  if (committed.kind === "lost") {
    observer.turnNotCommitted(stamp.execution);
    return lostTurn(parts, turn, committed.error, tookMs);
  }
  return failRefused(parts, turn, {
    stamp,
    executionId,
    firstEventId,
    collisions,
    error: committed.error,
  });
}

/** A store that fails is logged once for all turns (StoreHealth). */
function logNotCommitted(
  logger: Logger,
  instanceId: string,
  { kind, error }: Exclude<CommitResult, { readonly kind: "committed" }>,
): void {
  const fields = { event: "turn_not_committed", instance_id: instanceId, error };
  const text = "the turn could not be committed";
  if (kind === "lost" && error.code !== "lock-lost") logger.debug(fields, text);
  else logger.warn(fields, text);
}

/** Fitting code may come: the batch stays as it is, and nothing counts against it. */
function blockedTurn({ settings, blockedLog }: RuntimeParts, turn: TurnToRun, detail: string): GiveBack {
  const { fetched, program } = turn;
  const attempts = (fetched.blocked?.attempts ?? 0) + 1;
  const delayMs = unregisteredDelayMs(settings, attempts);
  blockedLog.tell(fetched.item.instanceId, attempts, detail, {
    event: "orchestration_nondeterministic",
    instance_id: fetched.item.instanceId,
    orchestration_name: program.name,
    orchestration_version: program.version,
    delay_ms: delayMs,
  });
  return { delayMs, ignoreAttempt: true, blocked: { reason: "nondeterminism", detail } };
}

/**
 * A store that fails costs the turn no attempt, and neither does a lost lock, unless the turn itself took longer than
 * the lock: repeated, it would do so again.
 */
function lostTurn(
  { settings }: RuntimeParts,
  { fetched }: TurnToRun,
  error: ProviderError,
  tookMs: number,
): GiveBack {
  if (error.code === "lock-lost") return { ignoreAttempt: tookMs < settings.orchestratorLockTimeoutMs };
  const attempts = fetched.blocked?.attempts ?? 0;
  const delayMs = Math.min(FIRST_LOST_DELAY_MS * 2 ** attempts, LONGEST_LOST_DELAY_MS);
  const detail = `the store does not take its turn: ${error.message}`;
  return { delayMs, ignoreAttempt: true, blocked: { reason: "store", detail } };
}

function origin({ fetched, batch, index, held, program }: TurnToRun, stamp: TraceStamp): TurnInput["from"] {
  if (batch.start !== undefined)
    return { kind: "start", started: stamp.stampStart(startedPayload(batch.start, program.version)) };
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
  if (tag === undefined || end.memory.live.mustReplay) end.memory.live.dispose();
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

interface Refusal {
  readonly stamp: TraceStamp;
  readonly executionId: number;
  readonly firstEventId: number;
  readonly collisions: readonly OrchestratorItem[];
  readonly error: ProviderError;
}

/** The store refuses this turn for good: the execution fails, on the history that was fetched. */
async function failRefused(
  parts: RuntimeParts,
  turn: TurnToRun,
  { stamp, executionId, firstEventId, collisions, error }: Refusal,
): Promise<GiveBack | undefined> {
  const { provider, clock } = parts.settings;
  const { batch, index, program, fetched } = turn;
  const details = infrastructureFailure(error.operation, error.detail);
  const started = batch.start && stamp.stampStart(startedPayload(batch.start, program.version));
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
  const ack = stamp.stampTrace({ ...failure, orchestratorItems: [...notices, ...collisions], metadata });
  const committed = await commit(provider, clock, parts.health, ack);
  if (committed.kind !== "committed") return lostTurn(parts, turn, committed.error, 0);
  parts.settings.observer.turnCommitted(stamp, ack, { kind: "failed", details });
  return undefined;
}

function logDiscarded({ settings }: RuntimeParts, instanceId: string, { discarded }: TurnResult): void {
  for (const { message, reason } of discarded) {
    settings.logger.debug(
      { event: "message_dropped", instance_id: instanceId, message: message.kind, reason },
      "a message changed nothing",
    );
  }
}
