/**
 * Readings of what stores keep for operators beside the rows that work needs: suspensions, blocks, reports of workers. A
 * damaged one is shown as such, so that it neither hides the other rows of a list nor stops work.
 */
import type { Suspended } from "./instance-info.ts";
import type { Worker } from "./queries.ts";
import type { BlockedReason } from "./status.ts";

const DAMAGED = "(damaged: what is stored about it cannot be read)";

/** A block as a store keeps it. */
export interface StoredBlock extends BlockedReason {
  readonly sinceMs: number;
  readonly attempts: number;
  readonly nextTryAtMs: number;
}

/** The value of a text; `undefined` where it is no JSON. */
export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a suspension. */
export function readSuspended(stored: unknown): Suspended {
  const { sinceMs, reason, by } = fieldsOf(stored);
  if (!isTime(sinceMs) || typeof reason !== "string") return { sinceMs: 0, reason: DAMAGED };
  return { sinceMs, reason, ...(typeof by === "string" && { by }) };
}

/** Reads a block, with all that its store keeps beside the fields of the contract. */
export function readBlock<B extends StoredBlock>(stored: unknown): B | StoredBlock {
  const { reason, detail, sinceMs, attempts, nextTryAtMs } = fieldsOf(stored);
  const isWhole = typeof reason === "string" && typeof detail === "string";
  if (isWhole && isTime(sinceMs) && isTime(attempts) && isTime(nextTryAtMs)) return stored as B;
  return { reason: "store", detail: DAMAGED, sinceMs: 0, attempts: 0, nextTryAtMs: 0 };
}

/** Reads the report of a process. */
export function readWorker(workerId: string, stored: unknown, lastSeenAtMs: number): Worker {
  if (isReport(stored)) return { ...stored, workerId, lastSeenAtMs };
  return {
    workerId,
    lastSeenAtMs,
    host: DAMAGED,
    pid: 0,
    startedAtMs: 0,
    packageVersion: "unknown",
    orchestrations: [],
    activities: [],
    turns: NO_SLOTS,
    activitySlots: NO_SLOTS,
  };
}

type Report = Omit<Worker, "workerId" | "lastSeenAtMs">;

const NO_SLOTS = { busy: 0, all: 0 };

function isReport(stored: unknown): stored is Report {
  const report = fieldsOf(stored);
  return (
    typeof report["host"] === "string" &&
    typeof report["packageVersion"] === "string" &&
    isTime(report["pid"]) &&
    isTime(report["startedAtMs"]) &&
    isListOf(report["activities"], isText) &&
    isListOf(report["orchestrations"], isVersioned) &&
    (report["tags"] === undefined || isListOf(report["tags"], isText)) &&
    isSlots(report["turns"]) &&
    isSlots(report["activitySlots"])
  );
}

function isVersioned(value: unknown): boolean {
  const { name, version } = fieldsOf(value);
  return isText(name) && isText(version);
}

function isSlots(value: unknown): boolean {
  const { busy, all } = fieldsOf(value);
  return isTime(busy) && isTime(all);
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A number that is no fault; times and counts alike. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
