/** Commits that do not fit into a batch: decided and carried out whole or not at all, whatever is refused and for how long. */
import type { OperationInput } from "@azure/cosmos";
import { eventOf } from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, describe, expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments, type Document } from "./invariants/documents.ts";
import { leftoversIn } from "./invariants/leftovers.ts";
import { cutOff } from "./support/half-done.ts";
import { serve } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("staged");

const event = (id: number, size = 0) =>
  eventOf("ExternalEvent", "a", id, { name: "e", data: "x".repeat(size) });

/** Four pieces of 900 kB: more than fits into the batch that decides. */
const LARGE = Array.from({ length: 150 }, (_, n) => event(n + 2, 20_000));

/** The note of the pieces, four pieces, the decision, four applications. */
const WRITES = 10;

beforeEach(() => stage.provider.appendHistory("a", 1, [event(1)]));

/** Counts the events that another process sees. */
async function eventsStored(): Promise<number> {
  const { provider } = await stage.openAnother();
  return (await provider.readHistory("a")).length;
}

const ofType = async (type: string): Promise<readonly Document[]> =>
  (await allDocuments(stage.raw)).filter((document) => document.type === type);

describe("of a commit in pieces", () => {
  // finish-commit.F1
  it.each(Array.from({ length: WRITES + 1 }, (_, n) => n + 1))(
    "write %i is refused: all events are stored, or none and the caller knows",
    async (nth) => {
      const match = { operation: "item.batch", container: stage.place.container } as const;
      const effect = { kind: "operationError", status: 403, substatus: 1014 } as const;
      stage.endpoint.faults.add({ match, skip: nth - 1, next: 1, effect });
      const [result] = await Promise.allSettled([
        letTimePass(stage.clock, stage.provider.appendHistory("a", 1, LARGE)),
      ]);
      // A fault that no write met would meet the next process.
      expect(nth <= WRITES).toBe(stage.endpoint.faults.list().length === 0);
      stage.endpoint.faults.clear();
      const stored = await eventsStored();
      expect(result.status === "fulfilled" ? [151] : [1, 151]).toContain(stored);
    },
  );

  it.each(Array.from({ length: WRITES + 1 }, (_, n) => n + 1))(
    "the process is cut off after %i requests: all events are stored, or none",
    async (requests) => {
      const actor = await stage.openAnother();
      await cutOff(actor, requests, () => actor.provider.appendHistory("a", 1, LARGE));
      expect([1, 151]).toContain(await eventsStored());
    },
  );

  it("no document that it is carried out from expires", async () => {
    const actor = await stage.openAnother();
    // Two reads, five writes and the decision.
    await cutOff(actor, 8, () => actor.provider.appendHistory("a", 1, LARGE));
    const pieces = await ofType("staged");
    expect(pieces).toHaveLength(4);
    expect(await ofType("commit_intent")).toHaveLength(1);
    for (const { ttl } of pieces) expect(ttl).toBeUndefined();
    expect(await eventsStored()).toBe(151);
    expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
  });

  // finish-commit.F2
  it("a piece that is gone with its events is corrupt data, and the instance is not unlocked", async () => {
    const actor = await stage.openAnother();
    await cutOff(actor, 8, () => actor.provider.appendHistory("a", 1, LARGE));
    const [piece] = await ofType("staged");
    await stage.raw.item(piece?.id ?? "", "a").delete();
    await expect(eventsStored()).rejects.toMatchObject({
      code: "corrupt-data",
      message: expect.stringContaining("events are missing") as string,
    });
    expect(await ofType("commit_intent")).toHaveLength(1);
  });

  it("the reconciler removes what was never decided, once no process can decide it any more", async () => {
    const actor = await stage.openAnother();
    await cutOff(actor, 6, () => actor.provider.appendHistory("a", 1, LARGE));
    expect((await ofType("staged")).length).toBeGreaterThan(0);
    await stage.clock.advance(20_000);
    expect((await ofType("staged")).length).toBeGreaterThan(0);
    await serve(stage.provider);
    await stage.clock.advance(50_000);
    expect([...(await ofType("staged")), ...(await ofType("staging"))]).toEqual([]);
    expect(await eventsStored()).toBe(1);
  });

  // staging.SG6
  it.each([
    ["is under the lock that it has", 0],
    ["extends its lock", 16_000],
  ])(
    "a piece that arrives while the reconciler gives its commit up, or later, is not stored: it %s",
    async (_, betweenMs) => {
      const actor = await stage.openAnother();
      const sent: OperationInput[][] = [];
      // Its second piece is on its way when the process dies.
      actor.trap.refuse((operations) => {
        if (!operations.some(({ resourceBody }) => resourceBody?.type === "staged")) return undefined;
        sent.push(operations as OperationInput[]);
        if (sent.length < 2) return undefined;
        actor.trap.forbidAfter(0);
        return { index: 0, status: 412 };
      });
      actor.trap.meanwhile(/Create staged/, () => stage.clock.advance(betweenMs));
      await expect(actor.provider.appendHistory("a", 1, LARGE)).rejects.toThrow();
      expect((await ofType("staged")).length).toBe(1);
      const arrive = async (): Promise<void> => {
        for (const operations of sent) await stage.raw.items.batch(operations, "a");
      };
      stage.trap.set(undefined);
      stage.trap.meanwhile(/Delete$/, arrive);
      await stage.clock.advance(60_000);
      await serve(stage.provider);
      await stage.clock.advance(50_000);
      await arrive();
      expect([...(await ofType("staged")), ...(await ofType("staging"))]).toEqual([]);
      expect(await eventsStored()).toBe(1);
    },
  );

  it("a commit whose note the reconciler has moved is not decided", async () => {
    stage.trap.meanwhile(/Create staged/, async () => {
      const [note] = await ofType("staging");
      await stage.raw.item(note?.id ?? "", "a").delete();
    });
    const append = letTimePass(stage.clock, stage.provider.appendHistory("a", 1, LARGE));
    await expect(append).rejects.toMatchObject({ code: "unavailable" });
    expect(await eventsStored()).toBe(1);
  });
});
