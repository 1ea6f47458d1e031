/**
 * Many schedules for a year of virtual time, with downtimes, clocks that jump, commits that are lost and deployments that
 * apply the same definitions again: which due times run is compared with a model that knows only the rules.
 */
import { expect, it } from "vitest";
import { IS_DEEP, SEED } from "../../../../test/support/effort.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { type CatchUp, type Schedule, schedule } from "../../src/index.ts";
import { jsonCodec } from "../../src/payload/json-codec.ts";
import { defined, newSchedule } from "../../src/schedules/define-schedule.ts";
import { ScheduleTurn } from "../../src/schedules/schedule-turn.ts";
import type { StoredSchedule } from "../../src/schedules/stored-schedule.ts";

const SCHEDULES = IS_DEEP ? 10_000 : 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const END_MS = START_MS + 365 * DAY_MS;
const LATE_MS = 5_000;

const CATCH_UPS: readonly CatchUp[] = ["none", "last", "all", { within: { hours: 30 } }];

/** `periodMs` and `offsetMs` give the due times without the code under test. */
interface Case {
  readonly given: Schedule;
  readonly catchUp: CatchUp;
  readonly periodMs: number;
  readonly offsetMs: number;
}

function caseOf(n: number, random: SeededRandom): Case {
  const catchUp = CATCH_UPS[n % CATCH_UPS.length] ?? "last";
  const hour = Math.floor(random.next() * 24);
  const minute = Math.floor(random.next() * 60);
  const rules = { orchestration: "o", overlap: "allow", catchUp } as const;
  const days = 1 + Math.floor(random.next() * 40);
  const isDaily = random.next() < 0.5;
  const offsetMs = hour * HOUR_MS + minute * MINUTE_MS;
  if (isDaily) {
    const given = schedule(`s${n}`, { ...rules, cron: `${minute} ${hour} * * *` });
    return { given, catchUp, periodMs: DAY_MS, offsetMs };
  }
  const given = schedule(`s${n}`, { ...rules, every: { days }, offset: offsetMs });
  return { given, catchUp, periodMs: days * DAY_MS, offsetMs };
}

function dueTimesOf({ periodMs, offsetMs }: Case, afterMs: number, toMs: number): readonly number[] {
  const times: number[] = [];
  const first = (Math.floor((afterMs - offsetMs) / periodMs) + 1) * periodMs + offsetMs;
  for (let due = first; due <= toMs; due += periodMs) times.push(due);
  return times;
}

/** Times at which a process runs again after a downtime, or a clock has jumped ahead. */
function downtimes(random: SeededRandom): readonly (readonly [from: number, to: number])[] {
  const found: [number, number][] = [];
  for (let at = START_MS; ; ) {
    const from = at + Math.floor(random.next() * 40 * DAY_MS);
    const to = from + LATE_MS * 2 + Math.floor(random.next() * 5 * DAY_MS);
    if (to >= END_MS) return found;
    found.push([from, to]);
    at = to;
  }
}

/** The ones that run of the due times that a downtime has met, which are found when it is over. */
function caughtUp(catchUp: CatchUp, due: readonly number[], nowMs: number): readonly number[] {
  const isLate = (ms: number): boolean => nowMs - ms >= LATE_MS;
  if (due.every((ms) => !isLate(ms)) || catchUp === "all") return due;
  if (catchUp === "last") return due.slice(-1);
  const within = typeof catchUp === "object" ? 30 * HOUR_MS : LATE_MS - 1;
  return due.filter((ms) => nowMs - ms <= within);
}

function expected(of: Case, downs: ReturnType<typeof downtimes>): readonly number[] {
  const runs: number[] = [];
  let at = START_MS;
  for (const [from, to] of downs) {
    runs.push(...dueTimesOf(of, at, from - 1));
    runs.push(...caughtUp(of.catchUp, dueTimesOf(of, from - 1, to), to));
    at = to;
  }
  return [...runs, ...dueTimesOf(of, at, END_MS - 1)];
}

/** Runs the schedule alone. A commit that is lost, as after a death, changes nothing, and the turn runs again. */
function run({ given }: Case, downs: ReturnType<typeof downtimes>, random: SeededRandom): readonly number[] {
  const started: number[] = [];
  let stored: StoredSchedule = newSchedule(defined(given, "default", jsonCodec), START_MS);
  let nowMs = START_MS;
  for (;;) {
    const wakeAtMs = new ScheduleTurn(given.name, stored, nowMs, 1_500_000).wakeAtMs;
    if (wakeAtMs === undefined) return started;
    nowMs = Math.max(nowMs, wakeAtMs);
    const down = downs.find(([from, to]) => nowMs >= from && nowMs < to);
    if (down !== undefined) [, nowMs] = down;
    if (nowMs >= END_MS) return started;
    // A clock behind that of the last turn changes nothing.
    const turn = new ScheduleTurn(
      given.name,
      stored,
      nowMs - (wakeAtMs === nowMs && random.next() < 0.02 ? HOUR_MS : 0),
      1_500_000,
    );
    // Runs end at once.
    turn.settle(new Map(stored.running.map(({ id }) => [id, "completed"])));
    turn.goOn();
    if (random.next() < 0.1) continue;
    stored = JSON.parse(JSON.stringify(turn.state)) as StoredSchedule;
    started.push(...turn.starts.map(({ dueMs }) => dueMs));
  }
}

it(`${SCHEDULES} schedules run each due time of a year once, by their rules`, () => {
  const random = new SeededRandom(SEED);
  let runs = 0;
  for (let n = 0; n < SCHEDULES; n++) {
    const downs = downtimes(random);
    const each = caseOf(n, random);
    const started = run(each, downs, random);
    runs += started.length;
    expect(
      started.toSorted((a, b) => a - b),
      JSON.stringify([n, each.given, downs]),
    ).toEqual(expected(each, downs));
  }
  expect(runs).toBeGreaterThan(SCHEDULES * 10);
});
