/** Faults at the boundary of a provider: the nth call fails, before it is made or after. */
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { type FaultyBoundary, withBoundaryFaults } from "../src/boundary-faults.ts";
import { raised } from "../src/messages.ts";

interface Faulty extends FaultyBoundary {
  /** Sends one message, and returns the outcome for the sender. */
  send(): Promise<string>;
  /** How many messages have reached the store. */
  arrived(): Promise<number>;
}

function faulty(): Faulty {
  const memory = new MemoryProvider();
  const boundary = withBoundaryFaults(memory);
  return {
    ...boundary,
    send: () =>
      boundary.provider.enqueueForOrchestrator(raised("a", "e")).then(
        () => "ok",
        (error) => error.code,
      ),
    arrived: async () => (await memory.admin.getQueueDepths()).orchestratorQueue,
  };
}

describe("a boundary fault", () => {
  it("before a call keeps it from the store", async () => {
    const { failStorageCall, send, arrived } = faulty();
    failStorageCall(1, "before");
    expect([await send(), await arrived()]).toEqual(["unavailable", 0]);
  });

  it("after a call loses the answer only", async () => {
    const { failStorageCall, send, arrived } = faulty();
    failStorageCall(1, "after");
    expect([await send(), await arrived()]).toEqual(["unavailable", 1]);
  });

  it("comes at the nth call from when it was armed, and once", async () => {
    const { failStorageCall, send } = faulty();
    await send();
    const fault = failStorageCall(3, "before");
    const told = [];
    for (let n = 0; n < 5; n++) told.push([await send(), fault.fired]);
    expect(told).toEqual([
      ["ok", false],
      ["ok", false],
      ["unavailable", true],
      ["ok", true],
      ["ok", true],
    ]);
  });

  it("counts the calls of the administration too", async () => {
    const { failStorageCall, provider, send } = faulty();
    failStorageCall(2, "before");
    await provider.admin.getSystemMetrics();
    expect(await send()).toBe("unavailable");
    failStorageCall(1, "after");
    await expect(provider.admin.queryInstances()).rejects.toMatchObject({ code: "unavailable" });
  });

  it("does not count what never reaches a store", async () => {
    const { failStorageCall, provider, send } = faulty();
    const fault = failStorageCall(1, "before");
    provider.watchInstance?.("a", () => {})();
    expect([provider.name, fault.fired]).toEqual(["memory", false]);
    expect(await send()).toBe("unavailable");
  });

  it("does not come when it was disarmed", async () => {
    const { failStorageCall, send } = faulty();
    const fault = failStorageCall(1, "before");
    fault.disarm();
    expect([await send(), fault.fired]).toEqual(["ok", false]);
  });

  it("takes the place of the one before, which can disarm nothing but itself", async () => {
    const { failStorageCall, send } = faulty();
    const first = failStorageCall(1, "before");
    const second = failStorageCall(2, "before");
    first.disarm();
    expect([await send(), await send()]).toEqual(["ok", "unavailable"]);
    expect([first.fired, second.fired]).toEqual([false, true]);
  });

  it("says that trying again may help", async () => {
    const { failStorageCall, provider } = faulty();
    failStorageCall(1, "before");
    await expect(provider.readHistory("a")).rejects.toMatchObject({
      retryable: true,
      operation: "readHistory",
    });
  });
});
