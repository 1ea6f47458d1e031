/** Pruning old executions (contract §16). */
import type { Provider } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { continueAsNew, createInstance, fail, turn } from "./support/turns.ts";

async function createWithExecutions(provider: Provider, instance: string, executions: number): Promise<void> {
  await createInstance(provider, instance);
  for (let next = 2; next <= executions; next++) await continueAsNew(provider, instance, next);
}

describe("pruning an instance", () => {
  it("keeps the newest executions that it is told to keep, with their events", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createWithExecutions(provider, "i", 4);
    expect(await provider.admin.pruneExecutions("i", { keepLast: 2 })).toEqual({
      instancesProcessed: 1,
      executionsDeleted: 2,
      eventsDeleted: 2,
    });
    expect(await provider.admin.listExecutions("i")).toEqual([3, 4]);
    expect(await provider.readHistory("i", 2)).toEqual([]);
    expect(await provider.readHistory("i", 3)).toHaveLength(1);
    expect(await provider.admin.pruneExecutions("i", { keepLast: 9 })).toMatchObject({
      executionsDeleted: 0,
    });
  });

  it.each([{}, { keepLast: 0 }, { keepLast: 1 }])("with %o keeps just the current one", async (options) => {
    await using store = await openMemory();
    const { provider } = store;
    await createWithExecutions(provider, "i", 4);
    await turn(provider, "i", { executionId: 4, metadata: { status: "Completed", output: "" } });
    expect(await provider.admin.pruneExecutions("i", options)).toMatchObject({ executionsDeleted: 3 });
    expect(await provider.admin.listExecutions("i")).toEqual([4]);
  });

  it("keeps what ended at the given time or later", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    for (let next = 2; next <= 4; next++) {
      await clock.advance(1_000);
      await continueAsNew(provider, "i", next);
    }
    const completedBeforeMs = clock.now() - 1_000;
    await provider.admin.pruneExecutions("i", { completedBeforeMs });
    expect(await provider.admin.listExecutions("i")).toEqual([2, 3, 4]);
    await provider.admin.pruneExecutions("i", { completedBeforeMs: clock.now() + 1, keepLast: 2 });
    expect(await provider.admin.listExecutions("i")).toEqual([3, 4]);
  });

  it("never takes an execution that still runs", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await turn(provider, "i", { executionId: 2 });
    expect(await provider.admin.pruneExecutions("i", {})).toMatchObject({ executionsDeleted: 0 });
    expect(await provider.admin.listExecutions("i")).toEqual([1, 2]);
  });

  it("that is not there is an error", async () => {
    await using store = await openMemory();
    await fail(store.provider.admin.pruneExecutions("nobody", {}), "instance-not-found");
    await createInstance(store.provider, "i");
    await fail(store.provider.admin.pruneExecutions("i", { keepLast: -1 }), "invalid-input");
  });
});

describe("pruning many instances", () => {
  it("takes those of the list, of any status", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (const id of ["a", "b", "c"]) await createWithExecutions(provider, id, 3);
    await turn(provider, "b", { executionId: 3, metadata: { status: "Completed", output: "" } });
    const result = await provider.admin.pruneInstances(
      { instanceIds: ["a", "b", "nobody"] },
      { keepLast: 1 },
    );
    expect(result).toEqual({ instancesProcessed: 2, executionsDeleted: 4, eventsDeleted: 4 });
    expect(await provider.admin.listExecutions("c")).toEqual([1, 2, 3]);
    expect(await provider.getInstanceStatus("a")).toMatchObject({ status: "Running", executionId: 3 });
  });

  it("takes all, or those that ended before a time, up to the limit", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    for (const id of ["a", "b", "c"]) await createWithExecutions(provider, id, 2);
    await turn(provider, "b", { executionId: 2, metadata: { status: "Completed", output: "" } });
    const prune = (filter: object): Promise<unknown> => provider.admin.pruneInstances(filter, {});
    expect(await prune({ instanceIds: [] })).toMatchObject({ instancesProcessed: 0 });
    expect(await prune({ completedBeforeMs: clock.now() })).toMatchObject({ instancesProcessed: 0 });
    expect(await prune({ completedBeforeMs: clock.now() + 1 })).toMatchObject({ instancesProcessed: 1 });
    expect(await prune({ limit: 1 })).toMatchObject({ instancesProcessed: 1 });
    expect(await prune({})).toMatchObject({ instancesProcessed: 3 });
  });
});
