/** Request charges as they were recorded on the service, for items of the same shapes. */
import { inGroup, NotApplicable } from "../check.ts";
import type { Items } from "../client/items.ts";
import type { Fields, Reply } from "../client/reply.ts";
import { expect, expectNear, expectStatus } from "../expect.ts";
import { many } from "../given/seed.ts";
import { type Target, unique } from "../target.ts";

/** The recordings agree with a formula in most rows, and come near it in some. */
const EXACT = 0.001;
const NEAR = 0.04;
const QUERY = 0.15;
/** Another account, another version: charges of the service vary. */
const HOSTED = 0.3;

function expectCharge(target: Target, reply: Reply, recorded: number, tolerance: number): void {
  expectNear(
    reply.charge,
    recorded,
    target.isHosted ? HOSTED : tolerance,
    `the charge of ${reply.request} (${reply.status})`,
  );
}

/** An item of so many fields, with id and partition key. */
const itemOf = (pk: string, fields: number): Fields => ({
  id: "a",
  pk,
  ...Object.fromEntries(Array.from({ length: fields - 2 }, (_, n) => [`f${n}`, n])),
});

async function stored(
  target: Target,
  fields: number,
): Promise<{ items: Items; pk: string; item: Fields; created: Reply }> {
  const items = await target.items;
  const pk = unique("pk");
  const item = itemOf(pk, fields);
  return { items, pk, item, created: expectStatus(await items.create([pk], item), 201) };
}

