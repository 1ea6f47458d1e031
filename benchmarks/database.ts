/** A fresh file database for one measurement, removed afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteProvider } from "@duroxide-ts/sqlite";

export async function withDatabase<T>(use: (provider: SqliteProvider) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "duroxide-bench-"));
  try {
    await using provider = await SqliteProvider.open(join(folder, "bench.db"));
    return await use(provider);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
