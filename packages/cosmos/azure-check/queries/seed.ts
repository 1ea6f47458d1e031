/** Documents that are copied into a container. */
import { expectStatus, type Fields, type Items } from "@duroxide-ts/cosmos-emulator/conformance";

const IN_A_BATCH = 100;
const MOST_BYTES = 1_500_000;

/** Stores each where it is not there yet, or as it is now. */
export async function seed(items: Items, documents: readonly Fields[]): Promise<void> {
  for (const [instanceId, ofOne] of Map.groupBy(documents, (each) => String(each["instanceId"]))) {
    for (const batch of batchesOf(ofOne)) {
      const operations = batch.map((resourceBody) => ({ operationType: "Upsert", resourceBody }));
      expectStatus(await items.batch([instanceId], operations), 200);
    }
  }
}

function batchesOf(documents: readonly Fields[]): readonly (readonly Fields[])[] {
  const batches: Fields[][] = [];
  let bytes = 0;
  for (const document of documents) {
    const size = Buffer.byteLength(JSON.stringify(document));
    const last = batches.at(-1);
    if (last === undefined || last.length >= IN_A_BATCH || bytes + size > MOST_BYTES) {
      batches.push([document]);
      bytes = size;
    } else {
      last.push(document);
      bytes += size;
    }
  }
  return batches;
}

/** Fields of the service, and the time to live: copied documents must stay. */
const NOT_COPIED: readonly string[] = ["_rid", "_self", "_etag", "_attachments", "_ts", "_lsn", "ttl"];

/** A document as its writer sent it. */
export function asWritten(document: Fields): Fields {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !NOT_COPIED.includes(name)));
}
