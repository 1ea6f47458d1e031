/** A provider that is closed while calls are under way. */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { letTimePass, startEndpoint } from "./connection/fixture.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("closing");

// provider.PR1
it("closing waits for the calls under way, and refuses later ones", async () => {
  const { provider, trap, clock } = stage;
  let isClosed = false;
  let closing: Promise<void> | undefined;
  let wasClosedBefore: boolean | undefined;
  trap.meanwhile(/Create orch_queue/, async () => {
    closing = provider.close().then(() => {
      isClosed = true;
    });
    await clock.settle();
    wasClosedBefore = isClosed;
  });
  await provider.enqueueForOrchestrator(startItem("a"));
  expect(wasClosedBefore).toBe(false);
  await closing;
  const later = provider.enqueueForOrchestrator(startItem("b"));
  await expect(later).rejects.toMatchObject({ code: "closed" });
});

it("closing ends while the service does not answer, and cuts the calls under way off", async () => {
  await using emulator = await startEndpoint();
  const clock = new VirtualClock();
  const { connectionString } = emulator;
  const options = { connectionString, clock, requestTimeoutMs: 3_600_000 };
  const provider = await letTimePass(clock, CosmosProvider.connect(options));
  emulator.faults.add({ match: {}, effect: { kind: "delay", delayMs: 3_600_000 } });
  const call = provider.enqueueForOrchestrator(startItem("a")).catch((error: unknown) => error);
  await letTimePass(clock, provider.close());
  expect(await call).toMatchObject({ code: "unavailable" });
});
