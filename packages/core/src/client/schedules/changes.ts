/**
 * Changes of schedules by hand: each is one conditional commit of the instance that has the schedule, so that it holds
 * when the call resolves, also where no runtime runs. A turn of the schedule that runs meanwhile is not stored, and runs
 * again.
 */
import { sleep } from "../../contract/clock.ts";
import type { TurnContent } from "../../contract/provider.ts";
import type { ExpectedState } from "../../contract/revision.ts";
import { waitingStart } from "../../contract/waiting-start.ts";
import { checkScheduleName, instantMs } from "../../define/schedule.ts";
import { InvalidInputError, LimitExceededError, RefusedError } from "../../errors/duroxide-error.ts";
import { nextRound } from "../../host/originals.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import { dueTimes, runIdOf } from "../../schedules/due-times.ts";
import { runOutcomes } from "../../schedules/run-outcomes.ts";
import { scheduleCommit, stateText } from "../../schedules/schedule-commit.ts";
import { ScheduleTurn } from "../../schedules/schedule-turn.ts";
import { readSchedule, type ScheduleChange, type StoredSchedule } from "../../schedules/stored-schedule.ts";
import { scheduleInstance } from "../../wire/scheduled.ts";
import { findInstance } from "../find-instance.ts";
import type { InstanceHandle } from "../instance-handle.ts";
import { lastEventId } from "../verbs/revising.ts";
import { BY_HAND, type ByHand, checkRecord, recordOf } from "../verbs/verb-options.ts";
import { unknownSchedule } from "./reads.ts";
import type { BackfillOptions, TriggerOptions } from "./schedule-options.ts";
import type { ScheduleTools } from "./schedule-tools.ts";

const TRIGGER: OptionList = optionList<TriggerOptions>({ by: true, reason: true, input: true });
const BACKFILL: OptionList = optionList<BackfillOptions>({ by: true, reason: true, from: true, to: true });

const MOST_ATTEMPTS = 100;
/** Attempts that only let other work of the process go on; later ones wait. */
const AT_ONCE = 50;
const PAUSE_MS = 100;
const MOST_DUE_TIMES = 10_000;

export async function pause(tools: ScheduleTools, name: string, options: ByHand): Promise<void> {
  check("pause", name, options, BY_HAND);
  const by = recordOf(options);
  await changeSchedule(tools, name, { verb: "pause", ...by }, ({ turn, stored }) => {
    if (stored.paused !== undefined) return false;
    turn.pause(by);
    return true;
  });
}

export async function resume(tools: ScheduleTools, name: string, options: ByHand): Promise<void> {
  check("resume", name, options, BY_HAND);
  const by = recordOf(options);
  await changeSchedule(tools, name, { verb: "resume", ...by }, async ({ turn, stored, nowMs }) => {
    if (stored.paused === undefined) return false;
    turn.settle(await runOutcomes(tools.provider, stored.running, nowMs));
    turn.resume();
    return true;
  });
}

export async function trigger(
  tools: ScheduleTools,
  name: string,
  options: TriggerOptions,
): Promise<InstanceHandle<unknown>> {
  check("trigger", name, options, TRIGGER);
  let id = "";
  await changeSchedule(tools, name, { verb: "trigger", ...recordOf(options) }, async (at) => {
    const { turn, stored } = at;
    const { orchestration } = stored.definition;
    const input = Object.hasOwn(options, "input")
      ? encodePayload(tools.codec, options.input, "orchestration-input", orchestration)
      : undefined;
    id = await freeId(tools, name, at);
    turn.trigger(id, input);
    if (turn.starts.length > 0) return { run: id };
    throw new InvalidInputError(`schedules.trigger: ${turn.state.lastFailure?.message ?? "no run"}`);
  });
  return tools.handle(id);
}

export async function backfill(tools: ScheduleTools, name: string, options: BackfillOptions): Promise<void> {
  check("backfill", name, options, BACKFILL);
  const from = instantMs("schedules.backfill: from", options.from);
  const to = instantMs("schedules.backfill: to", options.to);
  if (from > to) throw new InvalidInputError("schedules.backfill: from is after to");
  await changeSchedule(tools, name, { verb: "backfill", ...recordOf(options) }, ({ turn, stored }) => {
    const next = dueTimes(stored.definition);
    let count = 0;
    for (let due = next(from - 1); due !== undefined && due <= to; due = next(due))
      if (++count > MOST_DUE_TIMES)
        throw new LimitExceededError(
          `schedules.backfill: the period has more than ${MOST_DUE_TIMES} due times; give shorter periods`,
        );
    turn.backfill(from, to);
    return true;
  });
}

