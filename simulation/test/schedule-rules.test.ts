/** The model of schedules sees due times that run too often, too early, or not at all. */
import { describe, expect, it } from "vitest";
import { type ScheduledInstance, type ScheduleState, wrongRuns } from "../checks/schedule-rules.ts";

const S = 1_000;

const STATE: ScheduleState = {
  definition: { every: { ms: 2 * S }, overlap: "allow", catchUp: "none" },
  hash: "a",
  decidedMs: 0,
  running: [],
  queued: [],
  missed: [],
  changes: [],
};

type Definition = Partial<ScheduleState["definition"]>;

/** Turns that decide up to a time, and a pause in the end. */
function check(
  definition: Definition,
  turns: readonly (readonly [atMs: number, change?: Partial<ScheduleState>])[],
  runs: readonly (number | ScheduledInstance)[],
  more: {
    readonly triggers?: number;
    readonly backfilled?: readonly { fromMs: number; toMs: number }[];
  } = {},
): readonly string[] {
  const state = { ...STATE, definition: { ...STATE.definition, ...definition } };
  const stages = turns.map(([atMs, change]) => ({ atMs, state: { ...state, decidedMs: atMs, ...change } }));
  const last = stages.at(-1) ?? { atMs: 0, state };
  const paused = { atMs: last.atMs, state: { ...last.state, paused: { sinceMs: last.atMs } } };
  return wrongRuns({
    name: "z",
    stages: [{ atMs: 0, state }, ...stages, paused],
    runs: runs.map((run) =>
      typeof run === "number" ? { id: `z@${run}`, dueMs: run, beganMs: run, endedMs: run + 1 } : run,
    ),
    backfilled: more.backfilled ?? [],
    triggers: more.triggers ?? 0,
    clocksAgree: true,
    slackMs: 1 * S,
  });
}

const ON_TIME = [[2 * S], [4 * S], [6 * S]] as const;

it("allows each due time once, at its time", () => {
  expect(check({}, ON_TIME, [2 * S, 4 * S, 6 * S])).toEqual([]);
});

it("schedule-rules.SR1: sees one that ran twice, and one before its time", () => {
  const again: ScheduledInstance = { id: "z@again", dueMs: 4 * S, beganMs: 3 * S, endedMs: undefined };
  expect(check({}, ON_TIME, [2 * S, 4 * S, 6 * S, again])).toEqual([
    "schedule z: 4000 ran 2 times",
    "schedule z: 4000 ran 1000 ms before its time",
  ]);
});

it("schedule-rules.SR2: sees one that did not run", () => {
  expect(check({}, ON_TIME, [2 * S, 6 * S])).toEqual(["schedule z: 4000 did not run"]);
});

describe("schedule-rules.SR2: of those that a downtime has missed", () => {
  const AFTER = [[20 * S]] as const;
  it.each([
    { catchUp: "none" as const, runs: [] },
    { catchUp: "last" as const, runs: [14 * S] },
    { catchUp: "all" as const, runs: [2, 4, 6, 8, 10, 12, 14].map((each) => each * S) },
    { catchUp: { within: { seconds: 10 } }, runs: [12 * S, 14 * S] },
  ])("$catchUp asks for some", ({ catchUp, runs }) => {
    // The last two are on time.
    const onTime = [16 * S, 18 * S, 20 * S];
    const isLate = catchUp === "last";
    const ran = isLate ? onTime : [...runs, ...onTime];
    const wrong = check({ catchUp }, AFTER, ran);
    expect(wrong).toEqual([]);
    if (runs.length > 0 && !isLate) expect(check({ catchUp }, AFTER, onTime)).not.toEqual([]);
    if (catchUp === "none") expect(check({ catchUp }, AFTER, [4 * S, ...ran])).toHaveLength(1);
  });
});

it("schedule-rules.SR2: an overlap excuses a due time while another run has not ended", () => {
  const open: ScheduledInstance = { id: "z@2000", dueMs: 2 * S, beganMs: 2 * S, endedMs: 5 * S };
  const running = [{ id: open.id }];
  const turns = [[2 * S, { running }], [4 * S, { running }], [8 * S]] as const;
  expect(check({ overlap: "skip" }, turns, [open, 8 * S])).toEqual(["schedule z: 6000 did not run"]);
});

it("schedule-rules.SR3: sees a run that nothing asked for, and a backfill that did not run", () => {
  expect(check({}, ON_TIME, [2 * S, 4 * S, 6 * S, 7 * S])).toEqual([
    "schedule z: 7000 ran, and its rule leaves it out",
  ]);
  const backfilled = [{ fromMs: -3 * S, toMs: 1 * S }];
  const changes = [{ verb: "backfill" }];
  const turns = ON_TIME.map(([atMs]) => [atMs, { changes }] as const);
  expect(check({}, turns, [-2 * S, 2 * S, 4 * S, 6 * S], { backfilled })).toEqual([
    "schedule z: 0 was to be run by hand, and did not run",
  ]);
});

it("schedule-rules.SR4: sees a schedule that goes back, and a replaced definition that comes back", () => {
  const back = [[2 * S], [4 * S], [6 * S, { decidedMs: 1 * S }], [8 * S]] as const;
  expect(check({}, back, [2 * S, 4 * S, 6 * S, 8 * S])).toContain("schedule z: goes back from 4000 to 1000");
  const replaced = [[2 * S, { hash: "b" }], [4 * S, { hash: "a" }], [6 * S]] as const;
  expect(check({}, replaced, [2 * S, 4 * S, 6 * S])).toEqual(["schedule z: a replaced definition came back"]);
});

it("schedule-rules.SR5: sees runs at once where one waits for the other", () => {
  const long: ScheduledInstance = { id: "z@2000", dueMs: 2 * S, beganMs: 2 * S, endedMs: 5 * S };
  expect(check({ overlap: "queue" }, ON_TIME, [long, 4 * S, 6 * S])).toEqual([
    "schedule z: z@4000 began before the end of z@2000",
  ]);
});

it("schedule-rules.SR6: sees due times that were never decided", () => {
  const stuck = [[2 * S], [30 * S, { decidedMs: 2 * S }]] as const;
  expect(check({}, stuck, [2 * S])[0]).toContain("were not decided");
});
