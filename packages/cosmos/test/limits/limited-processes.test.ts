/**
 * Limits across processes that are killed and that stand still, on the local endpoint over HTTP, checked by the clocks of
 * the handlers in one file (docs/decisions/limits.md).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { CAN_RUN_SOURCES, entriesOf, Fleet, usage } from "../../../../test/support/limited-fleet.ts";

const SIZE = IS_DEEP
  ? { processes: 4, keys: 20, each: 60, callMs: 300, lockMs: 4_000, slots: 30, everyMs: 6_000 }
  : { processes: 3, keys: 6, each: 10, callMs: 100, lockMs: 2_000, slots: 12, everyMs: 1_500 };

const CONCURRENCY = 3;
const OF_ALL = IS_DEEP ? 30 : 12;

describe.skipIf(!CAN_RUN_SOURCES)("limits of several processes", () => {
  it("are never exceeded while processes are killed and stand still, and nothing is lost", {
    timeout: 1_200_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "limits-"));
    using removed = new DisposableStack();
    removed.defer(() => rmSync(folder, { recursive: true }));
    const log = join(folder, "log");
    writeFileSync(log, "");
    await using emulator = await CosmosEmulator.start({ port: 0 });
    const { connectionString } = emulator;
    await using provider = await CosmosProvider.connect({
      connectionString,
      database: "limits",
      container: "limits",
    });
    const client = new Client(provider);
    await client.limits.set("k/*", { concurrency: CONCURRENCY });
    await client.limits.set("k", { concurrency: OF_ALL });
    const keys = Array.from({ length: SIZE.keys }, (_, n) => `k/${n}`);
    const handles = await Promise.all(
      keys.map((key) => client.start("spread", { input: { key, calls: SIZE.each } })),
    );
    const fleet = new Fleet(connectionString, log, SIZE);
    const startedMs = Date.now();
    try {
      await Promise.all(Array.from({ length: SIZE.processes }, () => fleet.start()));
      const result = Promise.all(handles.map((handle) => handle.result({ timeout: { minutes: 18 } })));
      let isOver = false;
      result.finally(() => (isOver = true)).catch(() => {});
      for (let round = 0; !isOver && round < 6; round++) {
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
    const { running, waiting } = await client.limits.get("k");
    expect([running, waiting]).toEqual([0, 0]);
  });
});
