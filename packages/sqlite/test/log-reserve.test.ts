/** The log is extended before commits need the room (docs/decisions/sqlite-commits.md). */
import { copyFileSync, statSync } from "node:fs";
import { createInstance, fetchWork, raised, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { type FileFixture, onFile, openFile, temporaryFolder } from "./support/fixture.ts";

const RESERVE_BYTES = 256 * 1024;

function logBytes({ path }: FileFixture): number {
  return statSync(`${path}-wal`).size;
}

/** Each commit has less than 32 KB. */
async function commit(store: FileFixture, commits: number): Promise<void> {
  for (let n = 0; n < commits; n++) await store.provider.enqueueForOrchestrator(raised("i", "e"));
}

describe("the log of a process that fetches work", () => {
  onFile("is longer than what the commits have written", async (store) => {
    await createInstance(store, "i");
    expect(logBytes(store)).toBeGreaterThanOrEqual(RESERVE_BYTES);
    const reserved = logBytes(store);
    await commit(store, 3);
    expect(logBytes(store)).toBe(reserved);
  });

  it("is extended again by the commit that outgrows it, and not beyond the size of a checkpoint", async () => {
    await using store = await openFile();
    await createInstance(store, "i");
    const sizes = new Set<number>();
    for (let n = 0; n < 150; n++) {
      await store.provider.enqueueForOrchestrator(raised("i", "e".repeat(40_000)));
      sizes.add(logBytes(store));
    }
    // The 150 commits have more than 6 MB. Without a reserve nearly each of them would extend the log.
    expect(sizes.size).toBeLessThan(20);
    expect(Math.max(...sizes)).toBeLessThan(5_000_000);
  });

  onFile("has no trace of the reserve in the tables, nor after a crash", async (store) => {
    await createInstance(store, "i");
    await commit(store, 3);
    using folder = temporaryFolder();
    for (const file of ["", "-wal"]) copyFileSync(store.path + file, folder.file(`copy.db${file}`));
    await using copy = await SqliteProvider.open(folder.file("copy.db"));
    for (const { admin } of [store.provider, copy]) {
      expect(await admin.getSystemMetrics()).toMatchObject({ totalInstances: 1, deadMessages: 0 });
    }
    expect(await copy.readHistory("i")).toEqual(await store.provider.readHistory("i"));
  });

  it("is not extended where the file may not grow, and commits go on", async () => {
    await using store = await openFile({ maxSizeBytes: 250_000 });
    await createInstance(store, "i");
    await commit(store, 3);
    expect(logBytes(store)).toBeLessThan(400_000);
    expect(await store.provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 3 });
  });
});

describe("the log of a process that does not fetch", () => {
  onFile("has no reserve", async (store) => {
    await store.provider.enqueueForOrchestrator(startItem("i"));
    const before = logBytes(store);
    await commit(store, 3);
    expect(logBytes(store)).toBeGreaterThan(before);
    expect(logBytes(store)).toBeLessThan(RESERVE_BYTES);
  });

  onFile("gets one with the first commit after a fetch", async (store) => {
    expect(await fetchWork(store)).toBeUndefined();
    await commit(store, 1);
    expect(logBytes(store)).toBeGreaterThanOrEqual(RESERVE_BYTES);
  });
});
