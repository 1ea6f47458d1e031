/** Probe 7: whether the order of `_rid`s is that of creation. Messages of equal times are put in order by it. */
import { fieldsOf } from "../../../cosmos-emulator/conformance/client/reply.ts";
import { expect, expectStatus } from "../../../cosmos-emulator/conformance/expect.ts";
import { compareRids } from "../../src/documents/rid.ts";
import { step } from "../step.ts";

const IN_A_BATCH = 100;

export const CREATION_ORDER = step({
  id: "2.7",
  phase: 2,
  title: "The order of creation in one partition",
  gates: {
    "creation-order":
      "the numbers in the _rids of one partition, read as little-endian, grow with each creation",
  },
  estimateRu: ({ numberedDocuments }) => numberedDocuments * 7,
  async run(stage, notes) {
    const items = await stage.items;
    const pk = stage.partition("order");
    const rids: string[] = [];
    for (let from = 0; from < stage.scale.numberedDocuments; from += IN_A_BATCH) {
      const creates = Array.from({ length: IN_A_BATCH }, (_, n) => ({
        operationType: "Create",
        resourceBody: { id: `d${from + n}`, instanceId: pk },
      }));
      const reply = expectStatus(await items.batch([pk], creates), 200);
      rids.push(...reply.objects.map((entry) => String(fieldsOf(entry["resourceBody"])["_rid"])));
    }
    notes.record("first and last", [rids[0], rids.at(-1)]);
    await notes.gate("creation-order", () => {
      const wrong = rids.findIndex((rid, n) => n > 0 && compareRids(rids[n - 1], rid) >= 0);
      expect(wrong < 0, `document ${wrong} has ${rids[wrong]} after ${rids[wrong - 1]}`);
    });
  },
});
