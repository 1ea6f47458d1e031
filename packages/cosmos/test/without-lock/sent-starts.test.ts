/**
 * Starts that an instance sends to another, stored together with their first turn (src/memory/unstored-start.ts,
 * docs/decisions/cosmos-turns.md).
 */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { given } from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, expect, it } from "vitest";
import { receiptBody } from "../../src/documents/receipt.ts";
import { RIDE_MS } from "../../src/memory/waits.ts";
import { allDocuments, type Document } from "../invariants/documents.ts";
import type { PlannedChild } from "../support/plan.ts";
import { begin, carryOut, commit, fetchPlanned, settle } from "../support/steps.ts";
import { useStage } from "../support/use-stage.ts";
import { expectSettled, requestsOf, waiting } from "../support/waiting-fetch.ts";

const READ = 'query ["a"] instance, orch_queue';

const stage = useStage("sent-start");

/** "a" is the child. The process has committed a first turn of its orchestration. */
beforeEach(() => begin(stage, "p"));

/** The turn of "p" that begins "a", and the turn of "a". */
async function beginChild(
  child: PlannedChild,
  commitChild: (fetched: FetchedOrchestration) => Promise<void>,
): Promise<readonly string[]> {
  const parent = await fetchPlanned(stage, "p", { children: [child] });
  const [fetch] = await waiting(stage);
  return requestsOf(stage, async () => {
    const sent = commit(stage, parent);
    await commitChild(given(await fetch, "no turn"));
    await sent;
  });
}

/** The intents that are stored. */
async function intents(): Promise<readonly Document[]> {
  return (await allDocuments(stage.raw)).filter(({ type }) => type === "outbox_intent");
}

/** The row that is to be delivered. */
async function payload(): Promise<{ readonly id: string }> {
  const [intent] = await intents();
  return JSON.parse(String(intent?.["payload"])) as { readonly id: string };
}

it("is one read and one batch, with its receipt and without a message", async () => {
  const requests = await beginChild({ id: "a", plan: { timers: 1 } }, (fetched) => commit(stage, fetched));
  expect(requests).toEqual([
    READ,
    'batch ["a"] Create instance, Create receipt, Create history, Create orch_queue',
  ]);
  expect(await intents()).toHaveLength(1);
  await stage.clock.advance(RIDE_MS);
  await stage.trap.idle();
  expect(await intents()).toEqual([]);
});

it("its answer comes to its parent once", async () => {
  await beginChild({ id: "a", afterwards: { end: true } }, (fetched) => commit(stage, fetched));
  await expectSettled(stage);
  expect(await stage.provider.getInstanceStatus("p")).toMatchObject({ status: "Completed" });
});

it("unstored-start.T4: one that was delivered before is not begun again", async () => {
  stage.trap.meanwhile(/query \["a"\]/, async () => {
    const { id } = await payload();
    await stage.raw.items.create(receiptBody(id, "a", "p"));
  });
  const requests = await beginChild({ id: "a", plan: {} }, async (fetched) => {
    await expect(commit(stage, fetched)).rejects.toMatchObject({ code: "lock-lost" });
  });
  expect(requests).toEqual([
    READ,
    'batch ["a"] Create instance, Create receipt, Create history',
    'batch ["a"] Create receipt, Create orch_queue',
  ]);
  expect(await stage.provider.getInstanceStatus("a")).toBeUndefined();
});

it("unstored-start.T3: one whose turn takes longer is stored with its receipt and a lock", async () => {
  const parent = await fetchPlanned(stage, "p", { children: [{ id: "a" }] });
  const [fetch] = await waiting(stage);
  const requests = await requestsOf(stage, () => commit(stage, parent));
  expect(requests).toEqual([READ, 'batch ["a"] Create orch_queue, Create receipt, Create instance']);
  await commit(stage, given(await fetch, "no turn"));
  await expectSettled(stage);
});

it("unstored-start.T2: one that a Rust process was faster with is delivered again, and has no effect", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  stage.trap.meanwhile(/query \["a"\]/, async () => {
    await stage.raw.items.create(await payload());
    await settle(other);
  });
  await beginChild({ id: "a" }, async (fetched) => {
    await expect(commit(stage, fetched)).rejects.toMatchObject({ code: "lock-lost" });
  });
  await settle(stage);
  await stage.clock.advance(RIDE_MS);
  await stage.trap.idle();
  await expectSettled(stage);
  const history = await stage.provider.readHistory("a");
  expect(history.filter(({ type }) => type === "OrchestrationStarted")).toHaveLength(1);
});

it("one without a turn here is delivered as a message", async () => {
  await carryOut(stage, "p", { children: [{ id: "a", afterwards: { end: true } }] });
  await settle(stage);
  expect(await stage.provider.getInstanceStatus("p")).toMatchObject({ status: "Completed" });
});
