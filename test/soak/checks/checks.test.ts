/** A check that cannot fail proves nothing: each check of the soak, against evidence that breaks it. */
import { eventOf } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import type { Death, Freeze } from "../../storm/processes.ts";
import { countRuns, wrongAfterStored, wrongRuns } from "../../storm/runs.ts";
import type { Noted } from "../../storm/side-log.ts";
import { mustBe, type Plan } from "../programs/program.ts";
import { MOST_DEATHS, tooManyKillings, unexplainedDeaths } from "./deaths.ts";
import { wrongEndings } from "./endings.ts";
import { wrongHistory } from "./histories.ts";

const EXCUSE_MS = 4_000;

const step = (kind: "begin" | "end", process: string, atMs: number, key: string): Noted => ({
  kind,
  process,
  atMs,
  instance: "i",
  key,
});
const begin = (process: string, atMs: number, key = "k"): Noted => step("begin", process, atMs, key);
const end = (process: string, atMs: number, key = "k"): Noted => step("end", process, atMs, key);
const still = (kind: "block" | "stall", process: string, atMs: number, ms: number): Noted =>
  ({ kind, process, atMs, ms, instance: "b" }) as Noted;
const death = (process: string, atMs: number): Death => ({ process, atMs, wasKilled: true, lastWords: "" });

function runs(
  notes: readonly Noted[],
  deaths: readonly Death[] = [],
  freezes: readonly Freeze[] = [],
): readonly string[] {
  return wrongRuns({ notes, deaths, freezes, excuseMs: EXCUSE_MS });
}

describe("runs of an activity", () => {
  it("one run is right", () => {
    expect(runs([begin("a", 0), end("a", 10)])).toEqual([]);
  });

  it("a second run needs an excuse, and each further run one of its own", () => {
    const twice = [begin("a", 0), end("a", 10), begin("b", 1_000), end("b", 1_010)];
    expect(runs(twice)).toEqual([expect.stringContaining("without an excuse")]);
    expect(runs(twice, [death("a", 500)])).toEqual([]);
    const thrice = [...twice, begin("c", 2_000), end("c", 2_010)];
    expect(runs(thrice, [death("a", 500)])).toHaveLength(1);
    expect(runs(thrice, [death("a", 500), death("b", 1_500)])).toEqual([]);
  });

  it("the death of another process, or one before or after, is no excuse", () => {
    const twice = [begin("a", 5_000), begin("b", 10_000)];
    expect(runs(twice, [death("c", 7_000)])).toHaveLength(1);
    expect(runs(twice, [death("a", 1_000)])).toHaveLength(1);
    expect(runs(twice, [death("a", 11_000)])).toHaveLength(1);
    expect(runs(twice, [death("a", 7_000)])).toEqual([]);
  });

  it("a death that is noted late is an excuse, where nothing shows that the process lived on", () => {
    const twice = [begin("a", 5_000), begin("b", 10_000)];
    expect(runs(twice, [death("a", 10_200)])).toEqual([]);
    expect(runs([...twice, begin("a", 10_100, "other")], [death("a", 10_200)])).toHaveLength(1);
  });

  it("a freeze, a block or a stall is an excuse where the lock may have ended", () => {
    const twice = [begin("a", 0), end("a", 9_000), begin("b", 8_000), end("b", 8_010)];
    expect(runs(twice, [], [{ process: "a", fromMs: 1_000, toMs: 1_000 + EXCUSE_MS }])).toEqual([]);
    expect(runs(twice, [], [{ process: "a", fromMs: 1_000, toMs: EXCUSE_MS }])).toHaveLength(1);
    for (const kind of ["block", "stall"] as const) {
      expect(runs([...twice, still(kind, "a", 1_000, EXCUSE_MS)])).toEqual([]);
      expect(runs([...twice, still(kind, "a", 1_000, EXCUSE_MS - 1)])).toHaveLength(1);
      expect(runs([...twice, still(kind, "b", 1_000, EXCUSE_MS)])).toHaveLength(1);
    }
  });

  it("standstills in a row are one where not all of them are blocks", () => {
    const twice = [begin("a", 0), end("a", 9_000), begin("b", 8_000), end("b", 8_010)];
    const first = still("stall", "a", 1_000, 2_500);
    expect(runs([...twice, first, still("stall", "a", 4_000, 2_500)])).toEqual([]);
    expect(runs([...twice, first, still("block", "a", 4_000, 2_500)])).toEqual([]);
    expect(runs([...twice, first, still("stall", "a", 5_000, 2_500)])).toHaveLength(1);
    const blocks = [still("block", "a", 1_000, 2_500), still("block", "a", 3_500, 2_500)];
    expect(runs([...twice, ...blocks])).toHaveLength(1);
  });

  it("a later death does not excuse an overlap", () => {
    const overlap = [begin("a", 0), end("a", 900), begin("b", 500), end("b", 1_000)];
    expect(runs(overlap, [death("a", 950)])).toEqual([expect.stringContaining("at once")]);
  });

  it("one process never runs an activity twice at once", () => {
    const twice = [begin("a", 0), begin("a", 8_000), end("a", 9_000)];
    expect(runs(twice, [], [{ process: "a", fromMs: 0, toMs: 7_000 }])).toEqual([
      expect.stringContaining("in one process"),
    ]);
  });

  it("one that is stored is stored once, and none begins afterwards", () => {
    const stored = (atMs: number): Noted => ({ kind: "stored", process: "a", atMs, instance: "i", key: "k" });
    expect(wrongAfterStored([begin("a", 0), begin("b", 5), stored(10)])).toEqual([]);
    expect(wrongAfterStored([begin("a", 0), stored(10), stored(20)])).toHaveLength(1);
    const late = [begin("a", 0), stored(10), begin("b", 5_000)];
    expect(wrongAfterStored(late)).toHaveLength(1);
    expect(wrongAfterStored([...late, still("stall", "b", 5, 4_990)])).toEqual([]);
    expect(wrongAfterStored([...late, still("stall", "a", 5, 4_990)])).toHaveLength(1);
    expect(wrongAfterStored([...late, still("stall", "b", 15, 4_990)])).toHaveLength(1);
    expect(wrongAfterStored([...late, begin("b", 4_990), still("stall", "b", 5, 4_990)])).toHaveLength(1);
  });

  it("are counted", () => {
    expect(countRuns([begin("a", 0), begin("b", 1), begin("a", 2, "other")])).toEqual({
      runs: 3,
      activities: 2,
    });
  });
});

