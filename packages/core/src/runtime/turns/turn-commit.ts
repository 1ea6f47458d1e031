/**
 * Runs one turn under the lock of its instance and commits it, and notifies parents and refused starts. A commit has three
 * results, and each has its consequence:
 *
 *   committed  the turn is settled, and its memory is kept.
 *   lost       another process has the instance, or the store fails. The batch is given back and the turn runs again,
 *              here or elsewhere. The memory is disposed, because it contains a turn that is not in history.
 *   refused    the store will never take this turn. Running it again would give the same turn, so the execution fails
 *              after the history that was fetched.
 */
import { doubledMs } from "../../contract/clock.ts";
import type { ProviderError } from "../../contract/provider-error.ts";
import type { Logger } from "../../define/logger.ts";
import { infrastructureFailure } from "../../errors/failure-details.ts";
import { thrownStack } from "../../errors/thrown-value.ts";
import { parentNotice, parentOfStart } from "../../replay/history/end-execution.ts";
import { deadlineOf, openTimers } from "../../replay/history/waiting-timers.ts";
import type { TurnEnd } from "../../replay/turn-result.ts";
import { runEnded } from "../../wire/scheduled.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import type { GiveBack } from "../locks/give-back.ts";
import { startedPayload } from "../messages/batch.ts";
import { collisionItems } from "../messages/parent-notices.ts";
import { unregisteredDelayMs } from "../trouble/backoff.ts";
import { failedAck } from "../trouble/failure-ack.ts";
import { type CommitResult, commit } from "./commit.ts";
import type { RuntimeParts } from "./parts.ts";
import type { TraceStamp } from "./stamp-trace.ts";
import {
  contentOf,
  executionIdOf,
  logDiscarded,
  parentItems,
  runInMemory,
  settleTurn,
  startMetadata,
} from "./turn-run.ts";
import type { TurnToRun } from "./turn-to-run.ts";

const FIRST_LOST_DELAY_MS = 100;
const LONGEST_LOST_DELAY_MS = 5_000;

/** Resolves to how the batch is to be given back; `undefined` if the turn is committed. */
export async function runAndCommit(parts: RuntimeParts, turn: TurnToRun): Promise<GiveBack | undefined> {
  const { fetched, batch, index } = turn;
  const { provider, clock, logger, observer } = parts.settings;
  const { instanceId } = fetched.item;
  // Before the turn runs, because it adds its events to the index.
  const firstEventId = batch.start === undefined ? index.nextEventId : 1;
  const collisions =
    batch.refusedStarts.length === 0
      ? []
      : await collisionItems(provider, batch.refusedStarts, index, batch.start);
  const executionId = executionIdOf(turn);
  const ran = await runInMemory(parts, turn, {
    blocks: parts.settings.onNondeterminism === "block",
    violation: parts.strayExecutions.take(instanceId, executionId),
  });
  const { stamp, result, tookMs } = ran;
  if (result.end.kind === "blocked") return blockedTurn(parts, turn, result.end);
  logDiscarded(parts, instanceId, result);
  const ack = { lockToken: fetched.lockToken, ...(await contentOf(parts, turn, ran, collisions)) };
  const beganMs = clock.now();
  const committed = await commit(provider, clock, parts.health, ack);
  const storing = { ranMs: tookMs, storedMs: clock.now() - beganMs };
  if (committed.kind === "committed") {
    settleTurn(parts, turn, ran, ack, committed.acked.historyTag);
    return undefined;
  }
  if (result.end.kind === "running") result.end.memory.live.dispose();
  logNotCommitted(logger, instanceId, committed, isOutrun(parts, committed.error, tookMs));
  if (committed.kind === "lost") {
    observer.turnNotCommitted(stamp.execution);
    return lostTurn(parts, turn, committed.error, storing);
  }
  return failRefused(parts, turn, {
    stamp,
    executionId,
    firstEventId,
    collisions,
    error: committed.error,
  });
}

/** StoreHealth logs a failing store once for all turns. */
function logNotCommitted(
  logger: Logger,
  instanceId: string,
  { kind, error }: Exclude<CommitResult, { readonly kind: "committed" }>,
  outrun: boolean,
): void {
  const fields = { event: "turn_not_committed", instance_id: instanceId, error };
  const text = outrun ? "the instance has changed since the turn began" : "the turn could not be committed";
  if (outrun || (kind === "lost" && error.code !== "lock-lost")) logger.debug(fields, text);
  else logger.warn(fields, text);
}

