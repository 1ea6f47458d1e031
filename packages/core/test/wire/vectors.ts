/** The files of ../vectors, recorded from the Rust crate duroxide 0.1.32. `raw` is the exact text that serde wrote. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "..", "vectors");

export interface DocumentVector {
  readonly name: string;
  readonly raw: string;
}

export interface EventVector extends DocumentVector {
  readonly isTerminal: boolean;
}

export interface WorkItemVector extends DocumentVector {
  readonly targetInstance: string;
}

export interface ErrorVector extends DocumentVector {
  readonly category: string;
  readonly isRetryable: boolean;
  readonly displayMessage: string;
}

export interface VersionVector {
  readonly version: string;
  readonly packed: number;
  readonly unpacked: string;
}

/** One field of one vector changed in one way, and what Rust made of it. */
export interface AcceptanceRow {
  /** Name of the vector, such as `event:TimerFired`. */
  readonly base: string;
  readonly field: string;
  readonly change: string;
  readonly accepted: boolean;
  readonly reserialised?: string;
}

export interface HandMadeRow {
  readonly name: string;
  readonly as: "Event" | "WorkItem";
  readonly text: string;
  readonly accepted: boolean;
  readonly reserialised?: string;
}

/** Not recorded from Rust: `raw` has fields that only we write, `without` is the same as Rust writes it. */
export interface OwnFieldsVector extends DocumentVector {
  readonly as: "Event" | "WorkItem";
  readonly without: string;
}

export interface RecordedHistory {
  readonly name: string;
  readonly instances: readonly { readonly executions: readonly { readonly events: readonly object[] }[] }[];
}

const read = <T>(file: string): T => JSON.parse(readFileSync(path.join(FOLDER, file), "utf8")) as T;

export const eventVectors: readonly EventVector[] = read("events.json");
export const workItemVectors: readonly WorkItemVector[] = read("workitems.json");
export const errorVectors: readonly ErrorVector[] = read("errors.json");
export const versionVectors: readonly VersionVector[] = read("packed-versions.json");
export const acceptanceRows: readonly AcceptanceRow[] = read("acceptance.json");
export const handMadeRows: readonly HandMadeRow[] = read("acceptance-hand.json");
export const ownFieldsVectors: readonly OwnFieldsVector[] = read("own-fields.json");

export function recordedHistories(): readonly RecordedHistory[] {
  return readdirSync(path.join(FOLDER, "histories")).map((file) => read(path.join("histories", file)));
}
