/**
 * Whether the due times of a schedule ran by their rules: a model that knows the definitions, the changes that its
 * history has, and when its runs began and ended.
 *
 * - schedule-rules.SR1: A due time has one run at most, which begins not before it, where clocks agree.
 * - schedule-rules.SR2: What its rule demands runs: what is on time, but for an overlap; what was missed, by `catchUp`.
 * - schedule-rules.SR3: Nothing else runs but triggers and backfills, and of a backfill each due time runs.
 * - schedule-rules.SR4: Due times are decided in their order, and a definition that was replaced does not come back.
 * - schedule-rules.SR5: With `skip` and `queue` runs follow each other.
 * - schedule-rules.SR6: Long after the last fault, everything that was due is decided.
 *
 * A turn reads its clock at most `slackMs` before the time of its events. What is between two cases may be either.
 */
import { dueBetween, type StoredTimes } from "./schedule-due.ts";

/** A period that was run by hand, ms since the epoch by the clock of its client. */
export interface Backfilled {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A stored state of a schedule; as its instance has it. */
export interface ScheduleState {
  readonly definition: StoredTimes & {
    readonly overlap: string;
    readonly catchUp: string | { readonly within: { readonly seconds: number } };
    readonly jitter?: { readonly ms: number };
    readonly revision?: number;
  };
  readonly hash: string;
  readonly decidedMs: number;
  readonly running: readonly { readonly id: string }[];
  readonly queued: readonly number[];
  readonly missed: readonly { readonly afterMs: number; readonly toMs: number }[];
  readonly paused?: { readonly sinceMs: number };
  readonly changes: readonly { readonly verb: string; readonly run?: string }[];
}

export interface Stage {
  /** Time of the event, ms by the clock of the process that wrote it. */
  readonly atMs: number;
  readonly state: ScheduleState;
}

export interface ScheduledInstance {
  readonly id: string;
  readonly dueMs: number;
  readonly beganMs: number;
  readonly endedMs: number | undefined;
}

export interface ScheduleFacts {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly runs: readonly ScheduledInstance[];
  readonly backfilled: readonly Backfilled[];
  readonly triggers: number;
  readonly clocksAgree: boolean;
  readonly slackMs: number;
}

type Verdict = "must" | "may" | "must not";

/** A due time that is found so much later is missed, ms. */
const LATE_MS = 5_000;
const MOST_QUEUED = 10;

export function wrongRuns(facts: ScheduleFacts): readonly string[] {
  const { name, stages, runs } = facts;
  const triggered = new Set(stages.flatMap(({ state }) => state.changes.flatMap(({ run }) => run ?? [])));
  const due = runs.filter(({ id }) => !triggered.has(id));
  const byDue = Map.groupBy(due, ({ dueMs }) => dueMs);
  const verdicts = verdictsOf(facts);
  const say = (dueMs: number, what: string): string => `schedule ${name}: ${dueMs} ${what}`;
  const ids = new Set(runs.map(({ id }) => id));
  const timesOfRuns = [...byDue.keys()];
  return [
    ...[...byDue].flatMap(([ms, each]) => (each.length > 1 ? [say(ms, `ran ${each.length} times`)] : [])),
    ...due.flatMap(({ dueMs, beganMs }) =>
      facts.clocksAgree && beganMs < dueMs ? [say(dueMs, `ran ${dueMs - beganMs} ms before its time`)] : [],
    ),
    ...[...verdicts].flatMap(([ms, verdict]) =>
      verdict === "must" && !byDue.has(ms) && !ids.has(idOf(name, ms)) ? [say(ms, "did not run")] : [],
    ),
    ...timesOfRuns.flatMap((ms) => {
      const isAllowed = (verdicts.get(ms) ?? "must not") !== "must not";
      return isAllowed || isBackfilled(ms, facts) ? [] : [say(ms, "ran, and its rule leaves it out")];
    }),
    ...missingBackfills(facts, new Set(timesOfRuns)).map((ms) =>
      say(ms, "was to be run by hand, and did not run"),
    ),
    ...wrongStages(facts),
    ...atOnce(facts),
    ...(triggered.size >= facts.triggers
      ? []
      : [`schedule ${name}: ${triggered.size} of ${facts.triggers} runs were triggered`]),
  ];
}

/** It names the second, so a due time of another definition in the same second has it too, and the first one runs. */
function idOf(name: string, dueMs: number): string {
  return `${name}@${new Date(dueMs).toISOString().slice(0, -".000Z".length)}Z`;
}

function verdictsOf(facts: ScheduleFacts): ReadonlyMap<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  for (const [at, { state, atMs }] of facts.stages.entries()) {
    const before = facts.stages[at - 1]?.state;
    if (before === undefined) continue;
    const due = dueBetween(before.definition, before.decidedMs, state.decidedMs);
    const isDropped = isRetimed(before, state);
    for (const ms of due) {
      const verdict = isDropped ? "must not" : verdictOf(ms, due, { before, state, atMs }, facts);
      verdicts.set(ms, verdicts.has(ms) ? "may" : verdict);
    }
  }
  return verdicts;
}

interface Step {
  readonly before: ScheduleState;
  readonly state: ScheduleState;
  readonly atMs: number;
}

