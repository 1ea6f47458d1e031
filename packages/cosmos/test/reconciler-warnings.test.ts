/**
 * Tests what the provider reports through `onWarning`: an outage, as often as is useful, and messages that are dropped.
 */
import { orchestration } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { startEnvironment } from "../../../test/support/environment.ts";
import { cosmosOn } from "../../../test/support/stores/cosmos.ts";

it("warns when its passes begin to fail, once a minute, and again in the next outage", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const warnings: string[] = [];
  const store = cosmosOn(emulator, {
    reconcilerIntervalMs: 1_000,
    onWarning: (message) => warnings.push(message),
  });
  await using env = await startEnvironment({ store, orchestrations: [orchestration("idle", async () => 1)] });
  const told = (): number => warnings.filter((text) => text.includes("unfinished work failed")).length;
  await env.advance(10_000);
  expect(told()).toBe(0);

  emulator.faults.add({ effect: { kind: "error", status: 403 } });
  await env.advance(50_000);
  expect(told()).toBe(1);
  await env.advance(130_000);
  expect(told()).toBe(3);

  emulator.faults.clear();
  await env.advance(60_000);
  expect(told()).toBe(3);
  emulator.faults.add({ effect: { kind: "error", status: 403 } });
  await env.advance(10_000);
  expect(told()).toBe(4);
});

it("warns of queue messages that came before their start, with the names of the queues", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const warnings: string[] = [];
  const store = cosmosOn(emulator, { onWarning: (message) => warnings.push(message) });
  await using env = await startEnvironment({ store, orchestrations: [orchestration("idle", async () => 1)] });
  await env.client.handle("idle", "not-started").enqueue("jobs", 1, { ifMissing: "keep" });
  await env.advance(10_000);
  expect(warnings).toContain(
    'Dropped 1 queue message(s) sent before the instance was started ("jobs"); start it first',
  );
});