describe("deaths of processes", () => {
  const killer = (process: string, by: "activity" | "turn" = "activity"): Noted => ({
    kind: "killer",
    process,
    atMs: 0,
    instance: "killer-1",
    by,
  });

  it("one that neither the soak nor a killer caused is seen, with its last words", () => {
    const own: Death = { process: "a", atMs: 0, wasKilled: false, lastWords: "1: declined" };
    expect(unexplainedDeaths([own], [])).toEqual(["a ended, 1: declined"]);
    expect(unexplainedDeaths([own, { ...own, process: "b" }], [])).toHaveLength(2);
    expect(unexplainedDeaths([own], [killer("a")])).toEqual([]);
    expect(unexplainedDeaths([{ ...own, wasKilled: true }], [])).toEqual([]);
  });

  it.each(["activity", "turn"] as const)("a killing %s may cause so many, and no more", (by) => {
    const killings = Array.from({ length: MOST_DEATHS[by] }, (_, index) => killer(`p${index}`, by));
    expect(tooManyKillings(killings)).toEqual([]);
    expect(tooManyKillings([...killings, killer("another", by)])).toHaveLength(1);
  });
});

describe("endings of instances", () => {
  const plan: Plan = { name: "n", group: "innocent", input: undefined, wrongEnd: mustBe([1]) };
  const common = { executionId: 1, customStatus: undefined, customStatusVersion: 0 };
  const seen = { id: "i", plan, standing: "still runs", end: undefined };

  it("one that has another result, failed, or still runs is seen", () => {
    const right = { ...seen, end: { status: "Completed", output: [1], ...common } } as const;
    const wrong = { ...seen, end: { status: "Completed", output: [2], ...common } } as const;
    const details = { Poison: {} } as never;
    const failed = { ...seen, end: { status: "Failed", message: "poison", details, ...common } } as const;
    expect(wrongEndings([right], ["innocent"])).toEqual([]);
    expect(wrongEndings([wrong], ["innocent"])).toEqual(["i ended with [2] instead of [1]"]);
    expect(wrongEndings([failed], ["innocent"])).toEqual(["i failed instead of [1]: poison"]);
    expect(wrongEndings([seen], ["innocent"])).toEqual(["i still runs"]);
  });

  it("one of another group, or one that may go on for ever, is not", () => {
    expect(wrongEndings([seen], ["hostile"])).toEqual([]);
    expect(wrongEndings([{ ...seen, plan: { ...plan, mayRun: true } }], ["innocent"])).toEqual([]);
  });
});

describe("histories", () => {
  const scheduled = eventOf("ActivityScheduled", "i", 1, { name: "x", input: "" });
  const completed = { ...eventOf("ActivityCompleted", "i", 2, { result: "" }), source_event_id: 1 };
  const ended = (id: number) => eventOf("OrchestrationCompleted", "i", id, { output: "" });

  it("one that has a gap, no end, two ends or two answers is seen", () => {
    expect(wrongHistory("i#1", [scheduled, completed, ended(3)])).toEqual([]);
    expect(wrongHistory("i#1", [scheduled, completed, ended(4)])).toHaveLength(1);
    expect(wrongHistory("i#1", [scheduled, completed])).toEqual(["i#1: has no end"]);
    expect(wrongHistory("i#1", [scheduled, completed, ended(3), ended(4)])).toHaveLength(1);
    expect(wrongHistory("i#1", [scheduled, completed, { ...completed, event_id: 3 }, ended(4)])).toHaveLength(
      1,
    );
  });
});
