/** Checks that a client that waits is notified of what it can see, and not of every turn. */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UNHURRIED } from "../../../test/support/stores/requests.ts";

let emulator: CosmosEmulator;
let provider: CosmosProvider;
beforeAll(async () => {
  emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  provider = await CosmosProvider.connect({ connectionString, clock: new VirtualClock(), ...UNHURRIED });
});
afterAll(async () => {
  await provider.close();
  await emulator[Symbol.asyncDispose]();
});

/** One turn with these changes; resolves to whether the watchers were notified. */
async function turn(metadata: object): Promise<boolean> {
  let told = false;
  const stop = provider.watchInstance("a", () => {
    told = true;
  });
  const fetched = await provider.fetchOrchestrationItem({ lockTimeoutMs: 5_000, pollTimeoutMs: 0 });
  await provider.ackOrchestrationItem({
    lockToken: fetched?.lockToken ?? "",
    executionId: 1,
    historyDelta: [],
    workerItems: [],
    orchestratorItems: [{ kind: "ExternalRaised", instance: "a", name: "next", data: "{}" }],
    metadata,
    cancelledActivities: [],
  });
  await new Promise((resolve) => setImmediate(resolve));
  stop();
  return told;
}

it("tells of the end of an instance, and not of the turns before", async () => {
  await provider.enqueueForOrchestrator({
    kind: "StartOrchestration",
    instance: "a",
    orchestration: "Watched",
    input: "{}",
    version: null,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  });
  expect(await turn({ orchestrationName: "Watched", orchestrationVersion: "1.0.0" })).toBe(false);
  expect(await turn({})).toBe(false);
  expect(await turn({ status: "Completed", output: "{}" })).toBe(true);
});
