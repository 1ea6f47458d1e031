/** Opens a database file of `@duroxide-ts/sqlite`. */
import { existsSync } from "node:fs";
import path from "node:path";
import { type Logger, type Provider, ProviderError } from "@duroxide-ts/core/client";
import type { StoreAccess } from "./store-name.ts";

export async function openSqlite(
  named: string,
  folder: string,
  access: StoreAccess,
  logger: Logger,
): Promise<{ readonly provider: Provider; readonly file: string }> {
  const file = path.resolve(folder, named);
  if (access !== "create" && !existsSync(file)) {
    throw new ProviderError({
      code: "cannot-open",
      operation: "open",
      message: `${file} does not exist; the program that uses it creates it, and so does duroxide import with --create`,
    });
  }
  return { provider: await open(file, access, logger), file };
}

/** Opens the file. The part that writes is loaded for verbs that write. */
async function open(file: string, access: StoreAccess, logger: Logger): Promise<Provider> {
  if (access === "read") {
    const { SqliteReader } = await import("@duroxide-ts/sqlite/reader");
    return SqliteReader.open(file, { logger });
  }
  const { SqliteProvider } = await import("@duroxide-ts/sqlite");
  return SqliteProvider.open(file, { logger });
}
