/**
 * The embedded SQLite provider of duroxide-ts.
 *
 * @module @duroxide-ts/sqlite
 */

export type { CompactOptions, CompactResult } from "./compaction.ts";
export type { SqliteProviderOptions } from "./options.ts";
export { SqliteProvider } from "./provider.ts";
