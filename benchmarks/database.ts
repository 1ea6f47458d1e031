/** A fresh file database for one measurement, removed afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Durability, SqliteProvider } from "@duroxide-ts/sqlite";

export async function withDatabase<T>(
  use: (provider: SqliteProvider) => Promise<T>,
  durability: Durability = "power",
): Promise<T> {
  return withFile(async (path) => {
    await using provider = await SqliteProvider.open(path, { durability });
    return await use(provider);
  });
}

/** The path of a file that does not exist yet, in a folder that is removed afterwards. */
export async function withFile<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "duroxide-bench-"));
  try {
    return await use(join(folder, "bench.db"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
