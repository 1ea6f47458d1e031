/**
 * Measures what the disk allows one writer that waits for each of its writes: pages of a file that has its size already are
 * overwritten and synced one by one. Measured beside W4, because a disk that others use changes within minutes.
 */
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAGE_BYTES = 4_096;
const PAGES = 1_000;
const SYNCS = 300;

/** Times of syncs in the folder of the measured files, ms. */
export function syncTimesMs(): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), "duroxide-bench-"));
  const file = openSync(join(folder, "syncs"), "w");
  try {
    writeSync(file, Buffer.alloc(PAGES * PAGE_BYTES, 1));
    fsyncSync(file);
    const page = Buffer.alloc(PAGE_BYTES, 2);
    return Array.from({ length: SYNCS }, (_, n) => {
      const sinceMs = performance.now();
      writeSync(file, page, 0, PAGE_BYTES, n * PAGE_BYTES);
      fdatasyncSync(file);
      return performance.now() - sinceMs;
    });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
