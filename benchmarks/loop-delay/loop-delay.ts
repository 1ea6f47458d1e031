/**
 * How long the event loop of a process with W1 stands still, on a disk that syncs at once and on one that takes 50 ms.
 * The sync is replaced in a process of its own (slow-sync.c), which needs a C compiler and Linux.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const HERE = import.meta.dirname;
const SYNC_MS = [0, 50];

export async function measureLoopDelay(): Promise<readonly object[]> {
  const folder = await mkdtemp(join(tmpdir(), "duroxide-loop-"));
  try {
    const library = join(folder, "slow-sync.so");
    await run("cc", ["-shared", "-fPIC", "-O1", "-o", library, join(HERE, "slow-sync.c")]);
    const lines: object[] = [];
    for (const syncMs of SYNC_MS)
      lines.push({ measure: "loop-delay", sync_ms: syncMs, ...(await delays(library, syncMs)) });
    return lines;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function delays(library: string, syncMs: number): Promise<object> {
  const env = { ...process.env, LD_PRELOAD: library, SYNC_MS: String(syncMs) };
  const { stdout } = await run(process.execPath, [...process.execArgv, join(HERE, "worker.ts")], { env });
  return JSON.parse(stdout) as object;
}
