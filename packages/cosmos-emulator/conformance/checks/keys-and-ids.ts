/** Partition key values and item ids: every form that a client may send. */
import { inGroup } from "../check.ts";
import type { Key } from "../client/items.ts";
import { expect, expectEqual, expectStatus } from "../expect.ts";
import { unique } from "../target.ts";

export const KEYS_AND_IDS = inGroup("keys and ids", [
  {
    name: "a create without partition key, or with another than in the body, is 400/1001",
    evidence: ["1.4 missing or wrong key", "2.1 400/1001"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.create(undefined, { id: "a", pk }), 400, 1001);
      expectStatus(await items.create(["another"], { id: "a", pk }), 400, 1001);
      expectStatus(await items.read([pk], "a"), 404);
    },
  },
  {
    name: "a read without partition key is 400/1001",
    evidence: ["recorded: read without key", "2.1 400/1001"],
    async run(target) {
      const items = await target.items;
      expectStatus(await items.read(undefined, "a"), 400, 1001);
    },
  },
  {
    name: "numbers, booleans, null and absent values are partition keys, each its own",
    evidence: ["1.4 key header"],
    async run(target) {
      const items = await target.items;
      const id = unique("typed");
      const values: readonly [Key[number], Record<string, unknown>][] = [
        ["1", { pk: "1" }],
        [1, { pk: 1 }],
        [1.5, { pk: 1.5 }],
        [true, { pk: true }],
        [false, { pk: false }],
        [null, { pk: null }],
        [{}, {}],
      ];
      for (const [key, fields] of values) expectStatus(await items.create([key], { id, ...fields }), 201);
      for (const [key, fields] of values) {
        const stored = expectStatus(await items.read([key], id), 200).fields;
        expectEqual(stored["pk"], fields["pk"], `the item of ${JSON.stringify(key)}`);
      }
      for (const [key] of values) expectStatus(await items.remove([key], id), 204);
    },
  },
  {
    name: "null and absent are not the same partition key",
    evidence: ["1.4 key header"],
    async run(target) {
      const items = await target.items;
      const id = unique("null");
      expectStatus(await items.create([null], { id, pk: null }), 201);
      expectStatus(await items.read([{}], id), 404);
      expectStatus(await items.create([{}], { id, pk: null }), 400, 1001);
      expectStatus(await items.remove([null], id), 204);
    },
  },
  {
    name: "a partition key beyond ASCII arrives escaped or as raw UTF-8",
    evidence: ["1.4 key escapes"],
    async run(target) {
      const items = await target.items;
      const pk = unique("größe-日本-😀");
      expectStatus(await items.create([pk], { id: "a", pk }), 201);
      // Node writes each character of a header as one byte, so this string is the UTF-8 bytes of the key.
      const raw = Buffer.from(JSON.stringify([pk]), "utf8").toString("latin1");
      const read = await items.read(undefined, "a", { "x-ms-documentdb-partitionkey": raw });
      expectEqual(expectStatus(read, 200).fields["pk"], pk, "the key of the item");
    },
  },
  {
    name: "a malformed partition key header is 400",
    evidence: ["2.1 400"],
    async run(target) {
      const items = await target.items;
      for (const header of ["a", '"a"', "[", "{}"]) {
        expectStatus(await items.read(undefined, "a", { "x-ms-documentdb-partitionkey": header }), 400);
      }
    },
  },
  {
    name: "a partition key holds 2048 bytes and no more",
    evidence: ["3.1 key size"],
    async run(target) {
      const items = await target.items;
      const longest = unique("").padEnd(2048, "k");
      expectStatus(await items.create([longest], { id: "a", pk: longest }), 201);
      const tooLong = `${longest}k`;
      expectStatus(await items.create([tooLong], { id: "a", pk: tooLong }), 400);
    },
  },
  {
    name: "a hierarchical key has its components in order",
    evidence: ["1.4 key header", "3.1 key size"],
    async run(target) {
      const items = await target.fixture("hierarchical");
      const tenant = unique("tenant");
      expectStatus(await items.create([tenant, "u1"], { id: "a", tenant, user: "u1" }), 201);
      expectStatus(await items.read([tenant, "u1"], "a"), 200);
      expectStatus(await items.read([tenant, "u2"], "a"), 404);
      expectStatus(await items.create([tenant], { id: "b", tenant, user: "u1" }), 400);
      expectStatus(await items.create(["u1", tenant], { id: "b", tenant, user: "u1" }), 400, 1001);
    },
  },
  {
    name: "the SDK queries all items below the first part of a hierarchical key",
    evidence: ["1.4 key header"],
    async run(target) {
      const items = await target.fixture("hierarchical");
      const tenant = unique("tenant");
      for (const user of ["u1", "u2"]) await items.create([tenant, user], { id: "a", tenant, user });
      await items.create([unique("other"), "u1"], { id: "a", tenant: "other", user: "u1" });
      const container = await target.sdkContainer(items);
      const query = container.items.query("SELECT VALUE c.user FROM c", { partitionKey: [tenant] });
      expectEqual((await query.fetchAll()).resources.sort(), ["u1", "u2"], "the users");
    },
  },
  {
    name: "the SDK reads ids with characters of query strings",
    evidence: ["0.9 raw paths", "1.4 ids in paths"],
    async run(target) {
      const container = await target.sdkContainer();
      const pk = unique("pk");
      for (const id of ["a?b&c=d", "a+b", "a%20b", "a b", "größe", "a:b;c,d@e", "(a)'b'"]) {
        expectEqual((await container.items.create({ id, pk })).statusCode, 201, `creation of ${id}`);
        const read = await container.item(id, pk).read();
        expectEqual([read.statusCode, read.resource?.id], [200, id], `reading ${id}`);
        expectEqual((await container.item(id, pk).delete()).statusCode, 204, `deletion of ${id}`);
      }
    },
  },
  {
    name: "an id with a slash or backslash is refused",
    evidence: ["3.1 id", "2.1 400"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "a/b", pk }), 400);
      expectStatus(await items.create([pk], { id: "a\\b", pk }), 400);
    },
  },
  {
    name: "an id that is no string is refused",
    evidence: ["2.1 400"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const id of [1, null, { a: 1 }]) expectStatus(await items.create([pk], { id, pk }), 400);
    },
  },
  {
    name: "an id holds 1023 bytes and no more",
    evidence: ["3.1 id"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const longest = "i".repeat(1023);
      expectStatus(await items.create([pk], { id: longest, pk }), 201);
      expectStatus(await items.read([pk], longest), 200);
      expectStatus(await items.create([pk], { id: `${longest}i`, pk }), 400);
    },
  },
  {
    name: "the SDK reads items without a partition key value, and with null",
    evidence: ["1.4 key header"],
    async run(target) {
      const container = await target.sdkContainer();
      const id = unique("keyless");
      expectEqual((await container.items.create({ id })).statusCode, 201, "creation without");
      expectEqual((await container.items.create({ id, pk: null })).statusCode, 201, "creation with null");
      const keyless = await container.item(id, undefined).read();
      expect(keyless.statusCode === 200 && !("pk" in (keyless.resource ?? { pk: 1 })), "reading without");
      const nullish = await container.item(id, null).read();
      expectEqual([nullish.statusCode, nullish.resource?.pk], [200, null], "reading with null");
    },
  },
]);
