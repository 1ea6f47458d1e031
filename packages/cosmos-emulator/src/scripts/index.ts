/**
 * Stored procedures: server-side JavaScript in an interpreter of its own (docs/reference/cosmos-protocol.md §1.13).
 * Storage, transactions and HTTP are the caller's: it opens a transaction, calls `run`, and rolls back if that throws.
 */
export type {
  DocumentReference,
  ScriptCollection,
  ScriptLimits,
  ScriptPage,
  ScriptPageOptions,
  ScriptQuery,
  ScriptRequest,
} from "./script-collection.ts";
export { loadScripts, type ScriptEngine, type ScriptEngineOptions } from "./script-engine.ts";
