/** What the gauges of a process ask a container for. */
import { orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { QueryCapture } from "../azure-check/queries/capture.ts";
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

it("gauges count what runs and what is queued, and no history", async () => {
  await using emulator = await startEndpoint();
  const { connectionString } = emulator;
  const capture = new QueryCapture();
  const options = { connectionString, container: "gauges", membership: false } as const;
  await using provider = await CosmosProvider.connectThrough(options, capture.intercept);
  await createInstance({ provider, lockMs: 30_000 }, "a");
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
  expect(values.get("duroxide_active_orchestrations")).toBe(1);
  const counts = capture.queries.map(({ text }) => text).filter((text) => text.includes("COUNT"));
  expect(counts).toHaveLength(4);
  expect(counts.filter((text) => text.includes("'history'"))).toEqual([]);
});
