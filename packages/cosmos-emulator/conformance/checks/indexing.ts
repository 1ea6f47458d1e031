/** The forms of ORDER BY that the indexing policy allows. */
import { inGroup } from "../check.ts";
import type { Items } from "../client/items.ts";
import type { Fields } from "../client/reply.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import { FIXTURES } from "../given/fixtures.ts";
import { type Target, unique } from "../target.ts";

async function ordered(target: Target): Promise<{ items: Items; pk: string }> {
  return target.once("ordered", async () => {
    const items = await target.fixture("composite");
    const pk = unique("pk");
    const pairs = [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ] as const;
    for (const [a, b] of pairs)
      expectStatus(await items.create([pk], { id: `${a}${b}`, pk, a, b, c: a, unindexed: b }), 201);
    return { items, pk };
  });
}

async function orderedBy(target: Target, clause: string) {
  const { items, pk } = await ordered(target);
  return items.query(`SELECT VALUE c.id FROM c ORDER BY ${clause}`, { key: [pk] });
}

export const INDEXING = inGroup("indexing", [
  {
    name: "two properties are ordered by a composite index, in its directions or all reversed",
    evidence: ["1.15 policy"],
    async run(target) {
      expectEqual(
        expectStatus(await orderedBy(target, "c.a, c.b DESC"), 200).list,
        ["12", "11", "22", "21"],
        "as defined",
      );
      expectEqual(
        expectStatus(await orderedBy(target, "c.a DESC, c.b"), 200).list,
        ["21", "22", "11", "12"],
        "reversed",
      );
    },
  },
  {
    name: "other directions, another sequence and other properties are refused",
    evidence: ["1.15 policy"],
    async run(target) {
      for (const clause of ["c.a, c.b", "c.a DESC, c.b DESC", "c.b DESC, c.a", "c.a, c.c"]) {
        expectStatus(await orderedBy(target, clause), 400);
      }
    },
  },
  {
    name: "without any composite index two properties are refused",
    evidence: ["1.15 policy"],
    async run(target) {
      const items = await target.items;
      expectStatus(await items.query("SELECT * FROM c ORDER BY c.a, c.b", { key: ["p"] }), 400);
    },
  },
  {
    name: "an excluded path is refused in ORDER BY and served in a filter",
    evidence: ["1.15 excluded"],
    async run(target) {
      expectStatus(await orderedBy(target, "c.unindexed"), 400);
      const { items, pk } = await ordered(target);
      const filtered = await items.query("SELECT VALUE c.id FROM c WHERE c.unindexed = 2", { key: [pk] });
      expectEqual([...expectStatus(filtered, 200).list].sort(), ["12", "22"], "the filtered items");
    },
  },
  {
    name: "items are ordered by the time of their last write",
    evidence: ["1.15 always"],
    async run(target) {
      expectEqual(
        [...expectStatus(await orderedBy(target, "c._ts"), 200).list].sort(),
        ["11", "12", "21", "22"],
        "all of them",
      );
    },
  },
  {
    name: "a composite index has 8 paths at most",
    evidence: ["3.1 composite"],
    async run(target) {
      const create = (paths: number) => {
        const index = Array.from({ length: paths }, (_, n) => ({ path: `/p${n}`, order: "ascending" }));
        const indexingPolicy: Fields = {
          indexingMode: "consistent",
          automatic: true,
          includedPaths: [{ path: "/*" }],
          excludedPaths: [],
          compositeIndexes: [index],
        };
        const body = { id: unique("temporary"), ...FIXTURES.plain, indexingPolicy };
        return target.raw.send({ method: "POST", link: `${target.databaseLink}/colls`, body });
      };
      expectStatus(await create(8), 201);
      expectStatus(await create(9), 400);
    },
  },
  {
    name: "a policy must include or exclude the root path",
    evidence: ["1.15 policy"],
    async run(target) {
      const indexingPolicy = {
        indexingMode: "consistent",
        automatic: true,
        includedPaths: [{ path: "/a/?" }],
        excludedPaths: [{ path: "/b/?" }],
      };
      const body = { id: unique("temporary"), ...FIXTURES.plain, indexingPolicy };
      expectStatus(
        await target.raw.send({ method: "POST", link: `${target.databaseLink}/colls`, body }),
        400,
      );
    },
  },
]);
