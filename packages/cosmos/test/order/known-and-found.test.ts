/** Work that the process wrote itself and work that it found by a query have one order. */
import { activity, fetchWork } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("known-and-found");

// fetch-work-item.FW1
it("an activity that another process wrote comes before a later one of this process", async () => {
  const { provider } = await stage.openAnother();
  await provider.enqueueForWorker(activity("theirs", 1));
  await stage.clock.advance(1);
  await stage.provider.enqueueForWorker(activity("ours", 1));
  expect(await fetchWork(stage)).toMatchObject({ item: { instance: "theirs" } });
  expect(await fetchWork(stage)).toMatchObject({ item: { instance: "ours" } });
});
