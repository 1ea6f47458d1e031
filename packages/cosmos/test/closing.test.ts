/** A provider that is closed while calls are under way. */
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import type { Stage } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

let stage: Stage;
useStage("closing", (opened) => {
  stage = opened;
});

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
