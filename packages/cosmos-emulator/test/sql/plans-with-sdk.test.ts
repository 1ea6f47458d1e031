/**
 * The official SDK runs queries over three partitions by their plans. The rows have to be those of an endpoint with a
 * single partition that answers every query itself.
 */
import { type Container, CosmosClient, PartitionKeyDefinitionVersion, PartitionKeyKind } from "@azure/cosmos";
import { CosmosEmulator, type CosmosEmulatorOptions } from "@duroxide-ts/cosmos-emulator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Opened extends AsyncDisposable {
  readonly emulator: CosmosEmulator;
  readonly simple: Container;
  readonly tree: Container;
}

const CONTAINERS = {
  simple: { paths: ["/pk"] },
  tree: {
    paths: ["/tenant", "/user"],
    kind: PartitionKeyKind.MultiHash,
    version: PartitionKeyDefinitionVersion.V2,
  },
};

/**
 * The SDK cannot merge ORDER BY over values of different types, and loses 0, false and "" among distinct values, so that
 * each property has one type and what is made distinct begins at 1.
 */
const DOCUMENTS = Array.from({ length: 60 }, (_, n) => ({
  id: `d${String(n).padStart(2, "0")}`,
  pk: `p${n % 10}`,
  tenant: `t${n % 4}`,
  user: `u${n % 3}`,
  n,
  tens: 1 + Math.floor(n / 10),
  half: n / 2,
  ...(n % 3 === 0 ? {} : { some: 1 + (n % 5) }),
  even: n % 2 === 0,
  tags: [`tag${n % 2}`, `tag${n % 3}`],
}));

async function open(options: CosmosEmulatorOptions): Promise<Opened> {
  const emulator = await CosmosEmulator.start({ port: 0, ...options });
  const client = new CosmosClient({ connectionString: emulator.connectionString });
  const { database } = await client.databases.create({ id: "db" });
  const indexingPolicy = {
    compositeIndexes: [
      [
        { path: "/tens", order: "descending" as const },
        { path: "/n", order: "ascending" as const },
      ],
    ],
  };
  const containerOf = async (id: "simple" | "tree"): Promise<Container> => {
    const definition = { id, partitionKey: CONTAINERS[id], indexingPolicy };
    const { container } = await database.containers.create(definition);
    await Promise.all(DOCUMENTS.map((document) => container.items.create(document)));
    return container;
  };
  const [simple, tree] = [await containerOf("simple"), await containerOf("tree")];
  const dispose = async (): Promise<void> => {
    client.dispose();
    await emulator.stop();
  };
  return { emulator, simple, tree, [Symbol.asyncDispose]: dispose };
}

let several: Opened;
let single: Opened;
beforeAll(async () => {
  [several, single] = [await open({ physicalPartitions: 3 }), await open({ lenient: true })];
});
afterAll(async () => {
  await several[Symbol.asyncDispose]();
  await single[Symbol.asyncDispose]();
});

async function rowsOf(container: Container, query: string, maxItemCount?: number): Promise<unknown[]> {
  const options = maxItemCount === undefined ? {} : { maxItemCount };
  return (await container.items.query(query, options).fetchAll()).resources;
}

