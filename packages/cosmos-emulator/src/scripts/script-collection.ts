/**
 * The operations that a stored procedure may call: the seam between the interpreter, which has no storage, and the
 * engine, which has no interpreter.
 */
import type { JsonValue } from "../protocol/json.ts";

/** A document of the script's container as its link names it: by id, or by resource id (the last part of `_self`). */
export type DocumentReference = { readonly id: string } | { readonly rid: string };

/** What the stored document must be like for a write to happen. */
export interface ScriptCondition {
  /** The ETag that the document must have, quotes included. */
  readonly etag?: string;
}

export interface ScriptQuery {
  readonly query: string;
  readonly parameters: readonly { readonly name: string; readonly value: JsonValue }[];
}

export interface ScriptPageOptions {
  /** At least 1; -1 leaves the size to the endpoint. */
  readonly pageSize: number;
  readonly continuation?: string;
}

export interface ScriptPage {
  /** JSON texts: documents, or whatever a query selects. */
  readonly rows: readonly string[];
  /** Absent after the last page. */
  readonly continuation?: string;
}

/**
 * What a script may do: work on one logical partition, in a transaction that its caller opened. Every call is
 * synchronous. A refusal is a `CosmosError`, and the script's callback receives it; any other error ends the script
 * and leaves `ScriptEngine.run` as it was thrown. Bodies are JSON texts.
 */
export interface ScriptCollection {
  /** By resource ids: `dbs/<rid>/colls/<rid>/`. */
  readonly selfLink: string;
  /** By names: `dbs/<id>/colls/<id>`. */
  readonly altLink: string;
  read(reference: DocumentReference): string;
  /** All documents of the partition, in the order of their insertion. */
  readFeed(options: ScriptPageOptions): ScriptPage;
  query(query: ScriptQuery, options: ScriptPageOptions): ScriptPage;
  /** The document as stored, as for every write. */
  create(body: string): string;
  upsert(body: string, condition: ScriptCondition): string;
  replace(reference: DocumentReference, body: string, condition: ScriptCondition): string;
  delete(reference: DocumentReference, condition: ScriptCondition): void;
  /** `patch` is an array of operations, or `{condition, operations}`. */
  patch(reference: DocumentReference, patch: string, condition: ScriptCondition): string;
}

export interface ScriptRequest {
  /** The body of the stored procedure: the text of one function. */
  readonly source: string;
  /** The id of the stored procedure, which stack traces name. */
  readonly name: string;
  readonly args: readonly JsonValue[];
  /** Whether `console.log` is kept (`x-ms-documentdb-script-enable-logging`). */
  readonly enableLogging: boolean;
}

export interface ScriptLimits {
  /** For the whole script, calls of the collection included. */
  readonly timeMs: number;
  /** Of the response body's JSON text, and of the log; in UTF-16 units, as the service counts them. */
  readonly maxResponseLength: number;
  readonly maxLogLength: number;
  /** Real time in milliseconds from any origin: by a clock that stands still, a loop would run for ever. */
  now(): number;
}

export interface ScriptResult {
  /** JSON text of what the script left in its response: `""` where it set nothing. */
  readonly body: string;
  /** What it logged, for `x-ms-documentdb-script-log-results`; not percent-encoded yet. */
  readonly log: string;
}
