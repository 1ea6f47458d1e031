/** Pages of results and the continuation between them. */
import { inGroup } from "../check.ts";
import type { Items } from "../client/items.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { MANY, many, thirty } from "../given/seed.ts";

const pageSize = (size: string) => ({ "x-ms-max-item-count": size });

/** Sizes of the pages of a query of everything, with `size` wanted. */
async function sizesOf(items: Items, size?: string): Promise<readonly number[]> {
  const headers = size === undefined ? {} : pageSize(size);
  const pages = await items.pages("SELECT c.id FROM c", { headers });
  return pages.map((page) => page.list.length);
}

/** Tells whether there is one range: with several, pages end where ranges end; with one, they are full. */
const isOneRange = async (items: Items): Promise<boolean> => (await items.rangeIds()).length === 1;

export const PAGING = inGroup("paging", [
  {
    name: "pages neither repeat nor miss an item",
    evidence: ["1.8 continuation", "5.2 query", "6 query"],
    async run(target) {
      const items = await thirty(target);
      for (const size of ["1", "4", "7", "30"]) {
        const pages = await items.pages("SELECT VALUE c.id FROM c", { headers: pageSize(size) });
        expect(
          pages.every((page) => page.list.length <= Number(size)),
          `a page has more than ${size}`,
        );
        const ids = pages.flatMap((page) => page.list);
        expectEqual([ids.length, new Set(ids).size], [30, 30], `the items in pages of ${size}`);
      }
    },
  },
  {
    name: "pages of one partition go on where the last one ended",
    evidence: ["1.8 continuation", "6 query"],
    async run(target) {
      const items = await thirty(target);
      const pages = await items.pages("SELECT VALUE c.n FROM c ORDER BY c.n DESC", {
        key: ["p7"],
        headers: pageSize("1"),
      });
      expectEqual(
        pages.flatMap((page) => page.list),
        [27, 17, 7],
        "the items",
      );
      const filtered = await items.pages("SELECT VALUE c.n FROM c WHERE c.n > 7", {
        key: ["p7"],
        headers: pageSize("1"),
      });
      expectEqual(filtered.flatMap((page) => page.list).sort(), [17, 27], "the filtered items");
    },
  },
  {
    name: "TOP, DISTINCT, OFFSET and GROUP BY are paged inside a partition",
    evidence: ["1.8 continuation", "1.8 refused"],
    async run(target) {
      const items = await thirty(target);
      const all = async (query: string): Promise<readonly unknown[]> =>
        (await items.pages(query, { key: ["p8"], headers: pageSize("1") })).flatMap((page) => page.list);
      expectEqual(await all("SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n"), [8, 18], "TOP");
      expectEqual(
        await all("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 1 LIMIT 2"),
        [18, 28],
        "OFFSET LIMIT",
      );
      expectEqual((await all("SELECT DISTINCT VALUE c.even FROM c")).length, 1, "DISTINCT");
    },
  },
  {
    name: "the last page has no continuation",
    evidence: ["1.8 answer"],
    async run(target) {
      const items = await thirty(target);
      const reply = expectStatus(await items.query("SELECT VALUE c.n FROM c", { key: ["p9"] }), 200);
      expectEqual(reply.header("x-ms-continuation"), undefined, "the continuation");
    },
  },
  {
    name: "a continuation is JSON text",
    evidence: ["1.8 continuation"],
    async run(target) {
      const items = await thirty(target);
      const reply = expectStatus(await items.query("SELECT c.id FROM c", { headers: pageSize("2") }), 200);
      const continuation = reply.header("x-ms-continuation") ?? "";
      expect(typeof JSON.parse(continuation) === "object", `the continuation is ${continuation}`);
    },
  },
  {
    name: "a continuation that was never given is 400",
    evidence: ["1.8 continuation", "2.1 400", "6 query"],
    async run(target) {
      const items = await thirty(target);
      const headers = { "x-ms-continuation": "this is no continuation" };
      const reply = expectStatus(await items.query("SELECT c.id FROM c", { headers }), 400);
      expectMatch(String(reply.fields["message"]), /continuation/i, "the message");
    },
  },
  {
    name: "a page has 1000 items where nothing else is asked for, or 0",
    evidence: ["1.8 request", "3.1 default page", "recorded: page sizes"],
    async run(target) {
      const { items } = await many(target);
      for (const size of [undefined, "0", "1000"]) {
        const sizes = await sizesOf(items, size);
        expectEqual(
          sizes.reduce((sum, it) => sum + it, 0),
          MANY,
          "the items",
        );
        if (await isOneRange(items))
          expectEqual(sizes, [1000, 1000, 500], `the pages with ${size ?? "no size"}`);
        else expect(Math.max(...sizes) <= 1000, "a page has more than 1000 items");
      }
    },
  },
  {
    name: "-1 and 5000 give all 2,500 at once",
    evidence: ["recorded: page sizes", "1.8 request"],
    async run(target) {
      const { items } = await many(target);
      for (const size of ["-1", "5000"]) {
        const sizes = await sizesOf(items, size);
        expectEqual(sizes.length, (await items.rangeIds()).length, `the pages with ${size}`);
      }
    },
  },
  {
    name: "a page size that is no number is 400",
    evidence: ["recorded: page sizes", "2.1 400"],
    async run(target) {
      const items = await thirty(target);
      expectStatus(await items.query("SELECT c.id FROM c", { headers: pageSize("abc") }), 400);
    },
  },
  {
    name: "a page holds no more than 4 MB",
    evidence: ["3.1 page size"],
    async run(target) {
      const items = await target.temporary();
      const text = "x".repeat(900_000);
      for (const id of ["a", "b", "c", "d", "e", "f"])
        expectStatus(await items.create(["p"], { id, pk: "p", text }), 201);
      const pages = await items.pages("SELECT * FROM c", { key: ["p"], headers: pageSize("-1") });
      expectEqual(pages.flatMap((page) => page.list).length, 6, "the items");
      const largest = Math.max(...pages.map((page) => Buffer.byteLength(page.text)));
      expect(
        largest <= 4_300_000 && pages.length > 1,
        `${pages.length} pages, the largest of ${largest} bytes`,
      );
    },
  },
  {
    name: "items written between two pages do not shift the rest",
    evidence: ["1.8 continuation"],
    async run(target) {
      const items = await target.temporary();
      for (const n of [1, 2, 3, 4]) await items.create(["p"], { id: `i${n}`, pk: "p", n });
      const query = "SELECT VALUE c.n FROM c ORDER BY c.n";
      const first = expectStatus(await items.query(query, { key: ["p"], headers: pageSize("2") }), 200);
      await items.create(["p"], { id: "i0", pk: "p", n: 0 });
      await items.remove(["p"], "i1");
      const headers = { ...pageSize("10"), "x-ms-continuation": first.header("x-ms-continuation") ?? "" };
      const rest = expectStatus(await items.query(query, { key: ["p"], headers }), 200).list;
      expectEqual(
        [first.list, rest],
        [
          [1, 2],
          [3, 4],
        ],
        "the two pages",
      );
    },
  },
]);
