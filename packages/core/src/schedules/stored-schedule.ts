/** A schedule as its instance stores it: the custom status, as JSON (docs/decisions/schedules.md). */
import { createHash } from "node:crypto";
import { storedJson } from "../contract/stored-notes.ts";
import type { Duration } from "../define/duration.ts";
import type { CatchUp, Overlap } from "../define/schedule.ts";

/** The times and rules of a schedule, with what is left out by the code filled in. */
export interface ScheduleDefinition {
  readonly cron?: string;
  readonly timezone?: string;
  readonly every?: Duration;
  readonly offset?: Duration;
  /** Ms since the epoch, ascending, one a second at most. */
  readonly at?: readonly number[];
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly jitter?: Duration;
  /** The name of the orchestration. */
  readonly orchestration: string;
  readonly revision?: number;
  readonly owner: string;
  readonly pauseOnFailure?: number;
}

/** The definition as it is stored. */
export interface StoredDefinition extends ScheduleDefinition {
  /** The text of the codec. Absent where it is too large. */
  readonly input?: string;
}

/** A run that may not have ended. */
export interface OpenRun {
  readonly id: string;
  readonly atMs: number;
  /** Whether its end is told. */
  readonly tells: boolean;
}

/** A change by code or by hand. */
export interface ScheduleChange {
  readonly verb: "apply" | "pause" | "resume" | "trigger" | "backfill";
  readonly atMs: number;
  readonly by?: string;
  readonly reason?: string;
  /** The run of a trigger. */
  readonly run?: string;
}

/** The due times after one instant and up to another, ms since the epoch. */
export interface Period {
  readonly afterMs: number;
  readonly toMs: number;
}

/** The part of what is stored beside the definition that clients see. Times are ms since the epoch. */
export interface ScheduleProgress {
  /** The last due time, also where `overlap` left it out. */
  readonly lastDueMs?: number;
  readonly paused?: { readonly sinceMs: number; readonly by?: string; readonly reason?: string };
  /** The last due time whose run could not be started. */
  readonly lastFailure?: { readonly dueMs: number; readonly message: string };
  /** Due times that wait for the end of a run. */
  readonly queued: readonly number[];
  readonly createdAtMs: number;
  /** The last twenty changes, the newest last. */
  readonly changes: readonly ScheduleChange[];
}

/** All that is stored of a schedule. Times are ms since the epoch. */
export interface StoredSchedule extends ScheduleProgress {
  readonly format: 1;
  readonly definition: StoredDefinition;
  readonly hash: string;
  /** Hashes of the definitions that it replaced. */
  readonly replaced: readonly string[];
  /** Why runs cannot be started: the input is too large to be stored. */
  readonly refusal?: string;
  /** Due times up to here are decided. */
  readonly decidedMs: number;
  /** Runs that failed since the last one that did not. */
  readonly failures: number;
  readonly running: readonly OpenRun[];
  /** Missed due times that run one after the other. */
  readonly missed: readonly Period[];
  /** Due times that are run by hand. */
  readonly backfills: readonly Period[];
}

/** `undefined` for a text that is no schedule of this format. */
export function readSchedule(text: string | null | undefined): StoredSchedule | undefined {
  const value = storedJson(text ?? "") as StoredSchedule | null | undefined;
  return typeof value === "object" && value?.format === 1 ? value : undefined;
}

/** The hash of a definition with its input before the codec, which may encode it differently each time. */
export function hashOf({ input: _, ...definition }: StoredDefinition, input: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([sorted(definition), sorted(input)]))
    .digest("hex")
    .slice(0, 32);
}

/** The value with the members of objects in the order of their names, and what JSON has not as text. */
function sorted(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Map || value instanceof Set)
    return [value.constructor.name, ...[...value].map(sorted)];
  if (Array.isArray(value)) return value.map(sorted);
  if ("toJSON" in value) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}
