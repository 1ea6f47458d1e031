/**
 * Limits across processes that are killed and that stand still, checked by the clocks of the handlers in one file
 * (docs/decisions/limits.md). `npm run test:deep` runs 8 processes with 100 keys and 50,000 activities.
 */
import { writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { CAN_RUN_SOURCES, entriesOf, Fleet, usage } from "../../../test/support/limited-fleet.ts";
import { temporaryFolder } from "./support/fixture.ts";

const SIZE = IS_DEEP
  ? { processes: 8, keys: 100, each: 500, callMs: 300, lockMs: 10_000, slots: 100, everyMs: 15_000 }
  : { processes: 3, keys: 12, each: 25, callMs: 60, lockMs: 1_000, slots: 20, everyMs: 700 };

const CONCURRENCY = 3;
const OF_ALL = IS_DEEP ? 250 : 25;

describe.skipIf(!CAN_RUN_SOURCES)("limits of several processes", () => {
  it("are never exceeded while processes are killed and stand still, and nothing is lost", {
    timeout: 1_200_000,
  }, async () => {
    using folder = temporaryFolder();
    const store = folder.file("test.db");
    const log = folder.file("log");
    writeFileSync(log, "");
    await using provider = await SqliteProvider.open(store);
    const client = new Client(provider);
    await client.limits.set("k/*", { concurrency: CONCURRENCY });
    await client.limits.set("k", { concurrency: OF_ALL });
    const keys = Array.from({ length: SIZE.keys }, (_, n) => `k/${n}`);
    const handles = await Promise.all(
      keys.map((key) => client.start("spread", { input: { key, calls: SIZE.each } })),
    );
    const fleet = new Fleet(store, log, SIZE);
    const startedMs = Date.now();
    try {
      await Promise.all(Array.from({ length: SIZE.processes }, () => fleet.start()));
      const result = Promise.all(handles.map((handle) => handle.result({ timeout: { minutes: 18 } })));
      let isOver = false;
      result.finally(() => (isOver = true)).catch(() => {});
      for (let round = 0; !isOver; round++) {
        await Promise.race([setTimeout(SIZE.everyMs), result.catch(() => {})]);
        if (!isOver) await fleet.trouble(round);
      }
      expect(await result).toEqual(keys.map(() => SIZE.each));
    } finally {
      await fleet.end();
    }
    const entries = entriesOf(log);
    for (const key of keys) {
      const { most } = usage(entries, fleet.stops, SIZE, (each) => each === key);
      expect(most, `runs of ${key} at the same time`).toBeLessThanOrEqual(CONCURRENCY);
    }
    const { most, usedMs } = usage(entries, fleet.stops, SIZE, () => true);
    expect(most, "runs of all keys at the same time").toBeLessThanOrEqual(OF_ALL);
    const tookMs = Date.now() - startedMs;
    process.stdout.write(
      `${entries.length / 2} runs in ${tookMs} ms, ${fleet.stops.length} kills and freezes, most ${most} of ${OF_ALL}, used ${Math.round((100 * usedMs) / (OF_ALL * tookMs))} %\n`,
    );
  });
});
