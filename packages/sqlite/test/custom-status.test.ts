/** The custom status of an instance and its version (contract §14). */
import type { HistoryEvent } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { eventOf } from "./support/messages.ts";
import { continueAsNew, createInstance, turn } from "./support/turns.ts";

const status = (id: number, text: string | null): HistoryEvent =>
  eventOf("CustomStatusUpdated", "i", id, { status: text });

describe("the custom status", () => {
  it("is set, kept, cleared and counted, once per turn", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    expect(await provider.getCustomStatus("i", 0)).toBeUndefined();
    await turn(provider, "i", { historyDelta: [status(2, "a"), status(3, "b")] });
    expect(await provider.getCustomStatus("i", 0)).toEqual({ status: "b", version: 1 });
    await turn(provider, "i", {});
    expect(await provider.getCustomStatus("i", 0)).toEqual({ status: "b", version: 1 });
    await turn(provider, "i", { historyDelta: [status(4, "c")] });
    expect(await provider.getCustomStatus("i", 1)).toEqual({ status: "c", version: 2 });
    await turn(provider, "i", { historyDelta: [status(5, null)] });
    expect(await provider.getCustomStatus("i", 2)).toEqual({ status: null, version: 3 });
    expect(await provider.getCustomStatus("i", 3)).toBeUndefined();
    expect(await provider.getInstanceStatus("i")).toMatchObject({
      customStatus: null,
      customStatusVersion: 3,
    });
  });

  it("survives continue-as-new", async () => {
    await using store = await openMemory();
    await createInstance(store.provider, "i", { historyDelta: [status(2, "a")] });
    await continueAsNew(store.provider, "i", 2);
    expect(await store.provider.getCustomStatus("i", 0)).toEqual({ status: "a", version: 1 });
  });

  it("of an unknown instance is nothing", async () => {
    await using store = await openMemory();
    expect(await store.provider.getCustomStatus("nobody", 0)).toBeUndefined();
  });

  it("may be large", async () => {
    await using store = await openMemory();
    const text = "ü".repeat(128 * 1024);
    await createInstance(store.provider, "i", { historyDelta: [status(2, text)] });
    expect(await store.provider.getCustomStatus("i", 0)).toEqual({ status: text, version: 1 });
  });
});
