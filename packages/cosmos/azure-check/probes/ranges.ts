/** Probe 10: physical partitions, queries that name one, and one that does not exist any more. */
import {
  expect,
  expectEqual,
  expectMatch,
  expectStatus,
  type Items,
} from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";
import { recoversFromGoneRange } from "./gone-range.ts";

const GONE_RANGE = "4242";
const DOCUMENTS = 5;

export const RANGES = step({
  id: "2.10",
  phase: 2,
  title: "Physical partitions",
  gates: {
    "range-shape": "the ranges have texts as ids, and cover all keys from nothing to FF",
    "range-queries": "a query that names a range is served with ORDER BY, VALUE, COUNT and a continuation",
    "range-gone": "a query that names a range that does not exist is 410/1002",
    "range-recovery": "a provider that knows a range that is gone finds work again within the limit",
  },
  estimateRu: () => 250,
  isRecorded: true,
  async run(stage, notes) {
    const items = await stage.items;
    await notes.gate("range-shape", () => expectTiling(items));
    await notes.gate("range-queries", () => expectQueries(stage, items));
    await notes.gate("range-gone", async () => {
      const reply = await items.query("SELECT * FROM c", { headers: inRange(GONE_RANGE) });
      expectStatus(reply, 410, 1002);
    });
    await notes.gate("range-recovery", async () => {
      const tookMs = await recoversFromGoneRange(stage, GONE_RANGE);
      notes.record("recovery ms", Math.round(tookMs));
      expect(tookMs < stage.scale.recoveryMs, `it took ${Math.round(tookMs)} ms`);
    });
  },
});

async function expectTiling(items: Items): Promise<void> {
  const ranges = (await items.ranges()).toSorted((a, b) =>
    String(a["minInclusive"]) < String(b["minInclusive"]) ? -1 : 1,
  );
  for (const { id } of ranges)
    expectMatch(typeof id === "string" ? id : undefined, /^\d+$/, "the id of a range");
  const ends = ranges.map((each) => each["maxExclusive"]);
  const begins = ranges.map((each) => each["minInclusive"]);
  expectEqual([begins[0], ends.at(-1)], ["", "FF"], "the outer bounds");
  expectEqual(begins.slice(1), ends.slice(0, -1), "the bounds between ranges");
}

async function expectQueries(stage: Stage, items: Items): Promise<void> {
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({
    id: `d${n}`,
    type: "probe",
    visibleAt: DOCUMENTS - n,
  }));
  const { pk } = await stage.partitionWith("range", ...documents);
  const found = await items.read([pk], "d0");
  const headers = inRange(found.header("x-ms-documentdb-partitionkeyrangeid") ?? "");
  const filter = "WHERE c.type = 'probe' AND c.instanceId = @pk";
  const parameters = [{ name: "@pk", value: pk }];
  const ask = (text: string) =>
    items.pages(text, { parameters, headers: { ...headers, "x-ms-max-item-count": "2" } });
  const ordered = await ask(`SELECT VALUE c.visibleAt FROM c ${filter} ORDER BY c.visibleAt`);
  expectEqual(
    ordered.flatMap(({ list }) => list),
    [1, 2, 3, 4, 5],
    "the ordered rows of all pages",
  );
  expect(ordered.length > 1, "the first page has no continuation");
  const counted = await ask(`SELECT VALUE COUNT(1) FROM c ${filter}`);
  expectEqual(
    counted.flatMap(({ list }) => list),
    [DOCUMENTS],
    "the count",
  );
}

function inRange(id: string): Readonly<Record<string, string>> {
  return { "x-ms-documentdb-partitionkeyrangeid": id };
}
