/** Reads of schedules. Each is one cheap read of the instance that has it. */
import type { InstanceQueryPage } from "../../contract/queries.ts";
import { checkScheduleName } from "../../define/schedule.ts";
import { DuroxideError, InvalidInputError } from "../../errors/duroxide-error.ts";
import { wholeNumberFault } from "../../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { dueTimes } from "../../schedules/due-times.ts";
import { readSchedule, type StoredSchedule } from "../../schedules/stored-schedule.ts";
import { SCHEDULE_ORCHESTRATION, SCHEDULE_PREFIX, scheduleInstance } from "../../wire/scheduled.ts";
import { type ScheduleInfo, scheduleInfo } from "./schedule-info.ts";
import type { RunsOptions } from "./schedule-options.ts";
import type { ScheduleTools } from "./schedule-tools.ts";

const RUNS: OptionList = optionList<RunsOptions>({ limit: true, continuation: true });
const MOST_NEXT = 1_000;
/** Schedules that are read at a time. */
const READS = 16;

export async function list(tools: ScheduleTools): Promise<readonly ScheduleInfo[]> {
  const names = await scheduleNames(tools);
  const found: ScheduleInfo[] = [];
  const rest = names.values();
  const slot = async (): Promise<void> => {
    for (const name of rest) {
      const schedule = await get(tools, name);
      if (schedule !== undefined) found.push(schedule);
    }
  };
  await Promise.all(Array.from({ length: READS }, slot));
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names of all schedules. */
export async function scheduleNames({ provider }: ScheduleTools): Promise<readonly string[]> {
  const names: string[] = [];
  let continuation: string | undefined;
  do {
    const page = await provider.admin.queryInstances({
      filter: { name: [SCHEDULE_ORCHESTRATION], status: ["Running", "ContinuedAsNew"] },
      limit: 1_000,
      ...(continuation !== undefined && { continuation }),
    });
    names.push(...page.instances.map(({ instanceId }) => instanceId.slice(SCHEDULE_PREFIX.length)));
    continuation = page.continuation;
  } while (continuation !== undefined);
  return names;
}

export async function get(tools: ScheduleTools, name: string): Promise<ScheduleInfo | undefined> {
  checkScheduleName("schedules.get", name);
  const stored = await find(tools, name);
  return stored && scheduleInfo(name, stored, tools.codec);
}

export async function next(tools: ScheduleTools, name: string, n: number): Promise<number[]> {
  checkScheduleName("schedules.next", name);
  const fault = wholeNumberFault("schedules.next: the number of due times", n ?? null, 0);
  if (fault !== undefined) throw new InvalidInputError(fault);
  const { definition, decidedMs, paused } = await known(tools, name);
  if (paused !== undefined) return [];
  const after = dueTimes(definition);
  const times: number[] = [];
  let due = after(Math.max(decidedMs, tools.clock.now()));
  for (; due !== undefined && times.length < Math.min(n, MOST_NEXT); due = after(due)) times.push(due);
  return times;
}

export async function runs(
  tools: ScheduleTools,
  name: string,
  options: RunsOptions,
): Promise<InstanceQueryPage> {
  checkScheduleName("schedules.runs", name);
  checkOptions("schedules.runs", options, RUNS);
  await known(tools, name);
  return tools.provider.admin.queryInstances({ ...options, filter: { schedule: name } });
}

async function known(tools: ScheduleTools, name: string): Promise<StoredSchedule> {
  const stored = await find(tools, name);
  if (stored === undefined) throw unknownSchedule(name);
  return stored;
}

/** Reads what is stored of a schedule; `undefined` for an unknown name. */
export async function find({ provider }: ScheduleTools, name: string): Promise<StoredSchedule | undefined> {
  const status = await provider.getInstanceStatus(scheduleInstance(name));
  return readSchedule(status?.customStatus);
}

export function unknownSchedule(name: string): DuroxideError {
  return new DuroxideError(
    "not-found",
    `there is no schedule "${name}"; apply it with Runtime.start({ schedules }) or client.schedules.apply`,
  );
}
