/** Probe 4: refusals that no concurrent write causes, and where in the answer of a batch their status stands. */
import { expect, type Fields, type Reply } from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";

const KB = 1_000;

export const REFUSED_OPERATIONS = step({
  id: "2.4",
  phase: 2,
  title: "Refused operations of a batch",
  gates: {},
  estimateRu: ({ largeDocuments }) => (largeDocuments ? 6_000 : 50),
  async run(stage, notes) {
    const longId = await batchOf(stage, [create("x"), create("i".repeat(1_024))]);
    notes.record("an id of 1,024 bytes", placeOf(longId));
    await notes.expect("a batch with an id that is too long is refused", () => expectRefusal(longId));
    if (!stage.scale.largeDocuments) return;
    const large = await batchOf(stage, [create("x"), create("large", 2_100 * KB)]);
    notes.record("a document of 2.1 MB", placeOf(large));
    await notes.expect("a batch with a document of 2.1 MB is refused", () => expectRefusal(large));
    const patched = await patchedTogether(stage, 30, 100 * KB);
    notes.record("patches of 30 documents of 100 KB, whose answer is 3 MB", placeOf(patched));
    await notes.expect("a batch whose answer would be too large is refused with 413", () => {
      expect(placeOf(patched).includes("413"), `it is ${placeOf(patched)}`);
    });
  },
});

function create(id: string, bytes = 0): Fields {
  return { operationType: "Create", resourceBody: { id, ...(bytes > 0 && { text: "x".repeat(bytes) }) } };
}

async function batchOf(stage: Stage, operations: readonly Fields[]): Promise<Reply> {
  const items = await stage.items;
  const pk = stage.partition("refusals");
  const ours = operations.map((each) => {
    const body = each["resourceBody"];
    return { ...each, resourceBody: { ...(body as Fields), instanceId: pk } };
  });
  return items.batch([pk], ours);
}

async function patchedTogether(stage: Stage, count: number, bytes: number): Promise<Reply> {
  const documents = Array.from({ length: count }, (_, n) => ({ id: `d${n}`, text: "x".repeat(bytes) }));
  const { items, pk } = await stage.partitionWith("patched", ...documents);
  const operations = documents.map(({ id }) => ({
    operationType: "Patch",
    id,
    resourceBody: { operations: [{ op: "set", path: "/n", value: 1 }] },
  }));
  return items.batch([pk], operations);
}

/** "413 for the whole request", "400 for operation 1 of 207", "200". */
export function placeOf(reply: Reply): string {
  const own = `${reply.status}${reply.substatus === 0 ? "" : `/${reply.substatus}`}`;
  if (reply.status !== 207) return reply.status < 400 ? own : `${own} for the whole request`;
  const statuses = reply.objects.map((entry) => Number(entry["statusCode"]));
  const at = statuses.findIndex((status) => status >= 400 && status !== 424);
  return `${statuses[at]} for operation ${at} of ${own}`;
}

function expectRefusal(reply: Reply): void {
  expect(reply.status >= 400 || reply.status === 207, `it is ${placeOf(reply)}`);
}
