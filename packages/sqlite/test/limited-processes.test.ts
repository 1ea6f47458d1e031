/**
 * Limits across processes that are killed and that stand still, checked by the clocks of the handlers in one file
 * (docs/decisions/limits.md). `npm run test:deep` runs 8 processes with 100 keys and 50,000 activities.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { temporaryFolder } from "./support/fixture.ts";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const WORKER = fileURLToPath(new URL("./support/limited-worker.ts", import.meta.url));

const SIZE = IS_DEEP
  ? { processes: 8, keys: 100, each: 500, callMs: 300, lockMs: 10_000, slots: 100, everyMs: 15_000 }
  : { processes: 3, keys: 12, each: 25, callMs: 60, lockMs: 1_000, slots: 20, everyMs: 700 };

const CONCURRENCY = 3;
const OF_ALL = IS_DEEP ? 250 : 25;

interface Entry {
  readonly atMs: number;
  readonly what: "begin" | "end";
  readonly run: string;
  readonly key: string;
  readonly process: string;
}

/** A time from which what a process still runs does not count: it was killed, or stands still beyond its locks. */
interface Stop {
  readonly process: string;
  readonly atMs: number;
}

class Fleet {
  readonly stops: Stop[] = [];
  readonly #children = new Map<string, ChildProcess>();
  readonly #store: string;
  readonly #log: string;
  #started = 0;

  constructor(store: string, log: string) {
    this.#store = store;
    this.#log = log;
  }

  async start(): Promise<void> {
    const name = `p${this.#started++}`;
    const { callMs, lockMs, slots } = SIZE;
    const child = spawn(
      process.execPath,
      [
        "--conditions=@duroxide-ts/source",
        "--no-warnings",
        WORKER,
        this.#store,
        this.#log,
        name,
        String(callMs),
        String(lockMs),
        String(slots),
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    this.#children.set(name, child);
    await once(child.stdout ?? child, "data");
  }

  /** Kills one process and starts another, or lets one stand still for longer than its locks. */
  async trouble(round: number): Promise<void> {
    const names = [...this.#children.keys()];
    const name = names[round % names.length] ?? "";
    const child = this.#children.get(name);
    if (round % 2 === 0) {
      child?.kill("SIGKILL");
      this.stops.push({ process: name, atMs: Date.now() });
      this.#children.delete(name);
      await this.start();
      return;
    }
    child?.kill("SIGSTOP");
    this.stops.push({ process: name, atMs: Date.now() });
    await setTimeout(1.5 * SIZE.lockMs);
    child?.kill("SIGCONT");
  }

  async end(): Promise<void> {
    const children = [...this.#children.values()];
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(
      children.filter((child) => child.exitCode === null).map((child) => once(child, "exit")),
    );
  }
}

function entriesOf(log: string): readonly Entry[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Entry);
}

/** The most that ran at the same time, of the key or of all, and the share of the limit that was used. */
function usage(entries: readonly Entry[], stops: readonly Stop[], keys: (key: string) => boolean) {
  const ends = new Map(entries.filter(({ what }) => what === "end").map(({ run, atMs }) => [run, atMs]));
  const marks = entries
    .filter(({ what, key }) => what === "begin" && keys(key))
    .flatMap(({ run, atMs, process }) => {
      const stopped = stops.find((stop) => stop.process === process && stop.atMs >= atMs)?.atMs ?? Infinity;
      // A process that gets no time on a busy machine stands still too: it has lost what it ran for longer than a lock.
      const endMs = Math.min(ends.get(run) ?? Infinity, stopped, atMs + SIZE.lockMs);
      return [
        { atMs, change: 1 },
        { atMs: endMs, change: -1 },
      ];
    })
    // What ends at an instant ends before what begins at it.
    .sort((a, b) => a.atMs - b.atMs || a.change - b.change);
  let running = 0;
  let most = 0;
  let usedMs = 0;
  let lastMs = marks[0]?.atMs ?? 0;
  for (const { atMs, change } of marks) {
    if (atMs !== Infinity) usedMs += running * (atMs - lastMs);
    lastMs = Math.min(atMs, Number.MAX_SAFE_INTEGER);
    running += change;
    most = Math.max(most, running);
  }
  return { most, usedMs };
}

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
    const fleet = new Fleet(store, log);
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
      const { most } = usage(entries, fleet.stops, (each) => each === key);
      expect(most, `runs of ${key} at the same time`).toBeLessThanOrEqual(CONCURRENCY);
    }
    const { most, usedMs } = usage(entries, fleet.stops, () => true);
    expect(most, "runs of all keys at the same time").toBeLessThanOrEqual(OF_ALL);
    const tookMs = Date.now() - startedMs;
    process.stdout.write(
      `${entries.length / 2} runs in ${tookMs} ms, ${fleet.stops.length} kills and freezes, most ${most} of ${OF_ALL}, used ${Math.round((100 * usedMs) / (OF_ALL * tookMs))} %\n`,
    );
  });
});
