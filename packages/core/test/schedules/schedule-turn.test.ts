/** The rules of a schedule at their bounds: a turn is a pure function of the stored state, the time and the outcomes. */
import { describe, expect, it } from "vitest";
import { orchestration, type Schedule, schedule, silentLogger } from "../../src/index.ts";
import { jsonCodec } from "../../src/payload/json-codec.ts";
import { LargePayloads } from "../../src/payload/large-payloads.ts";
import { limitedCodec } from "../../src/payload/limited-codec.ts";
import { defined, newSchedule } from "../../src/schedules/define-schedule.ts";
import { ScheduleTurn } from "../../src/schedules/schedule-turn.ts";
import type { StoredSchedule } from "../../src/schedules/stored-schedule.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-11-28T00:00:00Z");
const report = orchestration("report", async () => {});

type Rules = Pick<Schedule, "overlap" | "catchUp">;

function definedAs(rules: Rules, hours = 1): ReturnType<typeof defined> {
  const given = schedule("s", { every: { hours }, orchestration: report, ...rules });
  const codec = limitedCodec(jsonCodec, 1_000_000, new LargePayloads(silentLogger));
  return defined(given, "default", codec);
}

function turnAt(nowMs: number, rules: Rules, state: Partial<StoredSchedule> = {}): ScheduleTurn {
  return new ScheduleTurn("s", { ...newSchedule(definedAs(rules), START_MS), ...state }, nowMs, 1_000_000);
}

describe("a schedule", () => {
  it("catches up with a due time that is exactly as old as its period allows, and with none that is older", () => {
    const turn = turnAt(START_MS + 5 * HOUR_MS, { overlap: "allow", catchUp: { within: { hours: 2 } } });
    turn.goOn();
    expect(turn.starts.map(({ dueMs }) => (dueMs - START_MS) / HOUR_MS)).toEqual([3, 4, 5]);
  });

  it("looks again soon while one of its runs does not tell its end", () => {
    const runs = [
      { id: "s@1", atMs: START_MS, tells: true },
      { id: "s@2", atMs: START_MS, tells: false },
    ];
    const state = { running: runs, queued: [START_MS], decidedMs: START_MS };
    const turn = turnAt(START_MS + 1, { overlap: "queue" }, state);
    expect(turn.wakeAtMs).toBe(START_MS + 1 + 5_000);
  });

  it("that gets other times drops what it has missed of the earlier ones", () => {
    const missed = [{ afterMs: START_MS, toMs: START_MS + 3 * HOUR_MS }];
    const running = [{ id: "s@1", atMs: START_MS, tells: true }];
    const turn = turnAt(START_MS + 4 * HOUR_MS, { catchUp: "all" }, { missed, running });
    const { definition, hash } = definedAs({ catchUp: "all" }, 2);
    turn.redefine(definition, hash, undefined);
    expect(turn.state.missed).toEqual([]);
  });
});
