/** Commits whose pieces take longer to store than the interval in which the lock is renewed. */
import type { OperationInput } from "@azure/cosmos";
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { beforeEach, describe, expect, it } from "vitest";
import { STAGE_LOCK_MS } from "../src/memory/waits.ts";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments, type Document } from "./invariants/documents.ts";
import type { Plan } from "./support/plan.ts";
import type { SentOperation } from "./support/refused-batch.ts";
import { serve } from "./support/stage.ts";
import { begin, commit, fetchPlanned } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("slow");

/** 4 MB with their events: more than fits into the batch that decides. */
const LARGE: Plan = {
  activities: Array.from({ length: 80 }, (_, n) => ({ label: `${n}`, sizeBytes: 25_000 })),
};

/** The default of the runtime, which renews it every 2.5 s. */
const LOCK_MS = 5_000;
const RENEWAL_MS = 2_500;

let turn: FetchedOrchestration;

beforeEach(async () => {
  await begin(stage, "a");
  turn = await fetchPlanned({ ...stage, lockMs: LOCK_MS }, "a", LARGE);
  stage.trap.set(undefined);
});

const acked = (): Promise<void> => commit(stage, turn);

const ofType = async (type: string): Promise<readonly Document[]> =>
  (await allDocuments(stage.raw)).filter((document) => document.type === type);

/** Acts after each piece. */
function afterEachPiece(act: () => Promise<unknown>): void {
  stage.trap.meanwhile(/Create staged/, async () => {
    await act();
    afterEachPiece(act);
  });
}

const isPiece = ({ resourceBody }: SentOperation): boolean => resourceBody?.type === "staged";

const putsOfPieces = (): number => stage.trap.labels.filter((label) => label.includes("staged")).length;

async function expectStored(): Promise<void> {
  const documents = await allDocuments(stage.raw);
  expect(documents.filter(({ type }) => type === "worker_queue")).toHaveLength(80);
  expect(
    documents.filter(({ type }) => ["staged", "staging", "commit_intent"].includes(String(type))),
  ).toEqual([]);
}

describe("a commit in pieces", () => {
  it("is stored once although the lock is renewed while each piece is stored", async () => {
    let renewals = 0;
    afterEachPiece(async () => {
      await stage.clock.advance(RENEWAL_MS + 500);
      // As for another process, the lease in memory does not say that the lock lasts longer.
      await stage.provider.renewOrchestrationItemLock(turn.lockToken, STAGE_LOCK_MS);
      renewals++;
    });
    await acked();
    expect(renewals).toBeGreaterThan(4);
    expect(putsOfPieces()).toBe(renewals);
    await expectStored();
  });

  it("keeps its lock while pieces take longer than the lock lasts", async () => {
    const other = await stage.openAnother();
    const fetched: unknown[] = [];
    afterEachPiece(async () => {
      await stage.clock.advance(2 * LOCK_MS);
      const options = { lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0, supportedVersions: [] };
      fetched.push(await other.provider.fetchOrchestrationItem(options));
    });
    await acked();
    expect(fetched.every((each) => each === undefined)).toBe(true);
    await expectStored();
  });

  it("writes nothing for a renewal while its own lock lasts longer", async () => {
    const before = stage.trap.labels.length;
    let requests = 0;
    afterEachPiece(async () => {
      const sent = stage.trap.labels.length;
      await stage.provider.renewOrchestrationItemLock(turn.lockToken, LOCK_MS);
      requests += stage.trap.labels.length - sent;
    });
    await acked();
    expect(stage.trap.labels.length).toBeGreaterThan(before);
    expect(requests).toBe(0);
  });

  it("stores a piece once although its answer is lost", async () => {
    stage.trap.loseAnswerOf(/Create staged/, async () => {});
    await acked();
    const labels = stage.trap.labels.filter((label) => label.includes("staged"));
    expect(labels.length).toBeGreaterThan(4);
    await expectStored();
  });

  it("stores no piece for a request that arrives after the commit", async () => {
    const sent: (readonly SentOperation[])[] = [];
    stage.trap.refuse((operations) => {
      if (operations.some(isPiece)) sent.push(operations);
      return undefined;
    });
    await acked();
    for (const operations of sent) await stage.raw.items.batch(operations as OperationInput[], "a");
    expect(sent.length).toBeGreaterThan(4);
    await expectStored();
  });

  it("keeps what an operator writes meanwhile", async () => {
    stage.trap.meanwhile(/Create staged/, async () => {
      const expected = { executionId: 1, status: "Running" } as const;
      const suspended = { reason: "now", sinceMs: stage.clock.now() };
      const { provider } = await stage.openAnother();
      await provider.admin.reviseInstance({ instanceId: "a", expected, suspended });
    });
    await acked();
    const [instance] = await ofType("instance");
    expect(instance?.["duroxideTs"]).toMatchObject({ suspended: { reason: "now" } });
    await expectStored();
  });

  it("leaves its pieces to no reconciler while its lock lasts", async () => {
    const other = await stage.openAnother();
    await serve(other.provider);
    afterEachPiece(() => stage.clock.advance(20_000));
    await acked();
    await expectStored();
  });

  it("ends with the lock, writes no further piece, and is not begun anew under it", async () => {
    stage.trap.meanwhile(/Create staged/, async () => {
      const [instance] = await ofType("instance");
      const body = { ...instance, lockToken: "another", lockedUntil: stage.clock.now() + 1_000_000 };
      await stage.raw.item(instance?.id ?? "", "a").replace(body);
      await stage.clock.advance(STAGE_LOCK_MS);
    });
    await expect(acked()).rejects.toMatchObject({ code: "lock-lost" });
    expect(putsOfPieces()).toBe(2);
  });
});

describe("a container that does not give the request units", () => {
  it("fails the commit once with what it needs, and it is not staged again under its lock", async () => {
    let stored = 0;
    stage.trap.refuse((operations) =>
      operations.some(isPiece) && ++stored > 2
        ? { index: operations.findIndex(isPiece), status: 429, substatus: 3200 }
        : undefined,
    );
    afterEachPiece(() => stage.clock.advance(1_000));
    const refused = {
      code: "unavailable",
      message: expect.stringMatching(/take about \d+ request units, and the container gave it \d+ a second/),
    };
    await expect(letTimePass(stage.clock, acked())).rejects.toMatchObject(refused);
    const puts = putsOfPieces();
    await expect(acked()).rejects.toMatchObject(refused);
    expect(putsOfPieces()).toBe(puts);
  });

  it("shows a commit that goes on slowly as blocked by the store, once, and not after its end", async () => {
    const shown: (readonly unknown[])[] = [];
    afterEachPiece(async () => {
      await stage.clock.advance(14_000);
      shown.push((await stage.provider.admin.listBlocked())?.blocked ?? []);
    });
    await acked();
    expect(shown.at(0)).toEqual([]);
    expect(shown.at(-1)).toMatchObject([
      { instanceId: "a", reason: "store", attempts: 1, detail: expect.stringContaining("request units") },
    ]);
    expect((await stage.provider.admin.listBlocked())?.blocked).toEqual([]);
    expect(stage.warnings.filter((warning) => warning.includes("goes on slowly"))).toHaveLength(1);
    await expectStored();
  });
});
