/** Unfinished work that the reconciler cannot complete: it delays no other, and is tried with growing pauses. */
import { setTimeout } from "node:timers/promises";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import type { Body } from "../src/documents/body.ts";
import { newIntent } from "../src/documents/intent.ts";
import { allDocuments, type Document } from "./invariants/documents.ts";
import type { Refusal, SentOperation } from "./support/refused-batch.ts";
import { RECONCILER_INTERVAL_MS, START_MS, serve } from "./support/stage.ts";
import { begin } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("unfinished-work", () => stage.trap.set(undefined));

/** Status of a logical partition that is full. */
const FULL = { status: 403, substatus: 1014 };

/** Time of the first pass, and the default of reconcilerAgeMs. */
const PASS_MS = RECONCILER_INTERVAL_MS;
const AGE_MS = 2_000;

const MINUTES = 20;
/** Pauses of 1 s to 60 s; passes come every 15 s to 60 s. */
const MOST_ATTEMPTS = 45;

async function serveFor(minutes: number): Promise<void> {
  for (let half = 0; half < 2 * minutes; half++) {
    await serve(stage.provider);
    await stage.clock.advance(30_000);
    await quiet();
  }
}

/** Waits until a pass is over: between two of its requests nothing is on its way. */
async function quiet(): Promise<void> {
  for (let requests = -1; requests !== stage.trap.labels.length; ) {
    requests = stage.trap.labels.length;
    await stage.trap.idle();
    await stage.clock.settle();
    await setTimeout(REPETITION_MS);
  }
}

/** The client library lets a moment pass before it repeats a request. */
const REPETITION_MS = 3;

/** Refuses the first operation of each batch that is meant; the number of refusals. */
function refuse(isMeant: (operations: readonly SentOperation[]) => boolean): { count: number } {
  const refusals = { count: 0 };
  stage.trap.refuse((operations): Refusal | undefined => {
    if (!isMeant(operations)) return undefined;
    refusals.count++;
    return { index: 0, ...FULL };
  });
  return refusals;
}

const ofType = async (type: string): Promise<readonly Document[]> =>
  (await allDocuments(stage.raw)).filter((document) => document.type === type);

function pending(source: string, target: string): Body {
  const at = { enqueuedAtMs: START_MS - 60_000, visibleAtMs: START_MS, sequence: { writer: "w", number: 1 } };
  const row = { id: `row-${target}`, instanceId: target, item: startItem(target), ...at };
  return newIntent(row, { source, secret: "secret", index: 0 }).body;
}

const told = (text: string): number => stage.warnings.filter((each) => each.includes(text)).length;

// reconciler.RC3
it("a message that cannot be decoded or put aside keeps no other from being delivered", async () => {
  await stage.raw.items.create({ ...pending("full", "x"), id: "odd", payload: "{" });
  await stage.raw.items.create(pending("source", "target"));
  const refusals = refuse((operations) =>
    operations.some(({ resourceBody }) => resourceBody?.type === "dead_letter"),
  );
  await serveFor(MINUTES);
  expect((await ofType("orch_queue")).map(({ instanceId }) => instanceId)).toEqual(["target"]);
  expect((await ofType("outbox_intent")).map(({ id }) => id)).toEqual(["odd"]);
  expect(refusals.count).toBeGreaterThan(5);
  expect(refusals.count).toBeLessThan(MOST_ATTEMPTS);
  expect(told("403/1014")).toBe(refusals.count);
});

// reconciler.RC1
it("a message is left to its sender until it has the age at which a pass takes it", async () => {
  await serve(stage.provider);
  await stage.clock.advance(PASS_MS - AGE_MS + 1);
  await stage.raw.items.create({ ...pending("source", "target"), createdAt: stage.clock.now() });
  await stage.clock.advance(AGE_MS - 1);
  await quiet();
  expect(stage.trap.labels.filter((label) => label.includes("outbox_intent"))).toHaveLength(1);
  expect(await ofType("orch_queue")).toEqual([]);
  await serveFor(2);
  expect((await ofType("orch_queue")).map(({ instanceId }) => instanceId)).toEqual(["target"]);
});

// reconciler.RC2
it("pages of messages whose next attempt is later hide no other", async () => {
  for (let n = 0; n < 250; n++) {
    const tried = { attemptCount: 8, lastAttemptAt: START_MS };
    await stage.raw.items.create({ ...pending(`waiting-${n}`, `far-${n}`), ...tried });
  }
  await stage.raw.items.create(pending("source", "target"));
  await serveFor(1);
  expect((await ofType("orch_queue")).map(({ instanceId }) => instanceId)).toEqual(["target"]);
});

// reconciler.RC3
it("a message whose delivery can neither be made nor counted is tried with growing pauses", async () => {
  await stage.raw.items.create(pending("source", "target"));
  const refusals = refuse(() => true);
  await serveFor(MINUTES);
  expect(refusals.count).toBeLessThan(2 * MOST_ATTEMPTS);
  expect(told("not delivered yet")).toBeLessThan(MOST_ATTEMPTS);
  stage.trap.refuse(undefined);
  await serveFor(3);
  expect((await ofType("orch_queue")).map(({ instanceId }) => instanceId)).toEqual(["target"]);
  expect(await ofType("outbox_intent")).toEqual([]);
});

// reconciler.RC3
it("a pruning that is refused is tried with growing pauses, and completed afterwards", async () => {
  await begin(stage, "a");
  const intent = { id: "pruning:a", instanceId: "a", type: "prune_intent", key: "k", executionIds: [7] };
  await stage.raw.items.create({ ...intent, createdAt: START_MS - 60_000 });
  const refusals = refuse(() => true);
  await serveFor(MINUTES);
  expect(refusals.count).toBeGreaterThan(5);
  expect(refusals.count).toBeLessThan(MOST_ATTEMPTS);
  expect(told("unfinished work waits")).toBe(refusals.count);
  stage.trap.refuse(undefined);
  await serveFor(3);
  expect(await ofType("prune_intent")).toEqual([]);
});

it("a pruning of an earlier instance with the id is dropped", async () => {
  await begin(stage, "a");
  const intent = { id: "pruning:a", instanceId: "a", type: "prune_intent", key: "k", executionIds: [1] };
  await stage.raw.items.create({
    ...intent,
    createdAt: START_MS - 60_000,
    instanceCreatedAt: START_MS - 90_000,
  });
  await serveFor(2);
  expect(await ofType("prune_intent")).toEqual([]);
  expect(await ofType("history")).toHaveLength(1);
});

// reconciler.RC3
it("a deletion that has no targets keeps no other work from being completed", async () => {
  const createdAt = START_MS - 60_000;
  await stage.raw.items.create({ id: "bad", instanceId: "b", type: "delete_intent", key: "k", createdAt });
  const pruning = { id: "pruning:a", instanceId: "a", type: "prune_intent", key: "k", executionIds: [7] };
  await stage.raw.items.create({ ...pruning, createdAt });
  await serveFor(2);
  expect(await ofType("prune_intent")).toEqual([]);
  expect(told("unfinished work waits")).toBeGreaterThan(0);
});
