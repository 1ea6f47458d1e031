/**
 * The intent of a start that has arrived is deleted by the next commit of its sender
 * (docs/decisions/cosmos-delivery.md).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { instanceDocumentId } from "../src/documents/ids.ts";
import { RIDE_MS } from "../src/memory/waits.ts";
import { allDocuments } from "./invariants/documents.ts";
import { begin, carryOut, commit, fetchPlanned } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("delivered");

const intents = async (): Promise<readonly string[]> =>
  (await allDocuments(stage.raw)).filter(({ type }) => type === "outbox_intent").map(({ id }) => id);

/** Requests that only delete, in the partition of the sender. */
const removals = (): readonly string[] => stage.trap.labels.filter((label) => label === 'batch ["a"] Delete');

describe("the intent of a start", () => {
  beforeEach(async () => {
    await begin(stage, "a");
    stage.trap.set(undefined);
    await carryOut(stage, "a", { children: [{ id: "child", plan: { timer: true } }] });
  });

  // delivered-intents.DI2
  it("is stored until its sender commits again, which deletes it without a further request", async () => {
    expect(await intents()).toHaveLength(1);
    await carryOut(stage, "a", { keys: 1 });
    expect(await intents()).toEqual([]);
    expect(removals()).toEqual([]);
    await stage.clock.advance(2 * RIDE_MS);
    expect(removals()).toEqual([]);
  });

  // delivered-intents.DI1
  it("is deleted by a request of its own where its sender does not commit again soon", async () => {
    await stage.clock.advance(RIDE_MS - 1);
    expect(await intents()).toHaveLength(1);
    await stage.clock.advance(1);
    await stage.provider.close();
    expect(await intents()).toEqual([]);
    expect(removals()).toHaveLength(1);
  });

  it("is deleted when the provider is closed", async () => {
    await stage.provider.close();
    expect(await intents()).toEqual([]);
  });

  // commit.K4: deletions that may be left out.
  it("that another process has deleted refuses no commit", async () => {
    for (const id of await intents()) await stage.raw.item(id, "a").delete();
    await carryOut(stage, "a", { keys: 1 });
    expect((await stage.provider.getKvValues("a")).size).toBe(1);
  });

  // delivered-intents.DI2
  it("is deleted all the same after a commit that was refused", async () => {
    const fetched = await fetchPlanned(stage, "a", { keys: 1 });
    const { resource } = await stage.raw.item(instanceDocumentId("a"), "a").read<Record<string, unknown>>();
    await stage.raw.items.upsert({ ...resource, lockToken: "another" });
    await expect(commit(stage, fetched)).rejects.toMatchObject({ code: "lock-lost" });
    expect(await intents()).toHaveLength(1);
    await stage.provider.close();
    expect(await intents()).toEqual([]);
  });
});

describe("the intent of another message, or of the last turn of its sender", () => {
  // delivered-intents.DI1
  it.each([
    ["an event", { messages: [{ to: "b", name: "e" }] }],
    ["a start by an instance that ends", { children: [{ id: "child" }], end: true }],
  ])("is deleted at once (%s)", async (_what, plan) => {
    await begin(stage, "a", "b");
    await carryOut(stage, "a", plan);
    expect(await intents()).toEqual([]);
  });
});
