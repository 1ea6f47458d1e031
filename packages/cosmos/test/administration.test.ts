/** Administration: after closing, and of what was given up. */
import { createInstance, fetchOrchestration, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { RECONCILER_INTERVAL_MS } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("admin");

/** Every method of a plain object, or of the class of another one. */
function methodsOf(target: object): readonly string[] {
  const prototype: unknown = Object.getPrototypeOf(target);
  const names = Object.getOwnPropertyNames(prototype === Object.prototype ? target : prototype);
  return names.filter((name) => name !== "constructor" && typeof Reflect.get(target, name) === "function");
}

describe("a closed provider", () => {
  it("refuses every call, also of administration", async () => {
    const { provider } = stage;
    await provider.close();
    const targets = [
      {
        target: provider,
        names: methodsOf(provider).filter(
          (name) => !["close", "watchInstance", "watchStream", "call"].includes(name),
        ),
      },
      { target: provider.admin, names: methodsOf(provider.admin) },
    ];
    expect(targets.map(({ names }) => names.length >= 9)).toEqual([true, true]);
    for (const { target, names } of targets) {
      for (const name of names) {
        const called = Reflect.apply(Reflect.get(target, name), target, ["a", "b", "c"]) as Promise<unknown>;
        await expect(called, name).rejects.toMatchObject({ code: "closed", operation: name });
      }
    }
  });

  it("has waited for the administration that was under way", async () => {
    await createInstance(stage, "a");
    const listed = stage.provider.admin.queryInstances();
    await stage.provider.close();
    expect((await listed).instances).toMatchObject([{ instanceId: "a" }]);
  });
});

it("messages that were given up and documents that cannot be decoded are listed and counted", async () => {
  const intent = {
    instanceId: "a",
    type: "outbox_intent",
    targetInstanceId: "b",
    targetDocumentType: "orch_queue",
  };
  await stage.raw.items.create({
    ...intent,
    id: "dead",
    status: "dead",
    attemptCount: 10,
    payload: "{}",
    createdAt: 1,
  });
  for (let n = 0; n < 60; n++) {
    await stage.raw.items.create({
      ...intent,
      id: `odd-${n}`,
      status: "pending",
      payload: "{",
      createdAt: 2,
    });
  }
  await createInstance(stage, "parent", { orchestratorItems: [startItem("b")] });
  for (let passes = 0; passes < 3; passes++) await stage.clock.advance(4 * RECONCILER_INTERVAL_MS);
  const listed = await stage.provider.admin.listUndelivered();
  expect(listed).toHaveLength(61);
  expect((await stage.provider.admin.getSystemMetrics()).deadMessages).toBe(61);
  expect(listed[0]).toMatchObject({ documentId: "dead", instanceId: "a", targetInstanceId: "b", sinceMs: 1 });
  expect(listed[1]).toMatchObject({ instanceId: "a", reason: expect.stringContaining("put aside") });
  expect(await fetchOrchestration(stage)).toBeDefined();
});
