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
import type { Stage } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

let stage: Stage;
useStage("input", (opened) => {
  stage = opened;
});

const INVALID = { code: "invalid-input", retryable: false };

describe("invalid-input is the answer to", () => {
  it.each([0, Number.NaN, 1.5, -1])("readHistory with the execution %s", async (executionId) => {
    await expect(stage.provider.readHistory("a", executionId)).rejects.toMatchObject(INVALID);
  });

  it("a fetch without a tag filter", async () => {
    const options = { lockTimeoutMs: 1_000, pollTimeoutMs: 0 } as never;
    await expect(stage.provider.fetchWorkItem(options)).rejects.toMatchObject(INVALID);
  });

  it("a token that is no text", async () => {
    for (const token of [undefined, 7, {}] as unknown as string[]) {
      await expect(stage.provider.renewWorkItemLock(token, 1_000)).rejects.toMatchObject(INVALID);
      await expect(stage.provider.abandonOrchestrationItem(token)).rejects.toMatchObject(INVALID);
    }
  });

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

it("a custom status that was never set has no version", async () => {
  await createInstance(stage, "a");
  expect(await stage.provider.getInstanceStatus("a")).toMatchObject({ customStatusVersion: 0 });
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
