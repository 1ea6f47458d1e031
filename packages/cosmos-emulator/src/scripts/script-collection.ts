/**
 * The operations that a stored procedure may call: the seam between the interpreter, which has no storage, and the
 * engine, which has no interpreter.
 */
import type { JsonValue } from "../protocol/json.ts";

/** A document of the script's container as its link names it: by id, or by resource id (the last part of `_self`). */
export type DocumentReference = { readonly id: string } | { readonly rid: string };

export interface ScriptQuery {
  readonly query: string;
  readonly parameters: readonly { readonly name: string; readonly value: JsonValue }[];
}

export interface ScriptPageOptions {
  /** Number of rows, at least 1; -1 leaves the size to the endpoint. */
  readonly pageSize: number;
  readonly continuation?: string;
}

export interface ScriptPage {
  /** JSON texts. */
  readonly rows: readonly string[];
  /** Place of the next page; absent after the last one. */
  readonly continuation?: string;
}

/**
 * The collection of a script: work on one logical partition, in a transaction that its caller opened. Every call is
 * synchronous. A refusal is a `CosmosError`, and the script's callback receives it; any other error ends the script
 * and leaves `ScriptEngine.run` as it was thrown. Bodies are JSON texts.
 */
export interface ScriptCollection {
  /** Link by resource ids: `dbs/<rid>/colls/<rid>/`. */
  readonly selfLink: string;
  /** Link by names: `dbs/<id>/colls/<id>`. */
  readonly altLink: string;
  read(reference: DocumentReference): string;
  query(query: ScriptQuery, options: ScriptPageOptions): ScriptPage;
  /**
   * Patches a document and returns it as stored; 412 unless its ETag is `etag`, where one is given.
   * @param patch A list of operations, or `{condition, operations}`.
   */
  patch(reference: DocumentReference, patch: JsonValue, etag: string | undefined): string;
}

export interface ScriptRequest {
  /** The body of the stored procedure: the text of one function. */
  readonly source: string;
  /** The id of the stored procedure, which stack traces name. */
  readonly name: string;
  readonly args: readonly JsonValue[];
}

export interface ScriptLimits {
  /** Time of the whole script, calls of the collection included. */
  readonly timeMs: number;
  /** Length of the response's JSON text in UTF-16 units, as the service counts it. */
  readonly maxResponseLength: number;
  /** Returns real time in milliseconds from any origin: by a clock that stands still, a loop would run for ever. */
  now(): number;
}
