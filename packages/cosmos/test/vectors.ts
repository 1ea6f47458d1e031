/** The files of ./vectors, recorded from the Rust crate duroxide-cdb 0.1.10. `raw` is the exact text that serde wrote. */
import { readFileSync } from "node:fs";
import path from "node:path";

export interface DocumentVector {
  readonly name: string;
  readonly raw: string;
}

/** One field of one vector changed in one way, and what Rust made of it. */
export interface AcceptanceRow {
  /** Name of the vector, such as `doc:history`. */
  readonly base: string;
  readonly field: string;
  readonly change: string;
  readonly accepted: boolean;
  readonly reserialised?: string;
}

export interface DispatchSlotVector {
  readonly instanceId: string;
  /** The 64-bit hash in decimal. */
  readonly hash: string;
  readonly slot: number;
}

const read = <T>(file: string): T =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, "vectors", file), "utf8")) as T;

export const documentVectors: readonly DocumentVector[] = read("documents.json");
export const acceptanceRows: readonly AcceptanceRow[] = read("acceptance-documents.json");
export const dispatchSlotVectors: readonly DispatchSlotVector[] = read("dispatch-slots.json");
