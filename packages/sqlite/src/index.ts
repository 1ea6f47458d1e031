/**
 * The embedded SQLite provider of duroxide-ts.
 *
 * @module @duroxide-ts/sqlite
 */

export type { CompactOptions, CompactResult } from "./admin/compaction.ts";
export type { Durability, SqliteProviderOptions } from "./connection/options.ts";
export { SqliteProvider } from "./provider.ts";