/** Rows without an order, in one that both sides have. */
function arranged(rows: readonly unknown[]): readonly unknown[] {
  return rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

const KEYS = {
  "every key": "true",
  "one key": "c.pk = 'p3'",
  "some keys": "c.pk IN ('p1', 'p4', 'p9')",
  "no key that is stored": "c.pk = 'nowhere'",
};

/** `$` is the condition on the partition key. */
const IN_ORDER = [
  "SELECT VALUE c.n FROM c WHERE $ ORDER BY c.n",
  "SELECT VALUE c.n FROM c WHERE $ ORDER BY c.n DESC",
  "SELECT c.id, c.tens FROM c WHERE $ ORDER BY c.tens DESC, c.n",
  "SELECT c.id FROM c WHERE $ AND c.even ORDER BY c.half",
  "SELECT TOP 7 c.id FROM c WHERE $ ORDER BY c.n",
  "SELECT TOP 100 VALUE c.id FROM c WHERE $ ORDER BY c.id DESC",
  "SELECT VALUE c.n FROM c WHERE $ ORDER BY c.n OFFSET 5 LIMIT 6",
  "SELECT VALUE c.n FROM c WHERE $ ORDER BY c.n OFFSET 50 LIMIT 60",
  "SELECT DISTINCT VALUE c.tens FROM c WHERE $ ORDER BY c.tens",
  "SELECT DISTINCT VALUE c.some FROM c WHERE $ ORDER BY c.some DESC",
  "SELECT DISTINCT c.tens, c.n FROM c WHERE $ ORDER BY c.tens DESC, c.n",
  "SELECT DISTINCT VALUE c.some FROM c WHERE $ ORDER BY c.n DESC",
];

const IN_ANY_ORDER = [
  "SELECT c.id, c.n FROM c WHERE $",
  "SELECT VALUE c.id FROM c WHERE $ AND c.n > 30",
  "SELECT c.id, t FROM c JOIN t IN c.tags WHERE $",
  "SELECT DISTINCT VALUE c.some FROM c WHERE $",
  "SELECT DISTINCT c.even, c.tens FROM c WHERE $",
  "SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags WHERE $",
  "SELECT VALUE COUNT(1) FROM c WHERE $",
  "SELECT VALUE COUNT(c.some) FROM c WHERE $",
  "SELECT VALUE SUM(c.n) FROM c WHERE $",
  "SELECT VALUE AVG(c.half) FROM c WHERE $ AND c.n < 40",
  "SELECT VALUE MIN(c.n) FROM c WHERE $ AND c.n > 2",
  "SELECT VALUE MAX(c.id) FROM c WHERE $ AND c.n > 2",
  "SELECT VALUE AVG(c.some) FROM c WHERE $ AND IS_DEFINED(c.some)",
  "SELECT c.even, COUNT(1) AS count, SUM(c.n) AS sum, AVG(c.n) AS avg FROM c WHERE $ GROUP BY c.even",
  "SELECT c.tens, MIN(c.id) AS first, MAX(c.n) AS last FROM c WHERE $ GROUP BY c.tens",
  "SELECT c.even, c.some, COUNT(1) AS count FROM c WHERE $ AND IS_DEFINED(c.some) GROUP BY c.even, c.some",
  "SELECT c.tens FROM c WHERE $ GROUP BY c.tens",
];

/**
 * Queries whose rows are left open, but not how many they are, nor that they are rows of the query without a count.
 */
const ANY_SO_MANY = [
  ["SELECT TOP 7 VALUE c.n FROM c WHERE $", "SELECT VALUE c.n FROM c WHERE $"],
  ["SELECT VALUE c.n FROM c WHERE $ OFFSET 5 LIMIT 6", "SELECT VALUE c.n FROM c WHERE $"],
  ["SELECT DISTINCT TOP 3 VALUE c.tens FROM c WHERE $", "SELECT DISTINCT VALUE c.tens FROM c WHERE $"],
] as const;

describe.each(Object.entries(KEYS))("over %s", (_name, condition) => {
  test.each(IN_ORDER)("%s", async (template) => {
    const query = template.replace("$", condition);
    const wanted = await rowsOf(single.simple, query);
    expect(await rowsOf(several.simple, query)).toEqual(wanted);
    expect(await rowsOf(several.simple, query, 4)).toEqual(wanted);
  });

  test.each(IN_ANY_ORDER)("%s", async (template) => {
    const query = template.replace("$", condition);
    const wanted = arranged(await rowsOf(single.simple, query));
    expect(arranged(await rowsOf(several.simple, query))).toEqual(wanted);
    expect(arranged(await rowsOf(several.simple, query, 4))).toEqual(wanted);
  });

  test.each(ANY_SO_MANY)("%s", async (template, all) => {
    const query = template.replace("$", condition);
    const found = await rowsOf(several.simple, query);
    expect(found).toHaveLength((await rowsOf(single.simple, query)).length);
    expect(new Set(found).size).toBe(found.length);
    expect(await rowsOf(single.simple, all.replace("$", condition))).toEqual(expect.arrayContaining(found));
  });
});

describe("with a hierarchical key", () => {
  test.each([
    "c.tenant = 't1'",
    "c.tenant = 't1' AND c.user = 'u2'",
    "c.tenant IN ('t1', 't3')",
    "c.user = 'u2'",
    "c.tenant = 't1' OR c.n = 4",
  ])("%s", async (condition) => {
    for (const template of IN_ORDER) {
      const query = template.replace("$", `(${condition})`);
      expect(await rowsOf(several.tree, query)).toEqual(await rowsOf(single.tree, query));
    }
    for (const template of IN_ANY_ORDER) {
      const query = template.replace("$", `(${condition})`);
      expect(arranged(await rowsOf(several.tree, query))).toEqual(arranged(await rowsOf(single.tree, query)));
    }
  });
});

test("the documents do lie in three partitions, and a query of one key asks one of them", async () => {
  const { resources } = await several.simple.readPartitionKeyRanges().fetchAll();
  expect(resources).toHaveLength(3);
  const stored = await Promise.all(
    resources.map(async ({ id }) => {
      const headers = { "x-ms-documentdb-partitionkeyrangeid": id };
      const { resources: ids } = await several.simple.items
        .query("SELECT VALUE c.id FROM c", { initialHeaders: headers })
        .fetchAll();
      return ids.length;
    }),
  );
  expect(stored.every((count) => count > 0)).toBe(true);
});
