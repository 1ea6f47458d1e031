/** Unique keys of a container. */
import { inGroup } from "../check.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import { FIXTURES } from "../given/fixtures.ts";
import { unique } from "../target.ts";

export const UNIQUE_KEYS = inGroup("unique keys", [
  {
    name: "a value that is taken is 409 on create, upsert, replace and patch",
    evidence: ["1.15 unique keys", "2.1 409", "6 unique, charge, auth"],
    async run(target) {
      const items = await target.fixture("unique");
      const pk = unique("pk");
      const person = (id: string, email: string) => ({ id, pk, email, first: id, last: id });
      expectStatus(await items.create([pk], person("a", "one")), 201);
      expectStatus(await items.create([pk], person("b", "two")), 201);
      expectStatus(await items.create([pk], person("c", "one")), 409);
      expectStatus(await items.upsert([pk], person("c", "one")), 409);
      expectStatus(await items.replace([pk], person("b", "one")), 409);
      expectStatus(await items.patch([pk], "b", [{ op: "set", path: "/email", value: "one" }]), 409);
      expectStatus(await items.replace([pk], { ...person("a", "one"), changed: true }), 200);
    },
  },
  {
    name: "the refusal has the text of an id that is taken",
    evidence: ["1.15 unique keys"],
    async run(target) {
      const items = await target.fixture("unique");
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "a", pk, email: "one", first: "a" }), 201);
      const textOf = async (id: string, email: string): Promise<string> => {
        const reply = expectStatus(await items.create([pk], { id, pk, email, first: id }), 409);
        return String(reply.fields["message"]).split("\r\n")[0] ?? "";
      };
      expectEqual(await textOf("b", "one"), await textOf("a", "two"), "the messages");
    },
  },
  {
    name: "a value may repeat in another partition, and once its item is gone",
    evidence: ["1.15 unique keys"],
    async run(target) {
      const items = await target.fixture("unique");
      const [pk, other] = [unique("pk"), unique("pk")];
      expectStatus(await items.create([pk], { id: "a", pk, email: "one" }), 201);
      expectStatus(await items.create([other], { id: "a", pk: other, email: "one" }), 201);
      expectStatus(await items.remove([pk], "a"), 204);
      expectStatus(await items.create([pk], { id: "b", pk, email: "one" }), 201);
    },
  },
  {
    name: "a missing value counts as a value",
    evidence: ["1.15 unique keys"],
    async run(target) {
      const items = await target.fixture("unique");
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "a", pk, first: "a", last: "a" }), 201);
      expectStatus(await items.create([pk], { id: "b", pk, first: "b", last: "b" }), 409);
    },
  },
  {
    name: "a key of two paths is taken when both values are",
    evidence: ["1.15 unique keys"],
    async run(target) {
      const items = await target.fixture("unique");
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "a", pk, email: "a", first: "x", last: "y" }), 201);
      expectStatus(await items.create([pk], { id: "b", pk, email: "b", first: "x", last: "z" }), 201);
      expectStatus(await items.create([pk], { id: "c", pk, email: "c", first: "x", last: "y" }), 409);
    },
  },
  {
    name: "in a batch it undoes the rest",
    evidence: ["1.15 unique keys", "0.7 atomic batch"],
    async run(target) {
      const items = await target.fixture("unique");
      const pk = unique("pk");
      const create = (id: string) => ({
        operationType: "Create",
        resourceBody: { id, pk, email: "same", first: id },
      });
      const reply = expectStatus(await items.batch([pk], [create("a"), create("b")]), 207);
      expectEqual(
        reply.objects.map((entry) => entry["statusCode"]),
        [424, 409],
        "the statuses",
      );
      expectStatus(await items.read([pk], "a"), 404);
    },
  },
  {
    name: "the keys of a container cannot be changed: 403",
    evidence: ["1.15 unique keys", "2.1 403"],
    async run(target) {
      const { link, name } = await target.temporary({
        ...FIXTURES.plain,
        uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/email"] }] },
      });
      const body = { id: name, ...FIXTURES.plain };
      expectStatus(await target.raw.send({ method: "PUT", link, body }), 403);
    },
  },
  {
    name: "10 keys are taken and 11 refused",
    evidence: ["3.1 unique keys"],
    async run(target) {
      const create = (count: number) => {
        const uniqueKeys = Array.from({ length: count }, (_, n) => ({ paths: [`/k${n}`] }));
        const body = { id: unique("temporary"), ...FIXTURES.plain, uniqueKeyPolicy: { uniqueKeys } };
        return target.raw.send({ method: "POST", link: `${target.databaseLink}/colls`, body });
      };
      expectStatus(await create(10), 201);
      expectStatus(await create(11), 400);
    },
  },
]);
