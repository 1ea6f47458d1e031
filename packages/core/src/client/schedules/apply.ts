/** Applies schedules from code: what is stored becomes as the code says, unless the code is the older one. */
import { checkSchedule, ownerFault, type Schedule } from "../../define/schedule.ts";
import { InvalidInputError, RefusedError } from "../../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../../options/option-list.ts";
import { type Defined, defined, newSchedule } from "../../schedules/define-schedule.ts";
import { scheduleCommit } from "../../schedules/schedule-commit.ts";
import { ScheduleTurn } from "../../schedules/schedule-turn.ts";
import type { StoredSchedule } from "../../schedules/stored-schedule.ts";
import { scheduleInstance } from "../../wire/scheduled.ts";
import { type ByHand, recordFault, recordOf } from "../verbs/verb-options.ts";
import { changeSchedule, logged, pauseBefore, remove, store } from "./changes.ts";
import { find, scheduleNames } from "./reads.ts";
import type { ApplyOptions, ApplyResult } from "./schedule-options.ts";
import type { ScheduleTools } from "./schedule-tools.ts";

const OPTIONS: OptionList = optionList<ApplyOptions>({ prune: true, owner: true, by: true, reason: true });
const DEFAULT_OWNER = "default";
const MOST_ATTEMPTS = 20;
/** Schedules that are applied at a time. */
const AT_ONCE = 16;

type Outcome = "created" | "updated" | "outdated" | "same";

export async function apply(
  tools: ScheduleTools,
  schedules: readonly Schedule[],
  options: ApplyOptions,
): Promise<ApplyResult> {
  check(schedules, options);
  const { prune = false, owner = DEFAULT_OWNER } = options;
  const record = recordOf(options);
  const all = schedules.map((given) => [given.name, defined(given, owner, tools.codec)] as const);
  const result: Record<Outcome | "deleted", string[]> = {
    created: [],
    updated: [],
    deleted: [],
    outdated: [],
    same: [],
  };
  const rest = all.values();
  const slot = async (): Promise<void> => {
    for (const [name, each] of rest) result[await applyOne(tools, name, each, record)].push(name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, slot));
  if (prune) {
    const owners = new Set(
      options.owner === undefined ? all.map(([, each]) => each.definition.owner) : [owner],
    );
    if (owners.size === 0) owners.add(owner);
    const names = new Set(all.map(([name]) => name));
    for (const name of await scheduleNames(tools)) {
      const stored = names.has(name) ? undefined : await find(tools, name);
      if (stored === undefined || !owners.has(stored.definition.owner)) continue;
      if (await remove(tools, name, record)) result.deleted.push(name);
    }
  }
  const { created, updated, deleted, outdated } = result;
  return { created, updated, deleted, outdated };
}

async function applyOne(
  tools: ScheduleTools,
  name: string,
  given: Defined,
  record: ByHand,
): Promise<Outcome> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (attempt > 0) await pauseBefore(tools, attempt);
    const stored = await find(tools, name);
    if (stored === undefined) {
      if (await create(tools, name, given, record)) return "created";
      continue;
    }
    if (stored.hash === given.hash) return "same";
    if (isOlder(given, stored)) {
      warn(tools, name, given, stored);
      return "outdated";
    }
    const change = { verb: "apply", ...record } as const;
    const isChanged = await changeSchedule(tools, name, change, (at) => {
      if (at.stored.hash === given.hash || isOlder(given, at.stored)) return false;
      at.turn.redefine(given.definition, given.hash, given.refusal);
      return true;
    });
    if (isChanged) return "updated";
  }
  throw new RefusedError(scheduleInstance(name), `schedule "${name}" keeps changing; try again`);
}

/** False if it exists. */
async function create(tools: ScheduleTools, name: string, given: Defined, record: ByHand): Promise<boolean> {
  const { clock, maxPayloadBytes } = tools;
  const nowMs = clock.now();
  const turn = new ScheduleTurn(name, newSchedule(given, nowMs), nowMs, maxPayloadBytes);
  turn.record({ verb: "apply", ...record });
  const place = { name, executionId: 1, history: [], text: undefined };
  const content = scheduleCommit(turn, place, clock);
  if (content === undefined || !(await store(tools, scheduleInstance(name), "absent", content))) return false;
  logged(tools, name, { verb: "apply", ...record });
  return true;
}

/** Compares the revisions where both have one; else an older definition is one that was replaced. */
function isOlder({ definition, hash }: Defined, stored: StoredSchedule): boolean {
  const { revision } = definition;
  const { revision: of } = stored.definition;
  if (revision !== undefined && of !== undefined && revision !== of) return revision < of;
  return stored.replaced.includes(hash);
}

function warn(
  { logger, outdated }: ScheduleTools,
  name: string,
  { hash, definition }: Defined,
  stored: StoredSchedule,
): void {
  const key = `${hash} ${name}`;
  if (outdated.has(key)) return;
  outdated.add(key);
  const { revision } = definition;
  logger.warn(
    { event: "schedule_outdated", schedule: name, revision, stored_revision: stored.definition.revision },
    `schedule "${name}" was not applied: a newer definition of it is stored; deploy the newest code everywhere, or give a higher revision`,
  );
}

function check(schedules: unknown, options: ApplyOptions): void {
  const where = "schedules.apply";
  if (!Array.isArray(schedules))
    throw new InvalidInputError(`${where}: the schedules must be an array; got ${shown(schedules)}`);
  checkOptions(where, options, OPTIONS);
  const { prune, owner, by, reason } = options;
  const fault =
    (prune === undefined || typeof prune === "boolean"
      ? undefined
      : `${where}: prune must be true or false`) ??
    ownerFault(where, owner) ??
    recordFault(where, { by, reason });
  if (fault !== undefined) throw new InvalidInputError(fault);
  const names = new Set<string>();
  for (const each of schedules as readonly Schedule[]) {
    checkSchedule(where, each);
    if (names.has(each.name)) throw new InvalidInputError(`${where}: schedule "${each.name}" is given twice`);
    names.add(each.name);
  }
}
