/** Leads the SQLite provider's import of `node:sqlite` to the simulated one. Before the provider is loaded. */
import { registerHooks } from "node:module";

const PROVIDER = "/packages/sqlite/src/connection/database.ts";

export function redirectSqlite(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== "node:sqlite" || context.parentURL?.endsWith(PROVIDER) !== true)
        return next(specifier, context);
      return { url: new URL("database-sync.ts", import.meta.url).href, shortCircuit: true };
    },
  });
}
