/** A message that is only for an open instance: the batch that stores it reads the instance. */
import type { EnqueueOutcome } from "@duroxide-ts/core/stores";
import {
  ack,
  complete,
  createInstance,
  fetchOrchestration,
  given,
  mustFetch,
  queueMessage,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("open-only");

function send(messageId: string, ifMissing: "fail" | "keep" = "fail"): Promise<EnqueueOutcome> {
  return stage.provider.enqueueForOrchestrator(queueMessage("a", "pay"), undefined, {
    messageId,
    ifMissing,
  });
}

async function cost(act: () => Promise<unknown>): Promise<{ requests: number; units: number }> {
  const before = stage.provider.requestUnits ?? 0;
  stage.trap.set(undefined);
  await act();
  return { requests: stage.trap.labels.length, units: (stage.provider.requestUnits ?? 0) - before };
}

it("the look costs one request unit and no request", async () => {
  await createInstance(stage, "a");
  const kept = await cost(() => send("m1", "keep"));
  const looked = await cost(() => send("m2"));
  expect(looked.requests).toBe(kept.requests);
  expect(looked.units - kept.units).toBeGreaterThan(0.5);
  expect(looked.units - kept.units).toBeLessThan(1.5);
});

it("a message for an ended instance leaves nothing behind", async () => {
  await createInstance(stage, "a");
  await complete(stage, "a");
  const before = await allDocuments(stage.raw);
  expect(await send("m1")).toBe("ended");
  expect(await allDocuments(stage.raw)).toEqual(before);
});

it("one whose answer was lost is sent once, and its repetition finds it sent", async () => {
  await createInstance(stage, "a");
  stage.trap.loseAnswerOf(/./, async () => {});
  expect(await letTimePass(stage.clock, send("m1"))).toBe("stored");
  expect((await mustFetch(stage)).item.messages).toHaveLength(1);
});

it("one that a worker consumed for an ended instance before it was taken back is refused at its repetition", async () => {
  await createInstance(stage, "a");
  await complete(stage, "a");
  const other = await stage.openAnother();
  stage.trap.meanwhile(/./, async () => {
    const fetched = await fetchOrchestration(other);
    if (fetched !== undefined) await ack(other, fetched);
  });
  expect(await letTimePass(stage.clock, send("m1"))).toBe("ended");
  expect(await letTimePass(stage.clock, send("m1"))).toBe("ended");
});

it("a start that another process has stored is found", async () => {
  const other = await stage.openAnother();
  await other.provider.enqueueForOrchestrator(startItem("a"));
  expect(await send("m1")).toBe("stored");
});

it("a start that cannot be decoded refuses no message, and is corrupt data for a start that asks for its name", async () => {
  await stage.provider.enqueueForOrchestrator(startItem("a"));
  const start = given(
    (await allDocuments(stage.raw)).find(({ type }) => type === "orch_queue"),
    "no start",
  );
  const damaged = String(start["workItem"]).replace('"instance"', '"instanc"');
  await stage.raw.item(start.id, "a").replace({ ...start, workItem: damaged });
  expect(await send("m1")).toBe("stored");
  await expect(
    stage.provider.startInstance(startItem("a"), { ifExists: "fail", messages: [] }),
  ).rejects.toMatchObject({ code: "corrupt-data" });
});
