/** Opens a database file of `@duroxide-ts/sqlite`. */
import { existsSync } from "node:fs";
import path from "node:path";
import { type Logger, ProviderError } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import type { StoreAccess } from "./store-name.ts";

export async function openSqlite(
  named: string,
  folder: string,
  access: StoreAccess,
  logger: Logger,
): Promise<{ readonly provider: SqliteProvider; readonly file: string }> {
  const file = path.resolve(folder, named);
  if (access !== "create" && !existsSync(file)) {
    throw new ProviderError({
      code: "cannot-open",
      operation: "open",
      message: `${file} does not exist; the program that uses it creates it`,
    });
  }
  const provider = await SqliteProvider.open(file, { readOnly: access === "read", logger });
  return { provider, file };
}
