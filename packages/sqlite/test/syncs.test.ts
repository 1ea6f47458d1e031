/**
 * How often an orchestration that runs alone waits for the disk: one commit for its start with its first turn, and one for
 * each thing that it waits for (docs/decisions/sqlite-commits.md). Counted in the log, where each commit ends with a frame
 * that has the size of the file.
 */
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type AnyOrchestration, activity, Client, event, orchestration, Runtime } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteProvider } from "../src/index.ts";
import { temporaryFolder } from "./support/fixture.ts";

const greet = activity("greet", async () => "hello");
const child = orchestration("child", async () => 1);
const go = event<number>("go");

/** Each does the thing so many times, one after the other. */
const step = orchestration("step", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.scheduleActivity(greet);
});
const inPlace = orchestration("step in place", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.run("greet", () => "hello");
});
const timer = orchestration("timer", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.scheduleTimer(1_000);
});
const parent = orchestration("child that ends at once", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.scheduleSubOrchestration(child, undefined);
});
const worker = orchestration("worker", async (ctx) => ctx.scheduleActivity(greet));
const employer = orchestration("child with a step", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.scheduleSubOrchestration(worker, undefined);
});
const listener = orchestration("signal", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.waitForEvent(go);
});

/** The first turns of a kind begin after the commit that brings them, because their length is unknown. */
const WARM_UP_RUNS = 3;

let path: string;
let clock: VirtualClock;
let client: Client;
let running: AsyncDisposableStack;

/** A file for each test, so that its log is never begun anew. */
beforeEach(async () => {
  running = new AsyncDisposableStack();
  const folder = running.use(temporaryFolder());
  path = folder.file("a.db");
  clock = new VirtualClock();
  const provider = running.use(await SqliteProvider.open(path, { clock }));
  running.use(
    await Runtime.start({
      provider,
      clock,
      activities: [greet],
      orchestrations: [...SYNCS.map(([, , kind]) => kind), child, worker],
    }),
  );
  client = new Client(provider, { clock });
});
afterEach(() => running[Symbol.asyncDispose]());

async function run(kind: AnyOrchestration, times: number): Promise<void> {
  const instance = await client.start(kind.name, { input: times });
  const isListener = kind === listener;
  for (let n = 0; isListener && n < times; n++) {
    await settled(async () => (await instance.history()).length === 2 + 2 * n);
    await instance.raise(go, n);
  }
  await settled(async () => (await instance.status()).status === "Completed", kind === timer ? 500 : 0);
}

/** Time passes only where timers wait for it, so that each turn is a short one. */
async function settled(isSo: () => Promise<boolean>, passingMs = 0): Promise<void> {
  while (!(await isSo())) {
    await setImmediate();
    if (passingMs > 0) await clock.advance(passingMs);
  }
}

async function syncsOf(kind: AnyOrchestration, times: number): Promise<number> {
  for (let n = 0; n < WARM_UP_RUNS; n++) await run(kind, times);
  const before = commitsInLog();
  await run(kind, times);
  return commitsInLog() - before;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Frames that end a commit; what the log was made longer with is of no generation. */
function commitsInLog(): number {
  const log = readFileSync(`${path}-wal`);
  const generation = log.subarray(16, 24);
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    if (!log.subarray(at + 8, at + 16).equals(generation)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits++;
  }
  return commits;
}

/** Syncs of one more of each kind. */
const SYNCS: readonly (readonly [string, number, AnyOrchestration])[] = [
  [step.name, 1, step],
  [inPlace.name, 1, inPlace],
  [timer.name, 1, timer],
  [listener.name, 1, listener],
  [parent.name, 1, parent],
  [employer.name, 2, employer],
];

describe("syncs of the log", () => {
  it.each(SYNCS)("of each %s: %i", async (_name, syncs, kind) => {
    expect((await syncsOf(kind, 6)) - (await syncsOf(kind, 2))).toBe(4 * syncs);
  });

  it("of hello: 2, its start with its first turn, and its activity with the end", async () => {
    expect(await syncsOf(step, 1)).toBe(2);
  });
});