/** Resolves to whether there was one. */
export async function remove(tools: ScheduleTools, name: string, options: ByHand): Promise<boolean> {
  check("delete", name, options, BY_HAND);
  const instanceId = scheduleInstance(name);
  if ((await findInstance(tools.provider.admin, instanceId)) === undefined) return false;
  await tools.provider.admin.deleteInstance(instanceId, { force: true });
  logged(tools, name, { verb: "delete", ...recordOf(options) });
  return true;
}

/** A schedule as it was read, and what it becomes. */
export interface Changing {
  readonly turn: ScheduleTurn;
  readonly stored: StoredSchedule;
  readonly nowMs: number;
}

/** False if nothing changes; fields of the record of the change. */
type Plan = (at: Changing) => Promise<Planned> | Planned;
type Planned = boolean | Partial<ScheduleChange>;

/** Reads, plans and stores until no other change comes between. */
export async function changeSchedule(
  tools: ScheduleTools,
  name: string,
  change: Omit<ScheduleChange, "atMs">,
  plan: Plan,
): Promise<boolean> {
  const { provider, clock, maxPayloadBytes } = tools;
  const instanceId = scheduleInstance(name);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (attempt > 0) await pauseBefore(tools, attempt);
    const info = await findInstance(provider.admin, instanceId);
    if (info === undefined) throw unknownSchedule(name);
    // Between two executions, of which the next begins with a turn.
    if (info.status !== "Running") continue;
    const { currentExecutionId: executionId } = info;
    const history = await provider.readHistory(instanceId, executionId);
    const text = stateText(history);
    const stored = readSchedule(text);
    if (stored === undefined)
      throw new RefusedError(instanceId, `schedule "${name}" is of a release that this one cannot read`);
    const nowMs = clock.now();
    const turn = new ScheduleTurn(name, stored, nowMs, maxPayloadBytes);
    const planned = await plan({ turn, stored, nowMs });
    if (planned === false) return false;
    turn.record({ ...change, ...(planned !== true && planned) });
    const content = scheduleCommit(turn, { name, executionId, history, text }, clock);
    if (content === undefined) return false;
    const expected = { executionId, status: info.status, lastEventId: lastEventId(history) };
    if (!(await store(tools, instanceId, expected, content))) continue;
    logged(tools, name, change);
    return true;
  }
  throw new RefusedError(
    instanceId,
    `schedule "${name}" is about to continue as new, or keeps changing; start a runtime, and try again`,
  );
}

/** False if the instance is in another state. */
export async function store(
  { provider }: ScheduleTools,
  instanceId: string,
  expected: ExpectedState | "absent",
  turn: TurnContent,
): Promise<boolean> {
  const { kind } = await provider.admin.reviseInstance({ instanceId, expected, turn });
  return kind === "revised";
}

export async function pauseBefore({ clock }: ScheduleTools, attempt: number): Promise<void> {
  await (attempt < AT_ONCE ? nextRound() : sleep(clock, PAUSE_MS));
}

export function logged(
  { logger }: ScheduleTools,
  name: string,
  { verb, ...by }: Omit<ScheduleChange, "atMs" | "verb"> & { readonly verb: string },
): void {
  logger.info({ event: "schedule_changed", schedule: name, verb, ...by }, `schedule "${name}": ${verb}`);
}

/** `name@<now>` in seconds, or in ms where that is taken or is that of a due time in the second. */
async function freeId({ provider }: ScheduleTools, name: string, at: Changing): Promise<string> {
  const { stored, nowMs } = at;
  const secondMs = nowMs - (nowMs % 1_000);
  const dueMs = dueTimes(stored.definition)(secondMs - 1);
  const isDue = dueMs !== undefined && dueMs < secondMs + 1_000;
  for (let ms = nowMs, id = isDue ? undefined : runIdOf(name, nowMs); ; id = undefined) {
    id ??= runIdOf(name, ms++, true);
    const isKnown =
      stored.changes.some(({ run }) => run === id) || stored.running.some((run) => run.id === id);
    if (isKnown || (await provider.getInstanceStatus(id)) !== undefined) continue;
    if ((await waitingStart(provider.admin, id)) === undefined) return id;
  }
}

function check(verb: string, name: string, options: ByHand, known: OptionList): void {
  const where = `schedules.${verb}`;
  checkScheduleName(where, name);
  checkOptions(where, options ?? null, known);
  checkRecord(where, options);
}
