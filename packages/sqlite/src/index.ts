/**
 * The embedded SQLite provider of duroxide-ts.
 *
 * @module @duroxide-ts/sqlite
 */

export type { SqliteProviderOptions } from "./options.ts";
export { SqliteProvider } from "./provider.ts";
