import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf, withFixture } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

/** Items of several partition keys, which lie in several physical partitions where there are several. */
async function startFilled(
  options: { lenient?: boolean; physicalPartitions?: number } = {},
): Promise<Fixture> {
  const fixture = await Fixture.start(options);
  for (let n = 0; n < 9; n += 1) await fixture.create({ id: `i${n}`, pk: `p${n % 5}`, n });
  return fixture;
}

const post = (fixture: Fixture, body: unknown, headers: Record<string, string>): Promise<RawResponse> => {
  const flags = { "content-type": "application/query+json", "x-ms-documentdb-isquery": "true" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fixture.client.signed(
    "POST",
    { link: CONTAINER, feed: "docs" },
    { body: text, headers: { ...flags, ...headers } },
  );
};

/** All pages of a query over all partitions. */
async function drain(
  fixture: Fixture,
  query: string,
  headers: Record<string, string> = {},
): Promise<unknown[]> {
  const found: unknown[] = [];
  let continuation: string | undefined;
  do {
    const more = continuation === undefined ? {} : { "x-ms-continuation": continuation };
    const page = await fixture.query(query, undefined, { ...headers, ...more });
    expect(page.status).toBe(200);
    found.push(...page.json.Documents);
    continuation = page.headers["x-ms-continuation"] as string | undefined;
  } while (continuation !== undefined);
  return found;
}

describe("a query of one partition key", () => {
  it("tells nothing of its indexes where that is more than a client can read", async () => {
    await using fixture = await startFilled();
    const filter = Array.from({ length: 500 }, (_, n) => `c.property${n} = 1`).join(" OR ");
    const { status, headers } = await fixture.query(`SELECT * FROM c WHERE ${filter}`, "p0", {
      "x-ms-cosmos-populateindexmetrics-v2": "True",
    });
    expect([status, headers["x-ms-cosmos-index-utilization"]]).toEqual([200, undefined]);
  });
});

describe("a query over all partitions", () => {
  it("that a filter on the partition key leads to one partition needs neither header nor plan", async () => {
    await using fixture = await startFilled({ physicalPartitions: 3 });
    const query = "SELECT VALUE c.n FROM c WHERE c.pk = 'p1' ORDER BY c.n DESC";
    const response = await post(fixture, { query }, {});
    expect([response.status, response.json.Documents]).toEqual([200, [6, 1]]);
  });

  it("is answered partition by partition, to the last item", async () => {
    await using fixture = await startFilled({ physicalPartitions: 4 });
    const first = await fixture.query("SELECT VALUE c.n FROM c WHERE c.n >= 0");
    expect(first.headers["x-ms-continuation"]).toBeDefined();
    const found = await drain(fixture, "SELECT VALUE c.n FROM c WHERE c.n >= 0", {
      "x-ms-max-item-count": "1",
    });
    expect([...found].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("refuses the continuation of something else", async () => {
    await using fixture = await startFilled({ physicalPartitions: 2 });
    for (const continuation of [
      "nonsense",
      "{}",
      '{"range":"9","token":null}',
      '{"range":"0","token":"x"}',
    ]) {
      const response = await fixture.query("SELECT * FROM c", undefined, {
        "x-ms-continuation": continuation,
      });
      expect(response.status, continuation).toBe(400);
    }
  });

  it("is answered directly by a lenient endpoint, whatever it asks", async () => {
    await using fixture = await startFilled({ lenient: true, physicalPartitions: 3 });
    expect((await fixture.query("SELECT VALUE c.n FROM c ORDER BY c.n DESC")).json.Documents[0]).toBe(8);
    expect((await fixture.query("SELECT VALUE COUNT(1) FROM c")).json.Documents).toEqual([9]);
    const groups = await fixture.query("SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk");
    expect(groups.json.Documents).toHaveLength(5);
  });

  it("is answered for a range of effective partition keys", async () => {
    await using fixture = await startFilled();
    const half = async (start: string, end: string): Promise<unknown[]> => {
      const header = { "x-ms-start-epk": start, "x-ms-end-epk": end };
      return (await fixture.query("SELECT VALUE c.id FROM c", undefined, header)).json.Documents;
    };
    const [low, high] = [await half("", "1F"), await half("1F", "FF")];
    expect(low.length + high.length).toBe(9);
    expect(low.filter((id) => high.includes(id))).toEqual([]);
    const headers = { "x-ms-start-epk": "no hex" };
    expect((await fixture.query("SELECT * FROM c", undefined, headers)).status).toBe(400);
  });
});

describe("the plan of a query", () => {
  const askPlan = (fixture: Fixture, query: string, features = "OrderBy, Aggregate"): Promise<RawResponse> =>
    post(
      fixture,
      { query },
      {
        "x-ms-cosmos-is-query-plan-request": "True",
        "x-ms-cosmos-supported-query-features": features,
      },
    );

  it.each([
    ["SELECT VALUE COUNT(1) FROM c", "Aggregate"],
    ["SELECT * FROM c ORDER BY c.n", "OrderBy"],
    ["SELECT TOP 1 * FROM c", "Top"],
    ["SELECT * FROM c OFFSET 1 LIMIT 1", "OffsetAndLimit"],
    ["SELECT DISTINCT VALUE c.n FROM c", "Distinct"],
    ["SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n", "GroupBy,NonValueAggregate"],
  ])("is refused to a client that cannot run it: %s needs %s", async (query, features) => {
    await using fixture = await startFilled();
    const refused = await askPlan(fixture, query, "Nothing");
    expect([refused.status, refused.json.message]).toEqual([
      400,
      expect.stringMatching(/unsupported features/),
    ]);
    for (const feature of features.split(",")) expect(refused.json.message).toContain(feature);
    expect((await askPlan(fixture, query, features)).status).toBe(200);
  });

  it("that asks nothing of a client is answered to every client", async () => {
    await using fixture = await startFilled();
    expect((await askPlan(fixture, "SELECT c.n FROM c", "")).status).toBe(200);
  });
});

describe("the body of a query", () => {
  it.each([
    ["application/sql", "SELECT VALUE c.id FROM c WHERE c.n = 1"],
    ["application/query+json", '{"query":"SELECT VALUE c.id FROM c WHERE c.n = 1"}'],
  ])("needs no header beside its content type %s", async (type, body) => {
    await using fixture = await startFilled();
    const headers = { "content-type": type, "x-ms-documentdb-query-enablecrosspartition": "True" };
    const { status, json } = await fixture.client.signed(
      "POST",
      { link: CONTAINER, feed: "docs" },
      { body, headers },
    );
    expect([status, json.Documents?.length]).toEqual([200, 1]);
  });
});

describe("a malformed query", () => {
  it.each([
    ["without a body", ""],
    ["with parameters that are no list", { query: "SELECT 1", parameters: {} }],
  ])("%s is refused with 400", async (_, body) => {
    await using fixture = await startFilled();
    expect((await post(fixture, body, keyOf("p0"))).status).toBe(400);
  });
});

describe("queries over other resources", () => {
  withFixture("find databases, containers, offers and stored procedures", async (fixture) => {
    const { client } = fixture;
    await client.signed(
      "POST",
      { link: CONTAINER, feed: "sprocs" },
      { body: '{"id":"s","body":"function () {}"}' },
    );
    const flags = { "content-type": "application/query+json", "x-ms-documentdb-isquery": "true" };
    const find = async (target: { link: string; feed: string }, query: string): Promise<RawResponse> =>
      client.signed("POST", target, { headers: flags, body: JSON.stringify({ query }) });
    const databases = await find({ link: "", feed: "dbs" }, "SELECT * FROM root r WHERE r.id = 'db'");
    expect(databases.json.Databases.map((it: { id: string }) => it.id)).toEqual(["db"]);
    const containers = await find({ link: "dbs/db", feed: "colls" }, "SELECT VALUE r.id FROM root r");
    expect(containers.json.DocumentCollections).toEqual(["items"]);
    const sprocs = await find({ link: CONTAINER, feed: "sprocs" }, "SELECT VALUE r.id FROM root r");
    expect(sprocs.json.StoredProcedures).toEqual(["s"]);
    const { json } = await client.signed("GET", { link: CONTAINER });
    const offers = await find(
      { link: "", feed: "offers" },
      `SELECT * FROM root WHERE root.resource = "${json._self}"`,
    );
    expect(offers.json.Offers[0].content.offerThroughput).toBe(400);
  });
});
