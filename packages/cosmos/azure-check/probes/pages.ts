/** Probe 13: how pages are cut, and whether one may be short or empty although more follows. */
import { expectEqual, type Items } from "@duroxide-ts/cosmos-emulator/conformance";
import { seed } from "../queries/seed.ts";
import { step } from "../step.ts";

const SIZES = [1, 100, -1];
const KB = 1_000;
/** Number of large documents: together they are more than the 4 MB of a page. */
const BIG = 60;
const BIG_BYTES = 100 * KB;

interface Cut {
  readonly pages: number;
  readonly rows: number;
  readonly largest: number;
  /** Number of short pages before the last one. */
  readonly short: number;
  readonly empty: number;
}

export const PAGES = step({
  id: "2.13",
  phase: 2,
  title: "Pages of a query",
  gates: {},
  estimateRu: ({ pagedDocuments, largeDocuments }) => pagedDocuments * 12 + (largeDocuments ? 4_000 : 0),
  async run(stage, notes) {
    const items = await stage.items;
    const pk = stage.partition("pages");
    const count = stage.scale.pagedDocuments;
    await seed(
      items,
      Array.from({ length: count }, (_, n) => ({ id: `d${n}`, instanceId: pk, n })),
    );
    for (const size of SIZES) {
      const cut = await cutOf(items, pk, size, size === 1 ? 5 : Number.POSITIVE_INFINITY);
      notes.record(`pages of ${size}`, cut);
      await notes.expect(`no page of ${size} is short or empty before the last one`, () =>
        expectEqual([cut.short, cut.empty], [0, 0], "short and empty pages"),
      );
      if (size !== 1)
        await notes.expect(`pages of ${size} have all rows`, () => expectEqual(cut.rows, count, "the rows"));
    }
    if (!stage.scale.largeDocuments) return;
    const big = stage.partition("big");
    const text = "x".repeat(BIG_BYTES);
    await seed(
      items,
      Array.from({ length: BIG }, (_, n) => ({ id: `d${n}`, instanceId: big, text })),
    );
    const cut = await cutOf(items, big, -1);
    notes.record("6 MB with pages of -1", cut);
    await notes.expect("6 MB come whole, in several pages", () => expectEqual(cut.rows, BIG, "the rows"));
  },
});

async function cutOf(
  items: Items,
  pk: string,
  size: number,
  mostPages = Number.POSITIVE_INFINITY,
): Promise<Cut> {
  const lengths: number[] = [];
  let continuation: string | undefined;
  do {
    const more = continuation === undefined ? {} : { "x-ms-continuation": continuation };
    const headers = { "x-ms-max-item-count": String(size), ...more };
    const reply = await items.query("SELECT * FROM c", { key: [pk], headers });
    lengths.push(reply.list.length);
    continuation = reply.header("x-ms-continuation");
  } while (continuation !== undefined && continuation !== "" && lengths.length < mostPages);
  const isWhole = continuation === undefined || continuation === "";
  const beforeLast = isWhole ? lengths.slice(0, -1) : lengths;
  return {
    pages: lengths.length,
    rows: lengths.reduce((sum, each) => sum + each, 0),
    largest: Math.max(...lengths),
    short: size > 0 ? beforeLast.filter((length) => length > 0 && length < size).length : 0,
    empty: beforeLast.filter((length) => length === 0).length,
  };
}