/** schedule-rules.SR2 */
function verdictOf(ms: number, due: readonly number[], step: Step, facts: ScheduleFacts): Verdict {
  const { before, state, atMs } = step;
  const { paused, definition } = before;
  if (paused !== undefined && ms > paused.sinceMs) return "must not";
  // What comes while missed ones wait, waits with them.
  if (definition.catchUp === "all" && isStillMissed(ms, facts)) return "may";
  const missedToMs = atMs - LATE_MS - (definition.jitter?.ms ?? 0);
  if (ms > missedToMs) return overlapping(ms, step, facts);
  const isMissed = ms <= missedToMs - facts.slackMs;
  const { catchUp } = definition;
  if (!isMissed) return "may";
  if (catchUp === "all") return "must";
  if (catchUp === "none") return "must not";
  if (catchUp === "last") {
    const last = due.findLast((each) => each <= (paused?.sinceMs ?? state.decidedMs));
    if (ms !== last) return "must not";
    return overlapping(ms, step, facts);
  }
  const withinMs = 1_000 * (catchUp as { within: { seconds: number } }).within.seconds;
  if (ms > atMs - withinMs) return overlapping(ms, step, facts);
  return ms > atMs - withinMs - facts.slackMs ? "may" : "must not";
}

/** Missed ones that wait are dropped by other due times, and by a pause that is not ended. */
function isStillMissed(ms: number, { stages }: ScheduleFacts): boolean {
  return (
    stages.some(({ state }, at) => at > 0 && isRetimed(stages[at - 1]?.state, state)) ||
    stages.at(-1)?.state.missed.some(({ afterMs, toMs }) => ms > afterMs && ms <= toMs) === true
  );
}

function overlapping(ms: number, { before, state, atMs }: Step, facts: ScheduleFacts): Verdict {
  switch (before.definition.overlap) {
    case "skip":
      return before.missed.length + state.missed.length > 0 || mayStillRun(ms, { before, state, atMs }, facts)
        ? "may"
        : "must";
    case "queue": {
      const isFull = Math.max(before.queued.length, state.queued.length) >= MOST_QUEUED;
      return isFull || facts.stages.at(-1)?.state.queued.includes(ms) === true ? "may" : "must";
    }
    default:
      return "must";
  }
}

/** Whether another run may not have ended when the turn looked at it. */
function mayStillRun(
  ms: number,
  { before, state, atMs }: Step,
  { runs, clocksAgree, slackMs }: ScheduleFacts,
): boolean {
  const open = [...before.running, ...state.running].map(({ id }) => runs.find((run) => run.id === id));
  const others = open.filter((run) => run?.dueMs !== ms);
  return others.some(
    (run) => !clocksAgree || run?.endedMs === undefined || run.endedMs >= atMs - Math.max(slackMs, 1_000),
  );
}

function isBackfilled(ms: number, { backfilled }: ScheduleFacts): boolean {
  return backfilled.some(({ fromMs, toMs }) => ms >= fromMs && ms <= toMs);
}

/** schedule-rules.SR3, where no other definition came between. The clock of a turn may be behind that of the client. */
function missingBackfills(
  { stages, backfilled, clocksAgree }: ScheduleFacts,
  ran: ReadonlySet<number>,
): readonly number[] {
  const [first] = stages;
  const hashes = new Set(stages.map(({ state }) => state.hash));
  const calls = stages.at(-1)?.state.changes.filter(({ verb }) => verb === "backfill").length ?? 0;
  if (first === undefined || hashes.size > 1 || !clocksAgree || calls < backfilled.length) return [];
  return backfilled
    .flatMap(({ fromMs, toMs }) => dueBetween(first.state.definition, fromMs - 1, toMs))
    .filter((ms) => !ran.has(ms));
}

/** schedule-rules.SR4 and schedule-rules.SR6. */
function wrongStages({ name, stages, slackMs }: ScheduleFacts): readonly string[] {
  const violations: string[] = [];
  const replaced = new Set<string>();
  for (const [at, { state }] of stages.entries()) {
    const before = stages[at - 1]?.state;
    if (before === undefined) continue;
    if (state.decidedMs < before.decidedMs && !isRetimed(before, state))
      violations.push(`schedule ${name}: goes back from ${before.decidedMs} to ${state.decidedMs}`);
    if (state.hash === before.hash) continue;
    replaced.add(before.hash);
    if (replaced.has(state.hash)) violations.push(`schedule ${name}: a replaced definition came back`);
  }
  const last = stages.at(-1)?.state;
  if (last?.paused === undefined) return [...violations, `schedule ${name}: is not paused in the end`];
  const jitterMs = last.definition.jitter?.ms ?? 0;
  const untilMs = last.paused.sinceMs - Math.max(2 * LATE_MS, slackMs) - jitterMs;
  const left = dueBetween(last.definition, last.decidedMs, untilMs);
  return left.length === 0
    ? violations
    : [...violations, `schedule ${name}: ${left.join(", ")} were not decided`];
}

/** schedule-rules.SR5, where nothing else changed. */
function atOnce({ name, stages, runs, backfilled, clocksAgree }: ScheduleFacts): readonly string[] {
  const states = stages.map(({ state }) => state);
  const isInOrder = states.every(({ definition: { overlap } }) => overlap === "skip" || overlap === "queue");
  const byHand = states.some(({ changes }) => changes.some(({ run }) => run !== undefined));
  if (!isInOrder || byHand || backfilled.length > 0 || !clocksAgree) return [];
  const inOrder = runs.toSorted((a, b) => a.beganMs - b.beganMs);
  return inOrder.flatMap(({ id, beganMs }, at) => {
    const before = inOrder[at - 1];
    return before !== undefined && (before.endedMs ?? Number.POSITIVE_INFINITY) > beganMs
      ? [`schedule ${name}: ${id} began before the end of ${before.id}`]
      : [];
  });
}

/** Another definition with other due times. They count from the change. */
function isRetimed(before: ScheduleState | undefined, after: ScheduleState): boolean {
  return before !== undefined && timesOf(before) !== timesOf(after);
}

function timesOf({ definition: { every, offset, cron, at } }: ScheduleState): string {
  return JSON.stringify([every, offset, cron, at]);
}
