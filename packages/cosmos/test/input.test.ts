/** Tests what callers pass wrongly, and what is too large for the service. */
import {
  ack,
  createInstance,
  mustFetch,
  queueMessage,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("input");

const INVALID = { code: "invalid-input", retryable: false };

describe("invalid-input is the answer to", () => {
  it("a message that is larger than a document may be", async () => {
    const message = { ...queueMessage("a", "big"), data: "x".repeat(2_200_000) };
    await expect(stage.provider.enqueueForOrchestrator(message as never)).rejects.toMatchObject({
      ...INVALID,
      message: expect.stringContaining("2 MB"),
    });
  });

  it("a turn with an output that is larger than a document may be, and the turn can be ended otherwise", async () => {
    await createInstance(stage, "a");
    await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await mustFetch(stage);
    const output = "x".repeat(2_200_000);
    const metadata = { status: "Completed", output } as const;
    await expect(ack(stage, fetched, { metadata })).rejects.toMatchObject(INVALID);
    await ack(stage, fetched, { metadata: { ...metadata, output: "small" } });
    expect(await stage.provider.getInstanceStatus("a")).toMatchObject({ output: "small" });
  });
});

it("an empty version stays empty", async () => {
  await createInstance(stage, "a", { version: "" });
  expect(await stage.provider.admin.getInstanceInfo("a")).toMatchObject({ orchestrationVersion: "" });
  await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
  expect((await mustFetch(stage)).item.version).toBe("");
});

it("an id with a lone surrogate is the id that is stored", async () => {
  await createInstance(stage, "x\ud800");
  expect(await stage.provider.getInstanceStatus("x\ud800")).toMatchObject({ status: "Running" });
  expect(await stage.provider.readHistory("x\ufffd")).toHaveLength(1);
  await stage.provider.enqueueForOrchestrator(raised("x\ud800", "poke"));
  expect((await mustFetch(stage)).item).toMatchObject({
    instanceId: "x\ufffd",
    messages: [raised("x\ufffd", "poke")],
  });
});

it("a start that the service refuses for any other reason is not taken for sent", async () => {
  stage.trap.forbidAfter(0);
  await expect(stage.provider.enqueueForOrchestrator(startItem("a"))).rejects.toMatchObject({
    code: "internal",
  });
});
