/**
 * How often each activity ran, by the side logs alone.
 *
 * 1. A run may be repeated once its process has ended, or has stood still for so long that the lock may have ended:
 *    between the beginning of the run and the beginning of the next one. So an activity runs at most once more than its
 *    processes ended or stood still.
 * 2. Two runs overlap only where the process of the first one stood still: it could not know that its lock had ended.
 * 3. One process never runs the same activity twice at once, whatever happened to its lock.
 * 4. An outcome is stored once, and no run begins afterwards. A process that stops between its check of the lock and the
 *    first line of the handler continues with that line, so each stall excuses one such run.
 */
import type { Death, Freeze } from "./processes.ts";
import type { Noted } from "./side-log.ts";

interface Run {
  readonly process: string;
  readonly instance: string;
  readonly key: string;
  readonly beginMs: number;
  /** Undefined where the process ended before. */
  endMs: number | undefined;
}

/** Something that may have cost a process its locks. */
interface Interruption {
  readonly what: string;
  readonly process: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface RunEvidence {
  readonly notes: readonly Noted[];
  readonly deaths: readonly Death[];
  readonly freezes: readonly Freeze[];
  /** A process that stands still for less keeps its locks. */
  readonly excuseMs: number;
}

/** Time from the moment at which a lock is seen to be good to the first line of the handler, at most, ms. */
const SLACK_MS = 250;

export function wrongRuns(evidence: RunEvidence): readonly string[] {
  const interruptions = Map.groupBy(interruptionsIn(evidence), ({ process }) => process);
  const allInterruptions = Map.groupBy(
    interruptionsIn({ ...evidence, excuseMs: 0 }),
    ({ process }) => process,
  );
  const activities = Map.groupBy(runsIn(evidence.notes), ({ key }) => key);
  return [...activities.values()].flatMap((runs) =>
    runs
      .toSorted((a, b) => a.beginMs - b.beginMs)
      .flatMap((run, index, all) => {
        const next = all[index + 1];
        if (next === undefined) return [];
        const excuses = (interruptions.get(run.process) ?? []).filter(
          ({ fromMs, toMs }) => toMs + SLACK_MS >= run.beginMs && fromMs <= next.beginMs,
        );
        const wrong = wrongPair(run, next, excuses);
        if (wrong === undefined) return [];
        const known = allInterruptions.get(run.process) ?? [];
        return [`${run.key} ${wrong}: ${describePair(run, next, known)}${describeOthers(all.length)}`];
      }),
  );
}

/** How many runs of activities there were, and how many activities. */
export function countRuns(notes: readonly Noted[]): { readonly runs: number; readonly activities: number } {
  const runs = runsIn(notes);
  return { runs: runs.length, activities: new Set(runs.map(({ key }) => key)).size };
}

function wrongPair(run: Run, next: Run, excuses: readonly Interruption[]): string | undefined {
  const diedMs = excuses.find(({ what }) => what === DEATH)?.fromMs ?? Number.POSITIVE_INFINITY;
  const overlaps = Math.min(run.endMs ?? Number.POSITIVE_INFINITY, diedMs) > next.beginMs;
  if (overlaps && run.process === next.process) return "ran twice at once in one process";
  if (overlaps && !excuses.some(({ what }) => what !== DEATH)) return "ran twice at once without an excuse";
  return excuses.length === 0 ? "ran again without an excuse" : undefined;
}

const DEATH = "death";

function interruptionsIn({ notes, deaths, freezes, excuseMs }: RunEvidence): readonly Interruption[] {
  const standing = [
    ...freezes.map((freeze) => ({ what: "freeze", ...freeze })),
    ...notes.flatMap((note) => (note.kind === "block" || note.kind === "stall" ? [standstill(note)] : [])),
  ];
  const chains = [...Map.groupBy(standing, ({ process }) => process).values()].flatMap(chainsIn);
  return [
    ...deaths.map(({ process, atMs }) => ({
      what: DEATH,
      process,
      fromMs: Math.max(lastSignOf(notes, process, atMs), atMs - NOTED_LATE_MS),
      toMs: atMs,
    })),
    ...chains.flatMap(merged).filter(({ fromMs, toMs }) => toMs - fromMs >= excuseMs),
  ];
}

/** Time after a death at which it is noted, at most, ms. Others may run the activities of a dead process again before. */
const NOTED_LATE_MS = 500;

/** The last moment at which the notes of a process show that it lived, ms since the epoch. */
function lastSignOf(notes: readonly Noted[], process: string, beforeMs: number): number {
  const signs = notes
    .filter((note) => note.process === process)
    .map((note) => note.atMs + ("ms" in note ? note.ms : 0));
  return Math.max(0, ...signs.filter((atMs) => atMs <= beforeMs));
}

function standstill({ kind, process, atMs, ms }: Extract<Noted, { ms: number }>): Interruption {
  return { what: kind, process, fromMs: atMs, toMs: atMs + ms };
}

/** Too little time between two standstills for a renewal on a slow machine. */
const BREATH_MS = 1_000;

/** Standstills of one process that follow each other closely. */
function chainsIn(standing: readonly Interruption[]): readonly (readonly Interruption[])[] {
  const chains: Interruption[][] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const each of standing.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (each.fromMs - lastMs > BREATH_MS) chains.push([]);
    chains.at(-1)?.push(each);
    lastMs = Math.max(lastMs, each.toMs);
  }
  return chains;
}

