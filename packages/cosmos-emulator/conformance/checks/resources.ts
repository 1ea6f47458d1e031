/** Databases and containers: their life, their feeds, and what a container says of itself. */
import { inGroup } from "../check.ts";
import { type Fields, fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { FIXTURES } from "../given/fixtures.ts";
import { type Target, unique } from "../target.ts";

const namesIn = (feed: Fields, member: string): unknown[] =>
  (feed[member] as unknown[]).map((it) => fieldsOf(it)["id"]);

const readContainer = async (target: Target, link: string, headers = {}) =>
  expectStatus(await target.raw.send({ method: "GET", link, headers }), 200);

export const RESOURCES = inGroup("databases and containers", [
  {
    name: "a database is created, found, listed and deleted",
    evidence: ["1.5 create", "1.5 read and delete", "1.5 list", "1.5 feeds"],
    async run({ raw }) {
      const id = unique("conformance-database");
      const link = `dbs/${id}`;
      const created = expectStatus(await raw.send({ method: "POST", link: "dbs", body: { id } }), 201).fields;
      expectEqual(created["id"], id, "the id");
      expectStatus(await raw.send({ method: "GET", link }), 200);
      const feed = expectStatus(await raw.send({ method: "GET", link: "dbs" }), 200).fields;
      expect(namesIn(feed, "Databases").includes(id), "the feed of databases lacks the new one");
      expectEqual(feed["_count"], (feed["Databases"] as unknown[]).length, "_count");
      expectEqual(
        expectStatus(await raw.send({ method: "DELETE", link }), 204).text,
        "",
        "the body of the deletion",
      );
      expectStatus(await raw.send({ method: "GET", link }), 404);
    },
  },
  {
    name: "a database or container that exists is a conflict",
    evidence: ["1.5 create", "2.1 409"],
    async run(target) {
      const { link } = await target.items;
      const again = { id: target.databaseId };
      expectStatus(await target.raw.send({ method: "POST", link: "dbs", body: again }), 409);
      const body = { id: link.split("/").at(-1), ...FIXTURES.plain };
      const reply = await target.raw.send({ method: "POST", link: `${target.databaseLink}/colls`, body });
      expectEqual(expectStatus(reply, 409).fields["code"], "Conflict", "the code");
    },
  },
  {
    name: "databases and containers can be queried",
    evidence: ["1.5 list"],
    async run(target) {
      const { link } = await target.items;
      const headers = { "content-type": "application/query+json", "x-ms-documentdb-isquery": "True" };
      const ask = (feed: string, id: unknown) =>
        target.raw.send({
          method: "POST",
          link: feed,
          headers,
          body: { query: "SELECT * FROM root r WHERE r.id = @id", parameters: [{ name: "@id", value: id }] },
        });
      const databases = expectStatus(await ask("dbs", target.databaseId), 200).fields;
      expectEqual(namesIn(databases, "Databases"), [target.databaseId], "the databases");
      const name = link.split("/").at(-1);
      const containers = expectStatus(await ask(`${target.databaseLink}/colls`, name), 200).fields;
      expectEqual(namesIn(containers, "DocumentCollections"), [name], "the containers");
    },
  },
  {
    name: "the SDK's createIfNotExists creates once",
    evidence: ["1.5 create if absent"],
    async run(target) {
      const database = target.sdk.database(target.databaseId);
      const definition = { id: unique("temporary"), partitionKey: { paths: ["/pk"] } };
      expectEqual((await database.containers.createIfNotExists(definition)).statusCode, 201, "the first");
      expectEqual((await database.containers.createIfNotExists(definition)).statusCode, 200, "the second");
      expectEqual((await database.container(definition.id).delete()).statusCode, 204, "the deletion");
    },
  },
  {
    name: "a container that is deleted is gone with its items",
    evidence: ["1.5 read and delete", "2.1 404/1003"],
    async run(target) {
      const items = await target.temporary();
      expectStatus(await items.create(["a"], { id: "1", pk: "a" }), 201);
      expectStatus(await target.raw.send({ method: "DELETE", link: items.link }), 204);
      expectStatus(await target.raw.send({ method: "GET", link: items.link }), 404);
      expectStatus(await items.read(["a"], "1"), 404);
    },
  },
  {
    name: "an item of an absent container has no owner",
    evidence: ["2.1 404/1003"],
    async run(target) {
      const { link } = await target.items;
      const headers = { "x-ms-documentdb-partitionkey": '["a"]' };
      const absent = `${target.databaseLink}/colls/${unique("absent")}/docs`;
      const read = expectStatus(await target.raw.send({ method: "GET", link: `${absent}/1`, headers }), 404);
      // The recordings of the service show 0 on a query, the SDK expects 1003.
      expect([0, 1003].includes(read.substatus), `the sub-status is ${read.substatus}`);
      expectEqual(read.fields["code"], "NotFound", "the code");
      const queried = await target.raw.send({
        method: "POST",
        link: absent,
        headers: { ...headers, "content-type": "application/query+json", "x-ms-documentdb-isquery": "True" },
        body: { query: "SELECT * FROM c" },
      });
      expectStatus(queried, 404);
      expectStatus(
        await target.raw.send({ method: "GET", link: link.replace(target.databaseId, unique("absent")) }),
        404,
      );
    },
  },
  {
    name: "a container has the service's defaults",
    evidence: ["1.5 container defaults", "1.5 policy defaults", "1.5 container body"],
    async run(target) {
      const { link } = await target.items;
      const container = (await readContainer(target, link)).fields;
      const policy = fieldsOf(container["indexingPolicy"]);
      expectEqual(policy["indexingMode"], "consistent", "indexingMode");
      expectEqual(policy["automatic"], true, "automatic");
      expectEqual(policy["includedPaths"], [{ path: "/*" }], "includedPaths");
      expectEqual(policy["excludedPaths"], [{ path: '/"_etag"/?' }], "excludedPaths");
      const resolution = fieldsOf(container["conflictResolutionPolicy"]);
      expectEqual(resolution["mode"], "LastWriterWins", "mode");
      expectEqual(resolution["conflictResolutionPath"], "/_ts", "conflictResolutionPath");
      expectEqual(fieldsOf(container["geospatialConfig"])["type"], "Geography", "geospatialConfig");
      const links = ["_docs", "_sprocs", "_triggers", "_udfs", "_conflicts"].map((name) => container[name]);
      expectEqual(links, ["docs/", "sprocs/", "triggers/", "udfs/", "conflicts/"], "the links");
      expectEqual(fieldsOf(container["partitionKey"])["paths"], ["/pk"], "the partition key");
    },
  },
  {
    name: "a container keeps its indexing policy, unique keys and TTL",
    evidence: ["1.5 container body", "1.5 container defaults"],
    async run(target) {
      const composite = (await readContainer(target, (await target.fixture("composite")).link)).fields;
      const policy = fieldsOf(composite["indexingPolicy"]);
      expectEqual(
        policy["compositeIndexes"],
        FIXTURES.composite.indexingPolicy.compositeIndexes,
        "compositeIndexes",
      );
      const excluded = (policy["excludedPaths"] as Fields[]).map((it) => it["path"]);
      expect(excluded.includes("/unindexed/?"), "the excluded path is missing");
      const keys = (await readContainer(target, (await target.fixture("unique")).link)).fields;
      const uniqueKeys = fieldsOf(keys["uniqueKeyPolicy"])["uniqueKeys"] as Fields[];
      expectEqual(
        uniqueKeys.map((it) => it["paths"]),
        [["/email"], ["/first", "/last"]],
        "the unique keys",
      );
      const expiring = (await readContainer(target, (await target.fixture("expiring")).link)).fields;
      expectEqual(expiring["defaultTtl"], -1, "defaultTtl");
    },
  },
  {
    name: "a container is replaced: new TTL, same identity",
    evidence: ["1.5 replace container"],
    async run(target) {
      const { link } = await target.temporary();
      const before = (await readContainer(target, link)).fields;
      const body = { id: before["id"], partitionKey: before["partitionKey"], defaultTtl: 3600 };
      const replaced = expectStatus(await target.raw.send({ method: "PUT", link, body }), 200).fields;
      expectEqual(replaced["defaultTtl"], 3600, "defaultTtl");
      const after = (await readContainer(target, link)).fields;
      expectEqual(after["defaultTtl"], 3600, "defaultTtl when read");
      expectEqual(after["_rid"], before["_rid"], "the rid");
    },
  },
  {
    name: "a container is listed among those of its database",
    evidence: ["1.5 list", "1.5 feeds"],
    async run(target) {
      const { link } = await target.items;
      const feed = (await readContainer(target, `${target.databaseLink}/colls`)).fields;
      expect(
        namesIn(feed, "DocumentCollections").includes(link.split("/").at(-1)),
        "the feed lacks the container",
      );
      textOf(feed["_rid"]);
    },
  },
  {
    name: "a container without partition key, or with a slash in its name, is refused",
    evidence: ["recorded: refused containers", "2.1 400"],
    async run(target) {
      const create = (body: Fields) =>
        target.raw.send({ method: "POST", link: `${target.databaseLink}/colls`, body });
      expectStatus(await create({ id: unique("temporary") }), 400);
      expectStatus(await create({ id: "a/b", ...FIXTURES.plain }), 400);
    },
  },
  {
    name: "a container tells its quota and usage when asked",
    evidence: ["1.5 quota"],
    async run(target) {
      const { link } = await target.items;
      const reply = await readContainer(target, link, { "x-ms-documentdb-populatequotainfo": "true" });
      expectMatch(reply.header("x-ms-resource-quota"), /documentSize=\d+;.*collectionSize=\d+;/, "the quota");
      expectMatch(
        reply.header("x-ms-resource-usage"),
        /documentsSize=\d+;.*documentsCount=-?\d+;/,
        "the usage",
      );
    },
  },
]);
