/** Queries inside one partition, and plain ones across all: requests and answers. */
import { inGroup } from "../check.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { resultsOn } from "../given/results-on.ts";
import { thirty, thirtyItems } from "../given/seed.ts";
import { unique } from "../target.ts";

export const QUERY = inGroup("query", [
  {
    name: "the answer has the container's rid, the documents and their count",
    evidence: ["1.8 answer", "1.5 feeds"],
    async run(target) {
      const items = await thirty(target);
      const reply = expectStatus(await items.query("SELECT * FROM c WHERE c.n < 13", { key: ["p3"] }), 200);
      expectEqual(Object.keys(reply.fields).sort(), ["Documents", "_count", "_rid"], "the members");
      expectEqual(
        [reply.list.length, reply.fields["_count"], reply.header("x-ms-item-count")],
        [1, 1, "1"],
        "the counts",
      );
      expectEqual(Buffer.from(String(reply.fields["_rid"]), "base64").length, 8, "the bytes of the rid");
      const stored = (await items.read(["p3"], "i03")).fields;
      expectEqual(reply.objects[0], stored, "the document, system fields included");
    },
  },
  {
    name: "the partition key header keeps a query in its partition",
    evidence: ["1.8 request", "6 query"],
    async run(target) {
      const items = await thirty(target);
      const found = expectStatus(await items.query("SELECT VALUE c.n FROM c", { key: ["p4"] }), 200).list;
      expectEqual([...found].sort(), [14, 24, 4], "the items of one partition");
    },
  },
  {
    name: "a plain projection is served across partitions",
    evidence: ["1.8 refused", "1.8 request"],
    async run(target) {
      const items = await thirty(target);
      const pages = await items.pages("SELECT c.n FROM c WHERE c.grp = 'g1'");
      const found = pages.flatMap((page) => page.objects.map((it) => Number(it["n"])));
      const expected = thirtyItems()
        .filter((it) => it.grp === "g1")
        .map((it) => it.n);
      expectEqual(
        found.sort((a, b) => a - b),
        expected,
        "the items",
      );
    },
  },
  {
    name: "joins, IN, LIKE, subqueries and array functions are served across partitions",
    evidence: ["recorded: functions"],
    async run(target) {
      const items = await thirty(target);
      const cases: readonly (readonly [string, number])[] = [
        ["SELECT c.id, t FROM c JOIN t IN c.tags WHERE t = 't4'", 6],
        ["SELECT c.id FROM c WHERE c.n IN (1, 2, 99)", 2],
        ["SELECT c.id FROM c WHERE c.id LIKE 'i0%'", 10],
        ["SELECT c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 't3')", 6],
        [
          "SELECT c.id, ARRAY(SELECT VALUE t FROM t IN c.tags) AS all FROM c WHERE ARRAY_CONTAINS(c.tags, 't2')",
          6,
        ],
        ["SELECT c.id FROM c WHERE c.n BETWEEN 3 AND 5", 3],
      ];
      for (const [query, count] of cases) {
        const pages = await items.pages(query);
        expectEqual(pages.flatMap((page) => page.list).length, count, query);
      }
    },
  },
  {
    name: "with neither a partition key nor the cross-partition header it is 400",
    evidence: ["1.8 refused", "recorded: query without its header", "2.1 400"],
    async run(target) {
      const items = await thirty(target);
      const headers = { "x-ms-documentdb-query-enablecrosspartition": "False" };
      expectStatus(await items.query("SELECT c.id FROM c", { headers }), 400);
    },
  },
  {
    name: "the content type of a query makes it one; with a document's it is read as a document",
    evidence: ["recorded: query without its header"],
    async run(target) {
      const items = await thirty(target);
      const send = (headers: Readonly<Record<string, string>>) =>
        target.raw.send({
          method: "POST",
          link: `${items.link}/docs`,
          headers,
          body: { query: "SELECT c.id FROM c" },
        });
      const key = { "x-ms-documentdb-partitionkey": '["p1"]' };
      expectStatus(await send({ ...key, "content-type": "application/query+json" }), 200);
      const asDocument = { "content-type": "application/json", "x-ms-documentdb-isquery": "True" };
      expectStatus(await send(asDocument), 400, 1001);
    },
  },
  {
    name: "strings stand in single or double quotes",
    evidence: ["6 query", "1.8 request"],
    async run(target) {
      const found = await resultsOn(
        target,
        { s: "it's" },
        `SELECT VALUE [c.s = 'it\\'s', c.s = "it's"] FROM c`,
      );
      expectEqual(found, [[true, true]], "the comparisons");
    },
  },
  {
    name: "keywords are read in any case, and -- begins a comment",
    evidence: ["recorded: comments"],
    async run(target) {
      const found = await resultsOn(
        target,
        { n: 1 },
        "select value c.n -- the number\n from c\twhere c.n = 1 -- one",
      );
      expectEqual(found, [1], "the result");
    },
  },
  {
    name: "query and index metrics come when asked for",
    evidence: ["recorded: metrics", "1.12 headers of the sdk"],
    async run(target) {
      const items = await thirty(target);
      const headers = { "x-ms-documentdb-populatequerymetrics": "True" };
      const reply = expectStatus(await items.query("SELECT c.id FROM c", { key: ["p1"], headers }), 200);
      const metrics = reply.header("x-ms-documentdb-query-metrics");
      expectMatch(metrics, /totalExecutionTimeInMs=[\d.]+/, "the metrics");
      expectMatch(metrics, /^[^=;]+=[^;]*(;[^=;]+=[^;]*)*;?$/, "the form of the metrics");
    },
  },
  {
    name: "the time functions give the time",
    evidence: ["6 time"],
    async run(target) {
      const [found] = await resultsOn(
        target,
        {},
        "SELECT GetCurrentTimestamp() AS ms, GetCurrentDateTime() AS iso FROM c",
      );
      const { ms, iso } = found as { ms?: unknown; iso?: unknown };
      expect(
        typeof ms === "number" && Math.abs(ms - Date.now()) < 600_000,
        `GetCurrentTimestamp is ${String(ms)}`,
      );
      expectMatch(String(iso), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/, "GetCurrentDateTime");
    },
  },
  {
    name: "groups and text functions are served inside a partition",
    evidence: ["5.2 query"],
    async run(target) {
      const items = await thirty(target);
      const query = "SELECT c.grp, COUNT(1) AS n FROM c GROUP BY c.grp";
      const groups = expectStatus(await items.query(query, { key: ["p2"] }), 200).objects;
      const sorted = [...groups].sort((a, b) => String(a["grp"]).localeCompare(String(b["grp"])));
      expectEqual(
        sorted,
        [
          { grp: "g0", n: 1 },
          { grp: "g1", n: 1 },
          { grp: "g2", n: 1 },
        ],
        "the groups",
      );
      const upper = await items.query("SELECT VALUE UPPER(c.id) FROM c WHERE STARTSWITH(c.id, 'i1')", {
        key: ["p2"],
      });
      expectEqual(expectStatus(upper, 200).list, ["I12"], "UPPER and STARTSWITH");
    },
  },
  {
    name: "a session token on a query is accepted",
    evidence: ["5.2 query", "1.11 token"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
      const headers = {
        "x-ms-session-token": created.header("x-ms-session-token") ?? "",
        "x-ms-consistency-level": "Session",
      };
      const found = expectStatus(
        await items.query("SELECT VALUE c.id FROM c", { key: [pk], headers }),
        200,
      ).list;
      expectEqual(found, ["a"], "the own write");
    },
  },
]);