export const CHARGES = inGroup("charges", [
  {
    name: "a point read costs 1, found or not",
    evidence: ["3.2 read", "6 unique, charge, auth"],
    async run(target) {
      const { items, pk } = await stored(target, 3);
      expectCharge(target, expectStatus(await items.read([pk], "a"), 200), 1, EXACT);
      expectCharge(target, expectStatus(await items.read([pk], "absent"), 404), 1, EXACT);
    },
  },
  ...(
    [
      [3, 6.29],
      [4, 6.67],
      [14, 10.48],
    ] as const
  ).map(([fields, charge]) => ({
    name: `creating an item of ${fields} fields costs ${charge}`,
    evidence: ["3.2 create", "6 unique, charge, auth"] as const,
    async run(target: Target) {
      expectCharge(target, (await stored(target, fields)).created, charge, EXACT);
    },
  })),
  {
    name: "deleting an item of 4 fields costs 6.67",
    evidence: ["3.2 delete"],
    async run(target) {
      const { items, pk } = await stored(target, 4);
      expectCharge(target, expectStatus(await items.remove([pk], "a"), 204), 6.67, EXACT);
    },
  },
  ...(
    [
      [3, 10.67],
      [4, 11.05],
    ] as const
  ).map(([fields, charge]) => ({
    name: `replacing and upserting an item of ${fields} fields costs ${charge}`,
    evidence: ["3.2 replace"] as const,
    async run(target: Target) {
      const { items, pk, item } = await stored(target, fields);
      expectCharge(target, expectStatus(await items.replace([pk], item), 200), charge, EXACT);
      expectCharge(target, expectStatus(await items.upsert([pk], item), 200), charge, EXACT);
    },
  })),
  {
    name: "a patch of 3 operations on an item of 4 fields costs about 11.42",
    evidence: ["3.2 patch"],
    async run(target) {
      const { items, pk } = await stored(target, 3);
      const operations = [
        { op: "set", path: "/f0", value: 5 },
        { op: "incr", path: "/f0", value: 1 },
        { op: "add", path: "/f1", value: 1 },
      ];
      expectCharge(target, expectStatus(await items.patch([pk], "a", { operations }), 200), 11.42, NEAR);
    },
  },
  {
    name: "a write that a stale etag refuses costs 1.24",
    evidence: ["3.2 412", "2.1 failures cost"],
    async run(target) {
      const { items, item, pk } = await stored(target, 3);
      const refused = await items.replace([pk], item, { "if-match": '"other"' });
      expectCharge(target, expectStatus(refused, 412), 1.24, EXACT);
    },
  },
  {
    name: "in a batch a conflict costs 1.57 and a creation that it undid 6.29, together 7.86",
    evidence: ["3.2 batch failures", "1.6 failure charges"],
    async run(target) {
      const { items, pk } = await stored(target, 3);
      const create = (id: string): Fields => ({
        operationType: "Create",
        resourceBody: { ...itemOf(pk, 3), id },
      });
      const reply = expectStatus(await items.batch([pk], [create("b"), create("a")]), 207);
      expectCharge(target, reply, 7.86, EXACT);
      const charges = reply.objects.map((entry) => Number(entry["requestCharge"]));
      const tolerance = target.isHosted ? HOSTED : EXACT;
      expectNear(charges[0] ?? 0, 6.2857, tolerance, "the creation");
      expectNear(charges[1] ?? 0, 1.5714, tolerance, "the conflict");
    },
  },
  {
    name: "in a batch an item of another partition costs 1.24",
    evidence: ["3.2 batch failures"],
    async run(target) {
      const items = await target.items;
      const operation = { operationType: "Create", resourceBody: { id: "a", pk: "another" } };
      expectCharge(target, expectStatus(await items.batch([unique("pk")], [operation]), 207), 1.24, EXACT);
    },
  },
  {
    name: "a batch of two creations costs 12.57",
    evidence: ["3.2 batch"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const create = (id: string): Fields => ({
        operationType: "Create",
        resourceBody: { ...itemOf(pk, 3), id },
      });
      expectCharge(
        target,
        expectStatus(await items.batch([pk], [create("a"), create("b")]), 200),
        12.57,
        EXACT,
      );
    },
  },
  {
    name: "a batch of read, upsert, replace, patch and delete costs about 39.03, each as on its own",
    evidence: ["3.2 batch", "3.2 delete", "3.2 patch", "3.2 replace"],
    async run(target) {
      const { items, pk, item } = await stored(target, 3);
      expectStatus(await items.create([pk], { ...item, id: "b" }), 201);
      const reply = await items.batch(
        [pk],
        [
          { operationType: "Read", id: "a" },
          { operationType: "Upsert", resourceBody: item },
          { operationType: "Replace", id: "b", resourceBody: { ...item, id: "b" } },
          {
            operationType: "Patch",
            id: "b",
            resourceBody: { operations: [{ op: "set", path: "/f0", value: 1 }] },
          },
          { operationType: "Delete", id: "b" },
        ],
      );
      expectCharge(target, expectStatus(reply, 200), 39.03, NEAR);
      const charges = reply.objects.map((entry) => Number(entry["requestCharge"]));
      const tolerance = target.isHosted ? HOSTED : NEAR;
      for (const [index, recorded] of [1, 10.667, 10.667, 10.601, 6.095].entries()) {
        expectNear(charges[index] ?? 0, recorded, tolerance, `operation ${index}`);
      }
    },
  },
  {
    name: "a batch of 100 creations of 5 fields costs 704.76",
    evidence: ["3.2 batch"],
    async run(target) {
      const { chargeOfBatch } = await many(target);
      expectNear(chargeOfBatch ?? 0, 704.76, target.isHosted ? HOSTED : EXACT, "the charge");
    },
  },
  {
    name: "a query of one partition that finds 1 or 2 items costs 2.26 to 2.84",
    evidence: ["3.2 query"],
    async run(target) {
      const { items, pk, item } = await stored(target, 3);
      await items.create([pk], { ...item, id: "b" });
      for (const query of ["SELECT * FROM c WHERE c.id = 'a'", "SELECT c.id FROM c"]) {
        const { charge } = expectStatus(await items.query(query, { key: [pk] }), 200);
        expect(charge >= 2.2 && charge <= (target.isHosted ? 4 : 2.9), `the charge of ${query} is ${charge}`);
      }
    },
  },
  {
    name: "a page of 1000 rows of two columns costs about 17.16, 2,500 rows about 34.7",
    evidence: ["3.2 page"],
    async run(target) {
      const { items } = await many(target);
      const [rangeId, ...others] = await items.rangeIds();
      if (rangeId === undefined || others.length > 0)
        throw new NotApplicable("the recordings are of one range; with more, no page has as many rows");
      const ask = (size: string) =>
        items.query("SELECT c.id, c.n FROM c", { headers: { "x-ms-max-item-count": size } });
      expectCharge(target, expectStatus(await ask("1000"), 200), 17.16, QUERY);
      expectCharge(target, expectStatus(await ask("5000"), 200), 34.72, QUERY);
    },
  },
  {
    name: "a trivial procedure costs about 4.27",
    evidence: ["3.2 sproc"],
    async run(target) {
      const items = await target.items;
      const id = unique("trivial");
      const link = `${items.link}/sprocs`;
      const body = { id, body: "function () { getContext().getResponse().setBody(1); }" };
      expectStatus(await target.raw.send({ method: "POST", link, body }), 201);
      const headers = { "x-ms-documentdb-partitionkey": '["p"]' };
      const reply = await target.raw.send({ method: "POST", link: `${link}/${id}`, headers, body: [] });
      expectCharge(target, expectStatus(reply, 200), 4.27, QUERY);
    },
  },
  {
    name: "reading a container costs 2",
    evidence: ["3.2 container"],
    async run(target) {
      const { link } = await target.items;
      expectCharge(target, expectStatus(await target.raw.send({ method: "GET", link }), 200), 2, EXACT);
    },
  },
]);
