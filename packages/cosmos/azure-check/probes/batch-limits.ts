/** Probe 5: how many operations and how many bytes a batch holds. The provider stays below 100 and 1.9 MB. */
import { expect, expectStatus, type Reply } from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";
import { placeOf } from "./refused-operations.ts";

const MOST_OPERATIONS = 100;
const MB = 1_000_000;
/** Sizes in bytes: the most that the provider sends, and some around the documented 2 MB, which may be 2 MiB. */
const SIZES = [1.9 * MB, 1.95 * MB, 2 * MB, 2.05 * MB, 2.15 * MB];
const PIECES = 10;

export const BATCH_LIMITS = step({
  id: "2.5",
  phase: 2,
  title: "Limits of a batch",
  gates: {},
  estimateRu: ({ largeDocuments }) => (largeDocuments ? 6_000 : 800),
  async run(stage, notes) {
    await notes.expect("100 operations are taken", async () =>
      expectStatus(await ofOperations(stage, MOST_OPERATIONS), 200),
    );
    await notes.expect("101 operations are refused as a whole with 400", async () =>
      expectStatus(await ofOperations(stage, MOST_OPERATIONS + 1), 400),
    );
    if (!stage.scale.largeDocuments) return;
    const taken = new Map<string, Reply>();
    for (const bytes of SIZES) taken.set(`${bytes / MB} MB`, await ofBytes(stage, bytes));
    notes.record(
      "batches by size",
      Object.fromEntries([...taken].map(([size, reply]) => [size, placeOf(reply)])),
    );
    await notes.expect("1.9 MB are taken, with the whole documents in the answer", () =>
      expectStatus(taken.get("1.9 MB") as Reply, 200),
    );
    await notes.expect("more than 2 MiB are refused with 413", () => {
      const place = placeOf(taken.get("2.15 MB") as Reply);
      expect(place.startsWith("413"), `2.15 MB are ${place}`);
    });
  },
});

async function ofOperations(stage: Stage, count: number): Promise<Reply> {
  const items = await stage.items;
  const pk = stage.partition("operations");
  const creates = Array.from({ length: count }, (_, n) => ({
    operationType: "Create",
    resourceBody: { id: `d${n}`, instanceId: pk },
  }));
  return items.batch([pk], creates);
}

/** The request has so many bytes. */
async function ofBytes(stage: Stage, bytes: number): Promise<Reply> {
  const items = await stage.items;
  const pk = stage.partition("bytes");
  const creates = (lengths: readonly number[]) =>
    lengths.map((length, n) => ({
      operationType: "Create",
      resourceBody: { id: `d${n}`, instanceId: pk, text: "x".repeat(length) },
    }));
  const empty = Buffer.byteLength(JSON.stringify(creates(Array.from({ length: PIECES }, () => 0))));
  const all = bytes - empty;
  const each = Math.floor(all / PIECES);
  const lengths = Array.from({ length: PIECES }, (_, n) => (n === 0 ? all - each * (PIECES - 1) : each));
  return items.batch([pk], creates(lengths));
}
