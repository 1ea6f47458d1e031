/**
 * Many schedules for a year of virtual time, with downtimes, clocks that jump, commits that are lost and deployments of
 * other due times: which of them run is compared with a model that knows only the rules.
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

/** A definition from some time on. `periodMs` and `offsetMs` give the due times without the code under test. */
interface Deployed {
  readonly fromMs: number;
  readonly given: Schedule;
  readonly periodMs: number;
  readonly offsetMs: number;
}

interface Case {
  readonly catchUp: CatchUp;
  readonly deployed: readonly [Deployed, ...Deployed[]];
}

/**
 * No deployment comes in a downtime or in the day after it: other due times drop those that were missed and have not run
 * yet, one after the other.
 */
function caseOf(n: number, downs: ReturnType<typeof downtimes>, random: SeededRandom): Case {
  const catchUp = CATCH_UPS[n % CATCH_UPS.length] ?? "last";
  const times = Array.from({ length: Math.floor(random.next() * 4) }, () =>
    Math.floor(START_MS + random.next() * (END_MS - START_MS)),
  );
  const later = times
    .filter((ms) => ms > START_MS && !downs.some(([from, to]) => ms >= from && ms <= to + DAY_MS))
    .toSorted((a, b) => a - b);
  const first = deployedAt(START_MS, n, catchUp, random);
  return { catchUp, deployed: [first, ...later.map((ms) => deployedAt(ms, n, catchUp, random))] };
}

function deployedAt(fromMs: number, n: number, catchUp: CatchUp, random: SeededRandom): Deployed {
  const hour = Math.floor(random.next() * 24);
  const minute = Math.floor(random.next() * 60);
  const rules = { orchestration: "o", overlap: "allow", catchUp } as const;
  const days = 1 + Math.floor(random.next() * 40);
  const isDaily = random.next() < 0.5;
  const offsetMs = hour * HOUR_MS + minute * MINUTE_MS;
  if (isDaily) {
    const given = schedule(`s${n}`, { ...rules, cron: `${minute} ${hour} * * *` });
    return { fromMs, given, periodMs: DAY_MS, offsetMs };
  }
  const given = schedule(`s${n}`, { ...rules, every: { days }, offset: offsetMs });
  return { fromMs, given, periodMs: days * DAY_MS, offsetMs };
}

function dueTimesOf({ periodMs, offsetMs }: Deployed, afterMs: number, toMs: number): readonly number[] {
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
    // What was missed runs one after the other until then.
    if (to >= END_MS - DAY_MS) return found;
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

function expected({ catchUp, deployed }: Case, downs: ReturnType<typeof downtimes>): readonly number[] {
  return deployed.flatMap((each, index) => {
    const untilMs = deployed[index + 1]?.fromMs ?? END_MS;
    const runs: number[] = [];
    let at = each.fromMs;
    for (const [from, to] of downs) {
      if (from < each.fromMs || from >= untilMs) continue;
      runs.push(...dueTimesOf(each, at, from - 1));
      runs.push(...caughtUp(catchUp, dueTimesOf(each, from - 1, to), to));
      at = to;
    }
    return [...runs, ...dueTimesOf(each, at, untilMs - 1)];
  });
}

/** Runs the schedule alone. A commit that is lost, as after a death, changes nothing, and the turn runs again. */
function run(
  { deployed: [first, ...deployments] }: Case,
  downs: ReturnType<typeof downtimes>,
  random: SeededRandom,
): readonly number[] {
  const { given } = first;
  const started: number[] = [];
  let stored: StoredSchedule = newSchedule(defined(given, "default", jsonCodec), START_MS);
  let nowMs = START_MS;
  for (;;) {
    const wakeAtMs = new ScheduleTurn(given.name, stored, nowMs, 1_500_000).wakeAtMs;
    if (wakeAtMs === undefined) return started;
    const next = deployments[0];
    if (next !== undefined && next.fromMs <= wakeAtMs) {
      deployments.shift();
      nowMs = next.fromMs;
      const turn = new ScheduleTurn(given.name, stored, nowMs, 1_500_000);
      const { definition, hash, refusal } = defined(next.given, "default", jsonCodec);
      if (hash !== stored.hash) turn.redefine(definition, hash, refusal);
      stored = turn.state;
      continue;
    }
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
    const each = caseOf(n, downs, random);
    const started = run(each, downs, random);
    runs += started.length;
    expect(
      started.toSorted((a, b) => a - b),
      JSON.stringify([n, each, downs]),
    ).toEqual(expected(each, downs));
  }
  expect(runs).toBeGreaterThan(SCHEDULES * 10);
});
