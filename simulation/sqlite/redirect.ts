/** Leads the SQLite provider's imports of what a simulation replaces to the simulated ones. Before the provider is loaded. */
import { registerHooks } from "node:module";

/** Replaced modules, by importing file and import. */
const REPLACED = [
  { by: "/packages/sqlite/src/connection/database.ts", name: "node:sqlite", with: "database-sync.ts" },
  { by: "/packages/sqlite/src/connection/database-file.ts", name: "node:fs", with: "node-fs.ts" },
  { by: "/packages/sqlite/src/connection/disk.ts", name: "node:fs", with: "node-fs.ts" },
  { by: "/packages/sqlite/src/connection/open-database.ts", name: "node:fs", with: "node-fs.ts" },
] as const;

export function redirectSqlite(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = REPLACED.find(
        ({ by, name }) => name === specifier && context.parentURL?.endsWith(by) === true,
      );
      if (found === undefined) return next(specifier, context);
      return { url: new URL(found.with, import.meta.url).href, shortCircuit: true };
    },
  });
}
