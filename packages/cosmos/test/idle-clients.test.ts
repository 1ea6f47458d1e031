/** Checks that a process that fetches nothing asks for unfinished work only while it may have left some itself. */
import type { ProviderError } from "@duroxide-ts/core";
import { fetchWork } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import { start } from "./support/plan.ts";
import { LOCK_MS, type Stage, serve } from "./support/stage.ts";
import { begin, carryOut, settle } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("idle-clients");

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The requests that another process without a worker makes while this happens. */
async function clientRequests(
  act: (client: Stage["provider"]) => Promise<unknown>,
): Promise<readonly string[]> {
  const { provider, trap } = await stage.openAnother();
  await stage.provider.close();
  trap.set(undefined);
  await act(provider);
  await trap.idle();
  return trap.labels;
}

/** A pass asks whole physical partitions; a deletion asks the partition of its root for intents too. */
const passesIn = (labels: readonly string[]): number =>
  labels.filter((label) => label.startsWith("query outbox_intent")).length;

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) await stage.clock.advance(MINUTE_MS);
}

/** Returns the types of the intents in the container, oldest first. */
async function unfinished(): Promise<readonly unknown[]> {
  const documents = await allDocuments(stage.raw);
  return documents.filter(({ type }) => String(type).endsWith("_intent")).map(({ type }) => type);
}

// reconciler.RC4
it("a process with only a client sends nothing while it idles", async () => {
  const requests = await clientRequests(async (client) => {
    await client.enqueueForOrchestrator(start("a"));
    await client.getInstanceStatus("a");
    await pass(HOUR_MS);
  });
  expect(requests).toHaveLength(2);
  expect(passesIn(requests)).toBe(0);
});

it("what another process left waits for a process that fetches", async () => {
  await begin(stage, "a");
  stage.endpoint.faults.add({
    match: { container: stage.place.container, partitionKey: "child", operation: "item.batch" },
    effect: { kind: "operationError", status: 403, substatus: 1014 },
  });
  await carryOut(stage, "a", { children: [{ id: "child" }] });
  stage.endpoint.faults.clear();
  const requests = await clientRequests(() => pass(HOUR_MS));
  expect(requests).toEqual([]);
  expect(await unfinished()).toEqual(["outbox_intent"]);

  const { provider } = await stage.openAnother();
  await serve(provider);
  await pass(MINUTE_MS);
  await provider.close();
  expect(await unfinished()).toEqual([]);
});

// reconciler.RC4
it("a client completes the deletion that it could not complete, and then sends nothing again", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { children: [{ id: "child", plan: {} }] });
  await settle(stage);
  const { container } = stage.place;
  const requests = await clientRequests(async (client) => {
    stage.endpoint.faults.add({
      match: { container, partitionKey: "child", operation: "item.batch" },
      effect: { kind: "operationError", status: 403, substatus: 1014 },
    });
    const deletion = client.admin.deleteInstance("a", { force: true });
    const refused = letTimePass(stage.clock, deletion);
    await expect(refused).rejects.toMatchObject({ code: "internal" } satisfies Partial<ProviderError>);
    expect(await unfinished()).toEqual(["delete_intent"]);
    stage.endpoint.faults.clear();
    await pass(MINUTE_MS);
    await pass(HOUR_MS);
  });
  expect((await allDocuments(stage.raw)).filter(({ type }) => type !== "receipt")).toEqual([]);
  expect(passesIn(requests)).toBeGreaterThan(0);
  expect(passesIn(requests)).toBeLessThanOrEqual(4);
});

it("a client completes a deletion that another one began, when it deletes the same instance", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { children: [{ id: "child", plan: {} }] });
  await settle(stage);
  // The intent of the child's start waits 2 s for another commit of its parent.
  await stage.clock.advance(2_000);
  const { provider, trap } = await stage.openAnother();
  trap.meanwhile(/Create delete_intent/, async () => trap.forbidAfter(0));
  await expect(provider.admin.deleteInstance("a", { force: true })).rejects.toMatchObject({
    code: "internal",
  });
  expect(await unfinished()).toEqual(["delete_intent"]);

  const again = stage.provider.admin.deleteInstance("a", { force: true });
  await expect(again).rejects.toMatchObject({ code: "instance-not-found" });
  expect((await allDocuments(stage.raw)).filter(({ type }) => type !== "receipt")).toEqual([]);
});

it("a process that has stopped fetching stops asking for the work of others", async () => {
  const requests = await clientRequests(async (client) => {
    await fetchWork({ provider: client, lockMs: LOCK_MS });
    await pass(HOUR_MS);
  });
  expect(passesIn(requests)).toBeGreaterThan(0);
  expect(passesIn(requests)).toBeLessThanOrEqual(5);
});
