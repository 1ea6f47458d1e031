/** A turn of the instance of a schedule (docs/decisions/schedules.md): it runs no code, and reads no replay. */
import type { FetchedOrchestration } from "../../contract/provider.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import { runOutcomes } from "../../schedules/run-outcomes.ts";
import { scheduleCommit, stateText } from "../../schedules/schedule-commit.ts";
import { ScheduleTurn } from "../../schedules/schedule-turn.ts";
import { readSchedule } from "../../schedules/stored-schedule.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { endedRun, SCHEDULE_ORCHESTRATION, SCHEDULE_PREFIX } from "../../wire/scheduled.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import type { GiveBack } from "../locks/give-back.ts";
import type { Batch } from "../messages/batch.ts";
import { commit } from "./commit.ts";
import type { RuntimeParts } from "./parts.ts";

const LOST_DELAY_MS = 100;
const UNREADABLE_DELAY_MS = 60_000;

/** Resolves to how the batch is to be given back; `undefined` if the turn is committed. */
export async function runSchedule(
  parts: RuntimeParts,
  fetched: FetchedOrchestration,
  { start, messages }: Batch,
  index: HistoryIndex,
): Promise<GiveBack | undefined> {
  const { provider, clock, logger, maxPayloadBytes } = parts.settings;
  const { instanceId, history } = fetched.item;
  const name = instanceId.slice(SCHEDULE_PREFIX.length);
  const begins = index.terminal !== undefined;
  const text = begins ? continuedText(start) : stateText(history);
  const stored = readSchedule(text);
  if (stored === undefined) {
    const fields = { event: "schedule_unreadable", schedule: name };
    logger.error(fields, `schedule "${name}" cannot be read by this release`);
    const detail =
      "what is stored of the schedule cannot be read; run a newer release, or delete the schedule";
    return { delayMs: UNREADABLE_DELAY_MS, ignoreAttempt: true, blocked: { reason: "defect", detail } };
  }
  const nowMs = clock.now();
  const turn = new ScheduleTurn(name, stored, nowMs, maxPayloadBytes);
  const told = messages.flatMap((item) => endedRun(item) ?? []);
  const undecided = new Set(turn.undecided(told));
  const runs = stored.running.filter(({ id }) => undecided.has(id));
  const { schedules } = parts;
  turn.settle(new Map(runs.flatMap(({ id }) => (schedules.hasCompleted(id) ? [[id, "completed"]] : []))));
  const unknown = runs.filter(({ id }) => !schedules.hasCompleted(id));
  turn.settle(await runOutcomes(provider, unknown, nowMs, told));
  turn.goOn();
  const executionId = fetched.item.executionId + (begins ? 1 : 0);
  const place = { name, executionId, history: begins ? [] : history, text };
  const content = scheduleCommit(turn, place, clock, {
    fired: firedIn(messages, executionId),
    mayContinue: true,
  });
  const ack = content ?? { executionId, historyDelta: [], ...NOTHING };
  const committed = await commit(provider, clock, parts.health, { ...ack, lockToken: fetched.lockToken });
  if (committed.kind !== "committed") {
    const fields = { event: "schedule_not_committed", schedule: name, error: committed.error };
    logger.debug(fields, "the turn of a schedule could not be committed");
    return { delayMs: LOST_DELAY_MS, ignoreAttempt: true };
  }
  const { historyTag } = committed.acked;
  if (historyTag !== undefined && content?.metadata.status === undefined)
    schedules.keep(instanceId, historyTag, essential([...place.history, ...ack.historyDelta]));
  tell(parts, turn, stored.lastFailure?.dueMs);
  if (begins) await forgetEarlier(parts, instanceId);
  return undefined;
}

/** The events that the next turn needs: its start, its state and its timers. */
function essential(history: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const state = history.findLast(({ type }) => type === "CustomStatusUpdated");
  const timer = history.findLast(({ type }) => type === "TimerCreated");
  const from = Math.min(...[state, timer].map((event) => Number(event?.event_id ?? 1)));
  return history.filter(({ event_id, type }) => type === "OrchestrationStarted" || Number(event_id) >= from);
}

const NOTHING = { workerItems: [], orchestratorItems: [], metadata: {}, cancelledActivities: [] } as const;

function continuedText(start: Batch["start"]): string | undefined {
  return start?.kind === "ContinueAsNew" ? start.initial_custom_status : undefined;
}

function firedIn(messages: readonly OrchestratorItem[], executionId: number): readonly (number | bigint)[] {
  return messages.flatMap((item) =>
    item.kind === "TimerFired" && Number(item.execution_id) === executionId ? [item.id] : [],
  );
}

function tell({ settings }: RuntimeParts, turn: ScheduleTurn, before: number | undefined): void {
  const { name, state, starts } = turn;
  const { observer, clock, logger } = settings;
  const { orchestration } = state.definition;
  for (const { fireMs } of starts)
    if (fireMs !== undefined) observer.scheduleStarted(orchestration, clock.now() - fireMs);
  const { lastFailure } = state;
  if (lastFailure === undefined || lastFailure.dueMs === before) return;
  observer.scheduleFailed(orchestration);
  const fields = { event: "schedule_start_failed", schedule: name, due_ms: lastFailure.dueMs };
  logger.warn(fields, `schedule "${name}" could not start a run: ${lastFailure.message}`);
}

/** Earlier executions have nothing that anybody needs. A later one does it where this fails. */
async function forgetEarlier({ settings }: RuntimeParts, instanceId: string): Promise<void> {
  const { provider, logger } = settings;
  const filter = { instanceIds: [instanceId], name: [SCHEDULE_ORCHESTRATION] };
  try {
    await provider.admin.pruneInstances(filter, { keepLast: 1 });
  } catch (error) {
    logger.debug(
      { event: "schedule_not_pruned", error },
      "old executions of a schedule could not be deleted",
    );
  }
}
