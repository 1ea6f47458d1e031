/**
 * The order within a commit is explicit, whatever numbers the service draws for the documents: each row has a sequence
 * number of its process (src/documents/queue-order.ts).
 */
import {
  ack,
  activity,
  mustFetch,
  queueMessage,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { compareQueued, type Queued, sortMessages, sortQueue } from "../../src/documents/queue-order.ts";
import { allDocuments } from "../invariants/documents.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("sequence");

/** A `_rid` with this number of a document. */
function rid(number: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(BigInt(number), 8);
  return bytes.toString("base64").replaceAll("/", "-");
}

const row = (writer: string, number: number, ridNumber: number, enqueuedAtMs = 1): Queued => ({
  enqueuedAtMs,
  sequence: { writer, number },
  rid: rid(ridNumber),
});

describe("rows of one process and one millisecond", () => {
  const written = [row("p", 1, 900), row("p", 2, 3), row("p", 3, 70_000), row("p", 4, 256)];

  it("are in the order of their sequence numbers, whatever the service's numbers are", () => {
    expect(sortQueue(written.toReversed())).toEqual(written);
    const messages = written.map((each) => ({ ...each, orderMs: 1 }));
    expect(sortMessages(messages.toReversed())).toEqual(messages);
    for (const [n, later] of written.entries())
      for (const earlier of written.slice(0, n)) expect(compareQueued(earlier, later)).toBeLessThan(0);
  });

  it("are after those of an earlier one", () => {
    const earlier = row("p", 9, 5_000, 0);
    expect(sortQueue([...written, earlier])).toEqual([earlier, ...written]);
  });

  it("share out the places that they have among rows of others", () => {
    const [first, second] = [row("p", 1, 900), row("p", 2, 3)];
    const others = [row("q", 7, 1), row("q", 8, 300), row("q", 9, 1_000)];
    expect(sortQueue([second, ...others, first])).toEqual([others[0], first, others[1], second, others[2]]);
  });
});

// service.SV2
it("each row of a commit has the next number of its process, in the order of the commit's lists", async () => {
  await stage.provider.enqueueForOrchestrator(startItem("a"));
  const names = Array.from({ length: 120 }, (_, n) => `m${n}`);
  await ack(stage, await mustFetch(stage), {
    metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" },
    orchestratorItems: names.map((name) => queueMessage("a", name)),
    workerItems: names.map((_, n) => activity("a", n + 2)),
  });
  const documents = await allDocuments(stage.raw);
  const rows = documents.filter(({ type }) => type === "orch_queue" || type === "worker_queue");
  expect(new Set(rows.map(numberOf)).size).toBe(2 * names.length);
  const inOrder = (type: string): readonly string[] =>
    documents
      .filter((document) => document.type === type)
      .toSorted((one, other) => numberOf(one) - numberOf(other))
      .map(({ workItem }) => String(workItem));
  const messages = inOrder("orch_queue").map((text) => JSON.parse(text).QueueMessage.name);
  expect(messages).toEqual(names);
  const ids = inOrder("worker_queue").map((text) => JSON.parse(text).ActivityExecute.id);
  expect(ids).toEqual(names.map((_, n) => n + 2));
});

function numberOf(document: Readonly<Record<string, unknown>>): number {
  const { number } = document["sequence"] as { readonly number: number };
  expect(number).toBeTypeOf("number");
  return number;
}
