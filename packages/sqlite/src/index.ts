/** The embedded SQLite provider of duroxide-ts. */
export type { SqliteProviderOptions } from "./options.ts";
export { SqliteProvider } from "./provider.ts";
