/**
 * Limits across processes that are killed and that stand still, checked by the clocks of the handlers in one file
 * (docs/decisions/limits.md): none is exceeded, and nothing is lost.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client, type Provider } from "@duroxide-ts/core";
import { expect } from "vitest";
import { entriesOf, Fleet, type FleetSize, type FleetStore, usage } from "./limited-fleet.ts";

export interface Load extends FleetSize {
  readonly processes: number;
  readonly keys: number;
  /** Calls of a key. */
  readonly each: number;
  /** How many of a key may run at the same time, and of all keys. */
  readonly ofKey: number;
  readonly ofAll: number;
  /** Time from one kill or freeze to the next, ms. */
  readonly everyMs: number;
  readonly mostTroubles: number;
}

export async function expectKeptLimits(provider: Provider, store: FleetStore, load: Load): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "limits-"));
  using removed = new DisposableStack();
  removed.defer(() => rmSync(folder, { recursive: true }));
  const log = join(folder, "log");
  writeFileSync(log, "");
  const client = new Client(provider);
  await client.limits.set("k/*", { concurrency: load.ofKey });
  await client.limits.set("k", { concurrency: load.ofAll });
  const keys = Array.from({ length: load.keys }, (_, n) => `k/${n}`);
  const fleet = new Fleet(store, log, load);
  const startedMs = Date.now();
  try {
    expect(await resultsOf(client, fleet, load, keys)).toEqual(keys.map(() => load.each));
  } finally {
    await fleet.end();
  }
  const entries = entriesOf(log);
  for (const key of keys) {
    const { most } = usage(entries, fleet.stops, load, (each) => each === key);
    expect(most, `runs of ${key} at the same time`).toBeLessThanOrEqual(load.ofKey);
  }
  const { most, usedMs } = usage(entries, fleet.stops, load, () => true);
  expect(most, "runs of all keys at the same time").toBeLessThanOrEqual(load.ofAll);
  const tookMs = Date.now() - startedMs;
  const used = Math.round((100 * usedMs) / (load.ofAll * tookMs));
  process.stdout.write(
    `${entries.filter(({ what }) => what === "begin").length} runs in ${tookMs} ms, ${fleet.stops.length} kills and freezes, most ${most} of ${load.ofAll}, used ${used} %\n`,
  );
  const { running, waiting } = await client.limits.get("k");
  expect([running, waiting]).toEqual([0, 0]);
}

async function resultsOf(
  client: Client,
  fleet: Fleet,
  load: Load,
  keys: readonly string[],
): Promise<readonly unknown[]> {
  const handles = await Promise.all(
    keys.map((key) => client.start("spread", { input: { key, calls: load.each } })),
  );
  await Promise.all(Array.from({ length: load.processes }, () => fleet.start()));
  const results = Promise.all(handles.map((handle) => handle.result({ timeout: { minutes: 18 } })));
  let isOver = false;
  results.finally(() => (isOver = true)).catch(() => {});
  for (let round = 0; !isOver && round < load.mostTroubles; round++) {
    await Promise.race([setTimeout(load.everyMs), results.catch(() => {})]);
    if (!isOver) await fleet.trouble(round);
  }
  return results;
}
