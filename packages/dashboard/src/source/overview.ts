/**
 * The figures of the overview. Nothing here reads all instances: open ones are counted, and what ended is a sample of
 * those that changed last. Stores without queries have the counts of the whole store only.
 */
import type { Blocked } from "@duroxide-ts/core";
import type {
  InstanceCount,
  InstanceQueryFilter,
  InstanceSummary,
  QueryCost,
  Worker,
} from "@duroxide-ts/core/stores";
import type { Overview } from "../page/shapes/overview.ts";
import { attentionOf } from "./attention.ts";
import { queueFigures } from "./queue-figures.ts";
import { figuresOf, minutesOf } from "./sample-figures.ts";
import type { Source } from "./source.ts";
import { storeFilter } from "./store-filter.ts";
import { blockedStarts } from "./waiting-starts.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The largest page of a store. */
const SAMPLE = 1_000;

export async function readOverview(source: Source): Promise<Overview> {
  const { admin, clock } = source;
  const nowMs = clock.now();
  const found = admin.queries ? await withQueries(source, nowMs) : await withoutQueries(source);
  const queues = queueFigures(await admin.queueDepths());
  const asOfMs = clock.now();
  return { ...found, queues, tookMs: asOfMs - nowMs, asOfMs, nowMs: asOfMs };
}

type Found = Omit<Overview, "queues" | "tookMs" | "asOfMs" | "nowMs">;

async function withoutQueries({ admin }: Source): Promise<Found> {
  const { runningInstances, blockedWork, deadMessages } = await admin.metrics();
  return {
    running: runningInstances,
    ...(blockedWork !== undefined && { blocked: blockedWork }),
    ...(deadMessages !== undefined && { deadLetters: deadMessages }),
    kinds: [],
    minutes: [],
    attention: [],
  };
}

async function withQueries(source: Source, nowMs: number): Promise<Found> {
  const { admin } = source;
  const changed: InstanceQueryFilter = { updatedFromMs: nowMs - HOUR_MS };
  const [running, failed, blocked, sample, oldest, workers, letters, unserved, starts] = await Promise.all([
    admin.count({ status: ["Running"] }, ["name", "version"]),
    admin.count({ ...storeFilter({ state: "failed" }, nowMs), updatedFromMs: nowMs - DAY_MS }),
    admin.query({ filter: { blocked: true }, limit: 10 }),
    admin.query({ filter: changed, order: "updated-desc", limit: SAMPLE }),
    admin.work({ overdueByMs: 0, limit: 1 }),
    admin.workers(),
    admin.deadLetters({ limit: 10 }),
    unservedTags(source),
    blockedStarts(source),
  ]);
  const listed = new Set(blocked.instances.map(({ instanceId }) => instanceId));
  const [row] = oldest.work;
  const oldestDueMs = row === undefined ? undefined : Math.max(0, nowMs - row.visibleAtMs);
  const requestUnits = unitsOf([blocked, sample, oldest]);
  return {
    running: sumOf(running),
    failedToday: sumOf(failed),
    blocked: blocked.instances.length,
    ...(blocked.continuation !== undefined && { blockedIsMore: true }),
    workers: workers.length,
    deadLetters: letters.deadLetters.length,
    ...(letters.continuation !== undefined && { deadLettersIsMore: true }),
    ...(oldestDueMs !== undefined && { oldestDueMs }),
    kinds: figuresOf(running, sample.instances),
    minutes: minutesOf(sample.instances, nowMs),
    ...(sample.continuation !== undefined && { sampleSize: sample.instances.length }),
    attention: attentionFor(source, {
      blocked: blocked.instances,
      unserved: [...starts.filter(({ instanceId }) => !listed.has(instanceId)), ...unserved],
      workers,
      oldestDueMs,
      letters: letters.deadLetters.length,
    }),
    ...(requestUnits > 0 && { requestUnits }),
  };
}

/** Of the queries that say what they cost. Counts, the depths of the queues and some others do not. */
function unitsOf(pages: readonly { readonly cost?: QueryCost }[]): number {
  return pages.reduce((sum, { cost }) => sum + (cost?.requestUnits ?? 0), 0);
}

function sumOf(counts: readonly InstanceCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The oldest activity for each of a few tags that no process serves, among the oldest such activities. */
async function unservedTags({ admin }: Source): Promise<readonly Blocked[]> {
  const byDetail = new Map<string, Blocked>();
  let seen = 0;
  for await (const blocked of admin.blocked({ reason: "unserved-tag" })) {
    if (!byDetail.has(blocked.detail)) byDetail.set(blocked.detail, blocked);
    if (++seen >= SAMPLE) break;
  }
  return [...byDetail.values()];
}

interface Findings {
  readonly blocked: readonly InstanceSummary[];
  readonly unserved: readonly Blocked[];
  readonly workers: readonly Worker[];
  readonly oldestDueMs: number | undefined;
  readonly letters: number;
}

function attentionFor({ payloads }: Source, findings: Findings): Overview["attention"] {
  return attentionOf({ ...findings, plain: (text) => payloads.plain(text, "error.message") });
}
