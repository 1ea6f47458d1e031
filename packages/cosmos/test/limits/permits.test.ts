/** The permits of a process in memory, and the documents that it has read last. */
import { expect, it } from "vitest";
import { LastReads, type ReadDocuments } from "../../src/memory/last-reads.ts";
import { type Level, Permits } from "../../src/memory/permits.ts";

const NOW_MS = 1_000_000;

const ONE: Level = {
  rule: { concurrency: 1 },
  perMs: 0,
  readAtMs: NOW_MS,
  askedAtMs: NOW_MS,
  permits: 1,
  share: 1,
  untilMs: NOW_MS + 600_000,
  slots: [],
  askAtMs: 0,
  block: 0,
  beganAtMs: 0,
};

it("the permit of a lock that another process had before is free at once (permits.P2)", () => {
  let ends = 0;
  const permits = new Permits(
    () => "own",
    () => ends++,
  );
  permits.set("key", ONE);
  const begin = (row: string): boolean => permits.begin(row, "key", NOW_MS + 30_000, NOW_MS);
  expect([begin("first"), begin("second")]).toEqual([true, false]);
  permits.undo("first");
  expect(ends).toBe(1);
  expect(permits.running("key", NOW_MS)).toBe(0);
  expect(begin("second")).toBe(true);
});

it("documents that were read before this process has changed a rule are read again", () => {
  const reads = new LastReads();
  const ids = new Set(["rule:key"]);
  const documents: ReadDocuments = { readAtMs: NOW_MS, ids, stored: new Map() };
  reads.wereRead("key", documents, 0);
  expect(reads.likely("key", ids, { changes: 0, nowMs: NOW_MS })).toBe(documents);
  expect(reads.likely("key", ids, { changes: 1, nowMs: NOW_MS })).toBeUndefined();
});
