/** The findings of `duroxide doctor` in the rows of a store. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type HistoryEvent, systemClock } from "@duroxide-ts/core";
import {
  createInstance,
  mustFetch,
  raised,
  scheduled,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkSizes } from "../../src/doctor/check-sizes.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { Desk } from "../support/desk.ts";

const LOCK_MS = 30_000;
const LARGE_LOG_BYTES = 64_000_000;

let desk: Desk;
let file: string;
beforeEach(async () => {
  desk = await Desk.open("sqlite", { empty: true });
  file = path.join(desk.folder, "store.db");
});
afterEach(() => desk[Symbol.asyncDispose]());

interface Found {
  readonly level: string;
  readonly text: string;
  readonly next?: string;
}

const findings = (): Promise<readonly Found[]> => desk.json<readonly Found[]>(["doctor"]);

async function fetchOften(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const { lockToken } = await mustFetch({ provider: desk.provider, lockMs: LOCK_MS });
    await desk.provider.abandonOrchestrationItem(lockToken);
  }
}

it("an overdue row is red, with how long the oldest waits", async () => {
  const clock = { ...systemClock, now: () => systemClock.now() - 300_000 };
  await using past = await SqliteProvider.open(file, { clock });
  await past.enqueueForOrchestrator(startItem("late"));
  expect((await desk.cli(["doctor"])).code).toBe(1);
  expect(await findings()).toContainEqual({
    level: "red",
    text: expect.stringMatching(/^1 message could have been taken for more than 60 s \(the oldest for 5m/),
    next: "duroxide queues --rows --overdue 1m",
  });
});

it("a worker that reported itself in the future is a warning with the difference of its clock, one of some seconds is none", async () => {
  const report = async (workerId: string, aheadMs: number): Promise<void> => {
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    await using ahead = await SqliteProvider.open(file, { clock });
    await ahead.admin.reportWorker(workerId, {
      host: `host-of-${workerId}`,
      pid: 42,
      startedAtMs: clock.now(),
      packageVersion: "0.1.0",
      orchestrations: [],
      activities: [],
      turns: { busy: 0, all: 1 },
      activitySlots: { busy: 0, all: 1 },
    });
  };
  await report("right", 5_000);
  const about = async () => (await findings()).filter(({ text }) => text.includes("clock"));
  expect(await about()).toEqual([]);
  await report("wrong", 3_660_000);
  expect(await about()).toEqual([
    {
      level: "warn",
      text: expect.stringMatching(
        /^process 42 on host-of-wrong reported itself 1h0\dm in the future: its clock or that of this machine is wrong/,
      ),
      next: "duroxide workers",
    },
  ]);
});

it("a message that waits for a suspended instance is neither overdue nor ready", async () => {
  await createInstance({ provider: desk.provider, lockMs: LOCK_MS }, "paused");
  await desk.cli(["suspend", "paused", "--reason", "an audit", "--yes"]);
  const clock = { ...systemClock, now: () => systemClock.now() - 300_000 };
  await using past = await SqliteProvider.open(file, { clock });
  await past.enqueueForOrchestrator(raised("paused", "approved"));
  expect(await findings()).toContainEqual({ level: "ok", text: "no row is overdue" });
  expect(await desk.json(["queues"])).toContainEqual(
    expect.objectContaining({ queue: "orchestrator", ready: 0, later: 1 }),
  );
  expect((await desk.cli(["queues", "--rows"])).stdout).toMatch(/paused .*approved .*suspended/);
});

it("a row that was fetched often is a warning, one that was fetched three times is not", async () => {
  await desk.provider.enqueueForOrchestrator(startItem("often"));
  await fetchOften(3);
  const about = async () => (await findings()).filter(({ text }) => text.includes("was fetched"));
  expect(await about()).toEqual([]);
  await fetchOften(1);
  expect(await about()).toEqual([
    {
      level: "warn",
      text: "StartOrchestration TestOrch of often was fetched 4 times",
      next: "duroxide show often",
    },
  ]);
});

it("a long history of an instance that runs is a warning", async () => {
  await createInstance({ provider: desk.provider, lockMs: LOCK_MS }, "long");
  const events = Array.from({ length: 5_000 }, (_, n) => scheduled("long", n + 2));
  await desk.provider.appendHistory("long", 1, events);
  expect(await findings()).toContainEqual({
    level: "warn",
    text: "long: 5,001 events; continue as new",
    next: "duroxide show long",
  });
});

it("a payload near the limit is a warning that names it, one of half the size is none", async () => {
  const fixture = { provider: desk.provider, lockMs: LOCK_MS };
  await createInstance(fixture, "half");
  await createInstance(fixture, "large");
  const withInput = (id: string, length: number) =>
    desk.provider.appendHistory(id, 1, [
      { ...scheduled(id, 2), input: JSON.stringify("x".repeat(length)) } as HistoryEvent,
    ]);
  await withInput("half", 700_000);
  await withInput("large", 1_400_000);
  const about = (await findings()).filter(({ text }) => text.includes("in the store"));
  expect(about).toEqual([
    {
      level: "warn",
      text: expect.stringMatching(
        /^large: input of event 2 \(ActivityScheduled\) takes 1\.4 MB in the store, /,
      ),
      next: "duroxide history large",
    },
  ]);
});

describe("an instance whose executions take more than half of what Cosmos DB allows", () => {
  async function examined(kind: "cosmos" | "sqlite", executions: number): Promise<readonly object[]> {
    const summary = { instanceId: "grown", currentExecutionId: executions };
    const admin = {
      query: async () => ({ instances: [summary] }),
      executions: async () => Array.from({ length: executions }, (_, n) => n + 1),
    };
    const stats = async () => ({ historyEventCount: 10, historySizeBytes: 3_000_000_000 });
    const store = { kind, client: { admin, handle: () => ({ stats }) } } as unknown as OpenStore;
    return checkSizes({ store, workers: [], nowMs: 0 });
  }

  it("is red there, with the command that prunes it", async () => {
    expect(await examined("cosmos", 4)).toEqual([
      {
        level: "red",
        text: "grown: its 4 executions take about 12.0 GB; Azure Cosmos DB takes 20 GB for an instance",
        next: ["prune", "grown", "--keep-last", "2"],
      },
    ]);
    expect(await examined("cosmos", 3)).toEqual([{ level: "ok", text: expect.any(String) }]);
  });

  it("is a warning on SQLite", async () => {
    expect(await examined("sqlite", 4)).toMatchObject([{ level: "warn" }]);
  });
});

it("a large log of a file is a warning, with what keeps it large", async () => {
  await createInstance({ provider: desk.provider, lockMs: LOCK_MS }, "a");
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM instances").all();
  const data = JSON.stringify("x".repeat(1_000_000));
  for (let bytes = 0; bytes < LARGE_LOG_BYTES; bytes += data.length)
    await desk.provider.enqueueForOrchestrator({ kind: "ExternalRaised", instance: "a", name: "e", data });
  const found = await findings();
  reader.close();
  expect(found).toContainEqual({
    level: "warn",
    text: expect.stringMatching(
      /^the log of the file has \d+(\.\d)? MB: a program reads it in one long transaction\nlsof .*\nsqlite3 .*TRUNCATE/,
    ),
  });
});
