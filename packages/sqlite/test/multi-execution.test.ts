/** Executions of one instance keep their own histories, status and pinned version (contract §2, §7). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { continueItem, scheduled, started, startItem } from "./support/messages.ts";
import { ack, continueAsNew, createInstance, fetchOrchestration, mustFetch, turn } from "./support/turns.ts";

describe("executions", () => {
  it("keep their own histories, with or without a named instance", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (const executionId of [1, 2, 3]) {
      await provider.enqueueForOrchestrator(startItem("i"));
      const historyDelta = [started("i", executionId), scheduled("i", 2, executionId)].slice(0, executionId);
      await ack(provider, await mustFetch(provider), { executionId, historyDelta });
    }
    expect(await provider.readHistory("i", 1)).toEqual([started("i", 1)]);
    expect(await provider.readHistory("i", 2)).toHaveLength(2);
    expect(await provider.readHistory("i")).toEqual(await provider.readHistory("i", 3));
    expect(await provider.readHistory("i", 4)).toEqual([]);
    expect(await provider.admin.listExecutions("i")).toEqual([1, 2, 3]);
    expect(await provider.admin.latestExecutionId("i")).toBe(3);
  });

  it("follow each other in fetches", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(continueItem("i"));
    await ack(provider, await mustFetch(provider), { executionId: 2, historyDelta: [started("i", 2)] });
    await provider.enqueueForOrchestrator(startItem("i"));
    const { item } = await mustFetch(provider);
    expect(item.executionId).toBe(2);
    expect(item.history).toEqual([started("i", 2)]);
  });

  it("begin as Running whatever the previous one ended with, and keep what they ended with", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await continueAsNew(provider, "i", 2);
    expect(await provider.getInstanceStatus("i")).toMatchObject({
      executionId: 2,
      status: "Running",
      output: null,
    });
    expect(await provider.admin.getExecutionInfo("i", 1)).toMatchObject({
      status: "ContinuedAsNew",
      output: "{}",
    });
    expect((await provider.admin.listInstances({ status: "ContinuedAsNew" })).instanceIds).toEqual([]);
    expect((await provider.admin.listInstances({ status: "Running" })).instanceIds).toEqual(["i"]);
  });

  it("are never taken back by a turn of an older one", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await continueAsNew(provider, "i", 2);
    await turn(provider, "i", {
      executionId: 1,
      historyDelta: [scheduled("i", 2)],
      metadata: { status: "Failed", output: "late" },
    });
    expect(await provider.getInstanceStatus("i")).toMatchObject({ executionId: 2, status: "Running" });
    expect(await provider.admin.getExecutionInfo("i", 1)).toMatchObject({ status: "Failed", output: "late" });
    expect(await provider.readHistory("i", 1)).toHaveLength(2);
    expect(await fetchOrchestration(provider)).toBeUndefined();
  });

  it("that end store output and status even without an event", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await turn(provider, "i", { metadata: { status: "Completed", output: null } });
    expect(await provider.getInstanceStatus("i")).toMatchObject({ status: "Completed", output: null });
    await turn(provider, "i", {});
    expect(await provider.getInstanceStatus("i")).toMatchObject({ status: "Completed" });
  });
});
