/** Tests what the gauges of a process ask a container for. */
import { CosmosClient } from "@azure/cosmos";
import { orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { createInstance, mustFetch, raised } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { QueryCapture } from "../azure-check/queries/capture.ts";
import { containerDefinition, indexingPolicy } from "../src/connection/container-definition.ts";
import { startEndpoint } from "./connection/fixture.ts";

const idle = orchestration("idle", async () => {});

type Callback = (readings: { observe(gauge: object, value: number): void }) => void | Promise<void>;

function meterOf(callbacks: Callback[]) {
  return {
    createCounter: () => ({ add() {} }),
    createHistogram: () => ({ record() {} }),
    createObservableGauge: (name: string) => ({ name }),
    addBatchObservableCallback: (callback: Callback) => void callbacks.push(callback),
    removeBatchObservableCallback() {},
  };
}

/** Running, with a message that no code fits. */
async function createBlocked(provider: CosmosProvider, id: string): Promise<void> {
  await createInstance({ provider, lockMs: 30_000 }, id);
  await provider.enqueueForOrchestrator(raised(id, "go"));
  const { lockToken } = await mustFetch({ provider, lockMs: 30_000 });
  const blocked = { reason: "missing-orchestration", detail: "no worker has TestOrch" } as const;
  await provider.abandonOrchestrationItem(lockToken, { blocked, delayMs: 3_600_000 });
}

it("gauges count what runs, what is blocked and what is queued, and no history", async () => {
  await using emulator = await startEndpoint();
  const { connectionString } = emulator;
  const capture = new QueryCapture();
  const options = { connectionString, container: "gauges", membership: false } as const;
  await using provider = await CosmosProvider.connectThrough(options, capture.intercept);
  await createInstance({ provider, lockMs: 30_000 }, "a");
  await createBlocked(provider, "b");
  const callbacks: Callback[] = [];
  const meter = meterOf(callbacks);
  const runtime = await Runtime.start({
    provider,
    meter,
    activities: [],
    orchestrations: [idle],
    logger: silentLogger,
  });
  const values = new Map<string, number>();
  const observe = (gauge: object, value: number): void => {
    values.set((gauge as { readonly name: string }).name, value);
  };
  for (const callback of callbacks) await callback({ observe });
  await runtime.shutdown();
  expect(values.get("duroxide_active_orchestrations")).toBe(2);
  expect(values.get("duroxide_blocked_work")).toBe(1);
  const counts = capture.queries.map(({ text }) => text).filter((text) => text.includes("COUNT"));
  expect(counts).toHaveLength(5);
  expect(capture.queries.filter(({ text }) => text.includes("limit_rule"))).toEqual([]);
  expect(counts.filter((text) => text.includes("'history'"))).toEqual([]);
});

/** Checks a container that Rust may have created. The count would read all its documents. */
it("a container without the index for blocked work is not asked how much is blocked", async () => {
  await using emulator = await startEndpoint();
  const { connectionString } = emulator;
  const policy = indexingPolicy();
  const includedPaths = policy.includedPaths?.filter(({ path }) => !path.includes("/blocked/")) ?? [];
  const client = new CosmosClient(connectionString);
  const { database } = await client.databases.createIfNotExists({ id: "duroxide" });
  await database.containers.create({
    ...containerDefinition("gauges"),
    indexingPolicy: { ...policy, includedPaths },
  });
  const capture = new QueryCapture();
  const options = { connectionString, container: "gauges", membership: false, onWarning: () => {} } as const;
  await using provider = await CosmosProvider.connectThrough(options, capture.intercept);
  await createBlocked(provider, "b");
  expect(await provider.admin.getQueueDepths()).not.toHaveProperty("blockedWork");
  expect(await provider.admin.getSystemMetrics()).not.toHaveProperty("blockedWork");
  const counts = capture.queries.filter(({ text }) => text.includes("COUNT") && text.includes("blocked"));
  expect(counts).toEqual([]);
  client.dispose();
});