/** Whether another process or a change by hand came first within the time of a lock. A store may write no lock for a turn. */
function isOutrun(
  { settings: { orchestratorLockTimeoutMs } }: RuntimeParts,
  error: ProviderError,
  ranMs: number,
): boolean {
  return error.code === "lock-lost" && ranMs < orchestratorLockTimeoutMs;
}

/** Other code may be deployed later: the batch is kept, and the delivery does not count as an attempt. */
function blockedTurn(
  { blockedLog }: RuntimeParts,
  turn: TurnToRun,
  { reason, detail, thrown }: Extract<TurnEnd, { readonly kind: "blocked" }>,
): GiveBack {
  const { fetched, program } = turn;
  const attempts = (fetched.blocked?.attempts ?? 0) + 1;
  const delayMs = unregisteredDelayMs(attempts);
  const what =
    reason === "defect"
      ? { event: "orchestration_defective", stack: thrownStack(thrown) }
      : { event: "orchestration_nondeterministic" };
  const { instanceId } = fetched.item;
  blockedLog.tell(instanceId, attempts, `${detail}. ${advice(instanceId, reason)}`, {
    ...what,
    instance_id: instanceId,
    orchestration_name: program.name,
    orchestration_version: program.version,
    delay_ms: delayMs,
  });
  return { delayMs, ignoreAttempt: true, blocked: { reason, detail } };
}

/** Who waits for the result sees nothing else. */
function advice(instanceId: string, reason: "defect" | "nondeterminism"): string {
  const id = JSON.stringify(instanceId);
  const code = reason === "defect" ? "correct the code" : "deploy code that fits";
  return `Instance ${id} waits, and so does its result: ${code} and start the process again, and it goes on; client.admin.terminate(${id}) ends it`;
}

/** How long the turn ran, and how long the store took until it refused the commit, in ms. */
interface Took {
  readonly ranMs: number;
  readonly storedMs: number;
}

/**
 * A failing store and a lost lock do not count as an attempt, unless the turn itself took longer than the lock: a retry
 * would take as long again. A commit that took longer than the lock was stored in parts: it waits as long as it took, so
 * that its retries use at most half of what the store gives.
 */
function lostTurn(
  parts: RuntimeParts,
  { fetched }: TurnToRun,
  error: ProviderError,
  { ranMs, storedMs }: Took,
): GiveBack {
  const { orchestratorLockTimeoutMs } = parts.settings;
  if (error.code === "lock-lost") return { ignoreAttempt: isOutrun(parts, error, ranMs) };
  const attempts = fetched.blocked?.attempts ?? 0;
  const lostMs = doubledMs(FIRST_LOST_DELAY_MS, LONGEST_LOST_DELAY_MS, attempts);
  const delayMs = storedMs > orchestratorLockTimeoutMs ? Math.max(lostMs, storedMs) : lostMs;
  const detail = `the store does not take its turn: ${error.message}`;
  return { delayMs, ignoreAttempt: true, blocked: { reason: "store", detail } };
}

interface Refusal {
  readonly stamp: TraceStamp;
  readonly executionId: number;
  readonly firstEventId: number;
  readonly collisions: readonly OrchestratorItem[];
  readonly error: ProviderError;
}

/** The store refuses this turn for good: the execution fails, after the history that was fetched. */
async function failRefused(
  parts: RuntimeParts,
  turn: TurnToRun,
  { stamp, executionId, firstEventId, collisions, error }: Refusal,
): Promise<GiveBack | undefined> {
  const { provider, clock, random } = parts.settings;
  const { batch, index, program, fetched } = turn;
  const details = infrastructureFailure(error.operation, error.detail);
  const started = batch.start && stamp.stampStart(startedPayload(batch.start, program.version, random));
  const failure = failedAck({
    lockToken: fetched.lockToken,
    instanceId: fetched.item.instanceId,
    executionId,
    firstEventId,
    started,
    details,
    droppedTimers: [...openTimers(index, executionId, firstEventId), ...deadlineOf(index)],
    nowMs: clock.now(),
  });
  const parent = started === undefined ? parentNotice(index) : parentOfStart(started);
  const notices = await parentItems(parts, { kind: "failed", details, parent });
  const metadata = { ...startMetadata(turn), ...failure.metadata };
  const ended = runEnded(fetched.item.instanceId, (started ?? index.started)?.scheduled);
  const orchestratorItems = [...notices, ...ended, ...collisions];
  const ack = stamp.stampTrace({ ...failure, orchestratorItems, metadata });
  const committed = await commit(provider, clock, parts.health, ack);
  if (committed.kind !== "committed")
    return lostTurn(parts, turn, committed.error, { ranMs: 0, storedMs: 0 });
  parts.settings.observer.turnCommitted(stamp, ack, { kind: "failed", details });
  return undefined;
}
