/** Rounds of retention over more instances than one page has, with a clock that moves between the pages. */
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import type { Clock } from "../../src/contract/clock.ts";
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
