/** Rounds of retention over more instances than one page has, with a clock that moves between the pages. */
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import type { ProviderAdmin } from "../../src/contract/admin.ts";
import { type Clock, sleep } from "../../src/contract/clock.ts";
import { keepRetention } from "../../src/runtime/retention.ts";

async function complete(provider: MemoryProvider, instance: string): Promise<void> {
  await provider.enqueueForOrchestrator({
    kind: "StartOrchestration",
    instance,
    orchestration: "instant",
    input: "null",
    version: "1.0.0",
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  });
  const fetched = await provider.fetchOrchestrationItem({ lockTimeoutMs: 5_000, pollTimeoutMs: 0 });
  await provider.ackOrchestrationItem({
    lockToken: fetched?.lockToken ?? "",
    executionId: 1,
    historyDelta: [],
    workerItems: [],
    orchestratorItems: [],
    metadata: {
      orchestrationName: "instant",
      orchestrationVersion: "1.0.0",
      status: "Completed",
      output: "1",
    },
    cancelledActivities: [],
  });
}

/** Like the system's clock, it shows a later time each time it is read. */
function moving(clock: VirtualClock): Clock {
  let reads = 0;
  return {
    now: () => clock.now() + reads++,
    schedule: (ms, callback) => clock.schedule(ms, callback),
  };
}

/** How long after the first round began two full rounds are done, ms; each page takes 10 ms. */
async function twoRounds(isCharged: boolean): Promise<number> {
  const clock = new VirtualClock();
  let pages = 0;
  let endedMs = 0;
  const admin = {
    queryInstances: async () => {
      await sleep(clock, 10);
      if (++pages === 20) endedMs = clock.now();
      return { instances: [], ...(pages < 20 && { continuation: "more" }) };
    },
  } as unknown as ProviderAdmin;
  const retention = {
    rules: [{ status: "Completed", afterMs: 0 } as const],
    keepExecutions: undefined,
    intervalMs: 3_600_000,
  };
  const random = { next: () => 0, uuid: () => "" };
  const stopping = new AbortController();
  const beganMs = clock.now();
  const parts = { admin, isCharged, retention, clock, random, logger: new RecordingLogger() };
  const kept = keepRetention(parts, stopping.signal);
  await clock.advance(10_000);
  stopping.abort();
  await kept;
  return endedMs - beganMs;
}

test("rounds follow sooner on a store that does not charge for requests (retention.RT1)", async () => {
  expect(await twoRounds(true)).toBe(100 + 5_000 + 100);
  expect(await twoRounds(false)).toBeLessThan(100 + 40 + 100);
});

test.each([
  ["one round deletes several pages (retention.RT1)", 250, 0],
  ["the next round continues after the pages of the first one (retention.RT1)", 1_050, 10_000],
])("%s", async (_, count, furtherMs) => {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  await using provider = new MemoryProvider({ clock });
  for (let n = 0; n < count; n++) await complete(provider, `i-${n}`);
  await clock.advance(60_000);
  const stopping = new AbortController();
  const retention = {
    rules: [{ status: "Completed", afterMs: 30_000 } as const],
    keepExecutions: undefined,
    intervalMs: 3_600_000,
  };
  const parts = {
    admin: provider.admin,
    isCharged: false,
    retention,
    clock: moving(clock),
    random: { next: () => 0, uuid: () => "" },
    logger,
  };
  const kept = keepRetention(parts, stopping.signal);
  await clock.advance(1_000 + furtherMs);
  const { instances } = await provider.admin.queryInstances();
  stopping.abort();
  await kept;

  expect(logger.messages("warn")).toEqual([]);
  expect(instances).toEqual([]);
});

test("a round that follows the last page of another begins again at the first page (retention.RT1)", async () => {
  const clock = new VirtualClock();
  const asked: (string | undefined)[] = [];
  const admin = {
    queryInstances: async ({ continuation }: { readonly continuation?: string }) => {
      asked.push(continuation);
      const next = Number(continuation ?? "0") + 1;
      return { instances: [], ...(next < 12 && { continuation: String(next) }) };
    },
  } as unknown as ProviderAdmin;
  const retention = {
    rules: [{ status: "Completed", afterMs: 0 } as const],
    keepExecutions: undefined,
    intervalMs: 60_000,
  };
  const random = { next: () => 0, uuid: () => "" };
  const stopping = new AbortController();
  const parts = { admin, isCharged: false, retention, clock, random, logger: new RecordingLogger() };
  const kept = keepRetention(parts, stopping.signal);
  await clock.advance(65_000);
  stopping.abort();
  await kept;
  const pages = [undefined, ...Array.from({ length: 11 }, (_, n) => String(n + 1))];
  expect(asked).toEqual([...pages, ...pages]);
});

test("the age of failed instances is that of cancelled ones, and of no others", async () => {
  const asked: unknown[] = [];
  const clock = new VirtualClock();
  const admin = {
    queryInstances: async ({ filter }: { readonly filter: { readonly status: unknown } }) => {
      asked.push(filter.status);
      return { instances: [] };
    },
  } as unknown as ProviderAdmin;
  const rules = (["Completed", "Failed"] as const).map((status) => ({ status, afterMs: 0 }));
  const retention = { rules, keepExecutions: undefined, intervalMs: 60_000 };
  const random = { next: () => 0, uuid: () => "" };
  const stopping = new AbortController();
  const parts = { admin, isCharged: false, retention, clock, random, logger: new RecordingLogger() };
  const kept = keepRetention(parts, stopping.signal);
  await clock.advance(1_000);
  stopping.abort();
  await kept;
  expect(asked).toEqual([["Completed"], ["Failed", "Cancelled"]]);
});
