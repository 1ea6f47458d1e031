/**
 * The figures of the overview. What ended is a sample of the instances that changed last. What runs is counted, except
 * where the store charges by request: there it is what pages have, until a request asks for a count.
 */
import type { Blocked } from "@duroxide-ts/core";
import { instanceState } from "@duroxide-ts/core/operate";
import type { InstanceFilter } from "@duroxide-ts/core/stores";
import type { CountedFigures, Figure, Overview } from "../page/shapes/overview.ts";
import { attentionOf, type Findings } from "./attention.ts";
import { countedFigures } from "./counted-figures.ts";
import { figureOf, type OpenFigures, unitsOf } from "./open-figures.ts";
import { pagedFigures } from "./paged-figures.ts";
import { figuresOf, minutesOf, runningOf } from "./sample-figures.ts";
import type { Source } from "./source.ts";
import { unservedWork } from "./unserved-work.ts";

const HOUR_MS = 3_600_000;
/** The largest page of a store. */
const SAMPLE = 1_000;
const MOST_BLOCKED = 100;
const MOST_LETTERS = 10;

export async function readOverview(source: Source): Promise<Overview> {
  const { clock } = source;
  const nowMs = clock.now();
  const found = await readFound(source, nowMs);
  const asOfMs = clock.now();
  return { ...found, tookMs: asOfMs - nowMs, asOfMs, nowMs: asOfMs };
}

/** Counts what `readOverview` leaves out where counts cost. */
export async function countFigures(source: Source): Promise<CountedFigures> {
  const { clock } = source;
  const nowMs = clock.now();
  const { running, failedToday, runningBy, requestUnits } = await countedFigures(source, nowMs);
  const asOfMs = clock.now();
  return {
    running,
    failedToday,
    kinds: runningOf(runningBy),
    ...(requestUnits > 0 && { requestUnits }),
    tookMs: asOfMs - nowMs,
    asOfMs,
    nowMs: asOfMs,
  };
}

type Found = Omit<Overview, "tookMs" | "asOfMs" | "nowMs">;

async function readFound(source: Source, nowMs: number): Promise<Found> {
  const { admin } = source;
  const changed: InstanceFilter = { updatedFromMs: nowMs - HOUR_MS };
  const blocked = await admin.query({ filter: { blocked: true }, limit: MOST_BLOCKED });
  const [open, sample, workers, letters] = await Promise.all([
    blocked.cost === undefined ? counted(source, nowMs) : paged(source, nowMs),
    admin.query({ filter: changed, order: "updated-desc", limit: SAMPLE }),
    admin.workers(),
    admin.deadLetters({ limit: MOST_LETTERS }),
  ]);
  const notSuspended = blocked.instances.filter((it) => instanceState(it) === "blocked");
  const unserved = await unservedWork(source, open.hasTags);
  const listed = new Set(blocked.instances.map(({ instanceId }) => instanceId));
  // A start that no process takes is no instance yet.
  const isNew = ({ instanceId }: Blocked): boolean => !listed.has(instanceId);
  const starts = blocked.continuation === undefined ? unserved.starts.filter(isNew) : [];
  const { running, failedToday, ready, isPaged, oldestDueMs } = open;
  const requestUnits = open.requestUnits + unitsOf([blocked, sample]);
  return {
    running,
    failedToday,
    ready,
    ...(isPaged && { isPaged }),
    blocked: {
      ...figureOf([...notSuspended, ...starts], blocked.continuation),
      ...(starts.length > 0 && unserved.isCut && { isMore: true }),
    },
    workers: workers.length,
    deadLetters: figureOf(letters.deadLetters, letters.continuation),
    ...(oldestDueMs !== undefined && { oldestDueMs }),
    kinds: figuresOf(open.runningBy, sample.instances),
    minutes: minutesOf(sample.instances, nowMs),
    ...(sample.continuation !== undefined && { sampleSize: sample.instances.length }),
    attention: attentionOf({
      blocked: notSuspended,
      unserved: notListed(unserved.causes, listed),
      workers,
      oldestDueMs,
      letters: letters.deadLetters.length,
    }),
    ...(requestUnits > 0 && { requestUnits }),
  };
}

function notListed(unserved: Findings["unserved"], listed: ReadonlySet<string>): Findings["unserved"] {
  return unserved.filter(({ instanceId, reason }) => reason === "unserved-tag" || !listed.has(instanceId));
}

interface Open extends OpenFigures {
  readonly ready: Figure;
  readonly oldestDueMs: number | undefined;
  readonly isPaged: boolean;
  readonly hasTags: boolean;
}

async function counted(source: Source, nowMs: number): Promise<Open> {
  const { admin } = source;
  const [figures, ready, { work }] = await Promise.all([
    countedFigures(source, nowMs),
    readyRows(admin),
    admin.work({ overdueByMs: 0, limit: 1 }),
  ]);
  return {
    ...figures,
    ready,
    oldestDueMs: dueFor(work[0]?.visibleAtMs, nowMs),
    isPaged: false,
    hasTags: true,
  };
}

async function paged(source: Source, nowMs: number): Promise<Open> {
  const { oldestVisibleAtMs, ...figures } = await pagedFigures(source, nowMs);
  return { ...figures, oldestDueMs: dueFor(oldestVisibleAtMs, nowMs), isPaged: true };
}

function dueFor(visibleAtMs: number | undefined, nowMs: number): number | undefined {
  return visibleAtMs === undefined ? undefined : Math.max(0, nowMs - visibleAtMs);
}

async function readyRows(admin: Source["admin"]): Promise<Figure> {
  const { orchestratorQueue, workerQueue } = await admin.queueDepths();
  return { count: orchestratorQueue + workerQueue };
}