/** Blocks in a row are no excuse: locks are renewed between them. What comes from outside can hit that renewal. */
function merged(chain: readonly Interruption[]): readonly Interruption[] {
  const outer = chain.find(({ what }) => what !== "block");
  if (outer === undefined) return chain;
  const fromMs = Math.min(...chain.map((each) => each.fromMs));
  const toMs = Math.max(...chain.map((each) => each.toMs));
  return [{ ...outer, what: chain.map(({ what }) => what).join(" + "), fromMs, toMs }];
}

function runsIn(notes: readonly Noted[]): readonly Run[] {
  const runs: Run[] = [];
  for (const note of notes) {
    if (note.kind === "begin") {
      const { process, instance, key, atMs } = note;
      runs.push({ process, instance, key, beginMs: atMs, endMs: undefined });
    }
    if (note.kind === "end") {
      const open = runs.findLast(
        ({ process, key, endMs }) => process === note.process && key === note.key && endMs === undefined,
      );
      if (open !== undefined) open.endMs = note.atMs;
    }
  }
  return runs;
}

/** How long before a run an interruption may be worth mentioning. */
const CONTEXT_MS = 15_000;

function describePair(run: Run, next: Run, known: readonly Interruption[]): string {
  const runs = [run, next].map(
    ({ process, beginMs, endMs }) => `${process} from ${time(beginMs)} to ${time(endMs)}`,
  );
  const near = known
    .filter(({ fromMs, toMs }) => toMs > run.beginMs - CONTEXT_MS && fromMs < next.beginMs + CONTEXT_MS)
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(
      ({ what, fromMs, toMs }) => `${what} at ${time(fromMs)} for ${((toMs - fromMs) / 1_000).toFixed(1)} s`,
    );
  return `${runs.join(", then ")}; of ${run.process}: ${near.join(", ") || "no interruption"}`;
}

function describeOthers(runs: number): string {
  return runs > 2 ? ` (${runs} runs in all)` : "";
}

function time(atMs: number | undefined): string {
  return atMs === undefined ? "(no end)" : new Date(atMs).toISOString().slice(11, -1);
}

/** Outcomes that were stored twice, and runs after the outcome was stored (4). Only some stores note what is stored. */
export function wrongAfterStored(notes: readonly Noted[]): readonly string[] {
  const stalls = new Set(notes.flatMap((note) => (note.kind === "stall" ? [standstill(note)] : [])));
  const ofActivities = notes.flatMap((note) =>
    note.kind === "begin" || note.kind === "stored" ? [note] : [],
  );
  return [...Map.groupBy(ofActivities, ({ key }) => key)].flatMap(([key, own]) => {
    const [first, ...again] = own.filter(({ kind }) => kind === "stored").map(({ atMs }) => atMs);
    if (first === undefined) return [];
    const late = own.filter((run) => {
      if (run.kind !== "begin" || run.atMs <= first) return false;
      const excuse = [...stalls].find(
        ({ process, fromMs, toMs }) =>
          process === run.process && fromMs < first && run.atMs <= toMs + SLACK_MS,
      );
      return excuse === undefined || !stalls.delete(excuse);
    });
    return [
      ...again.map((atMs) => `${key} was stored at ${time(first)} and at ${time(atMs)}`),
      ...late.map(({ atMs }) => `${key} ran at ${time(atMs)}, after it was stored at ${time(first)}`),
    ];
  });
}
