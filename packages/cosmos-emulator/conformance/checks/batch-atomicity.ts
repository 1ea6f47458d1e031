/** Batches as transactions: alone, against each other, and without the header that makes them atomic. */
import { inGroup } from "../check.ts";
import { ATOMIC_BATCH } from "../client/items.ts";
import type { Fields } from "../client/reply.ts";
import { expect, expectEqual, expectStatus } from "../expect.ts";
import { unique } from "../target.ts";

const create = (pk: string, id: string): Fields => ({ operationType: "Create", resourceBody: { id, pk } });
const increment = (id: string): Fields => ({
  operationType: "Patch",
  id,
  resourceBody: { operations: [{ op: "incr", path: "/n", value: 1 }] },
});

/** 449 asks for another attempt when writers meet; the batch has not been applied. */
const RETRY_WITH = 449;

export const BATCH_ATOMICITY = inGroup("batch atomicity", [
  {
    name: "of 16 batches that want one lock exactly one leaves its mark",
    evidence: ["4 batch visibility", "5.2 batch", "6 batch"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const attempts = Array.from({ length: 16 }, (_, writer) =>
        items.batch([pk], [create(pk, `mark-${writer}`), create(pk, "lock")]),
      );
      const replies = await Promise.all(attempts);
      expectEqual(replies.filter((reply) => reply.status === 200).length, 1, "the batches that succeeded");
      const found = expectStatus(await items.query("SELECT VALUE c.id FROM c", { key: [pk] }), 200).list;
      expectEqual(found.length, 2, `the items ${JSON.stringify(found)}`);
    },
  },
  {
    name: "concurrent batches of which some fail keep two counters equal to the successes",
    evidence: ["4 batch visibility", "5.2 batch", "1.6 failure"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const id of ["a", "b", "taken"]) expectStatus(await items.create([pk], { id, pk, n: 0 }), 201);
      const attempts = Array.from({ length: 24 }, (_, n) => {
        const last = n % 3 === 0 ? [create(pk, "taken")] : [];
        return items.batch([pk], [increment("a"), increment("b"), ...last]);
      });
      const statuses = (await Promise.all(attempts)).map((reply) => reply.status);
      const successes = statuses.filter((status) => status === 200).length;
      const isRetry = (status: number): boolean => status === RETRY_WITH;
      expect(
        successes + statuses.filter((status) => status === 207 || isRetry(status)).length === 24,
        `the statuses are ${statuses.join(" ")}`,
      );
      const counters = [(await items.read([pk], "a")).fields["n"], (await items.read([pk], "b")).fields["n"]];
      expectEqual(counters, [successes, successes], "the counters");
    },
  },
  {
    name: "a query sees all of a batch or nothing of it",
    evidence: ["4 batch visibility", "0.7 atomic batch"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const id of ["a", "b"]) expectStatus(await items.create([pk], { id, pk, n: 0 }), 201);
      let isWriting = true;
      const write = async (): Promise<void> => {
        for (let n = 0; n < 10; n++) await items.batch([pk], [increment("a"), increment("b")]);
        isWriting = false;
      };
      const watch = async (): Promise<void> => {
        while (isWriting) {
          const values = expectStatus(await items.query("SELECT VALUE c.n FROM c", { key: [pk] }), 200).list;
          expectEqual(new Set(values).size, 1, `the counters ${JSON.stringify(values)}`);
        }
      };
      await Promise.all([write(), watch()]);
    },
  },
  {
    name: "all operations of a batch have one LSN",
    evidence: ["0.7 atomic batch", "1.6 success", "4 batch visibility"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.batch([pk], [create(pk, "a"), create(pk, "b"), create(pk, "c")]), 200);
      expectStatus(await items.batch([pk], [create(pk, "d")]), 200);
      const changes = expectStatus(await items.changes({ key: [pk] }, undefined), 200).objects;
      const lsns = changes.map((change) => Number(change["_lsn"]));
      expectEqual(lsns.length, 4, "the changes");
      expect(
        lsns[0] === lsns[1] && lsns[1] === lsns[2] && (lsns[3] ?? 0) > (lsns[2] ?? 0),
        `the LSNs are ${lsns.join(", ")}`,
      );
    },
  },
  {
    name: "the LSN moves by one for a batch and not at all for a failed one",
    evidence: ["0.7 atomic batch", "1.6 success"],
    async run(target) {
      const items = await target.temporary();
      const lsnAfter = async (operations: readonly Fields[]): Promise<number> =>
        Number((await items.batch(["p"], operations)).header("lsn"));
      const first = await lsnAfter([create("p", "a"), create("p", "b")]);
      const second = await lsnAfter([create("p", "c"), create("p", "d"), create("p", "e")]);
      const failed = await lsnAfter([create("p", "f"), create("p", "a")]);
      expectEqual([second - first, failed - second], [1, 0], "the steps");
    },
  },
  {
    name: "without the atomic header what came before the failure stays",
    evidence: ["0.10 without the flag", "1.6 rust headers"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "taken", pk }), 201);
      const headers = {
        "x-ms-cosmos-is-batch-request": "true",
        "x-ms-cosmos-batch-continue-on-error": "false",
      };
      const reply = expectStatus(
        await items.batch([pk], [create(pk, "a"), create(pk, "taken")], headers),
        207,
      );
      expectEqual(
        reply.objects.map((entry) => entry["statusCode"]),
        [201, 409],
        "the statuses",
      );
      expectStatus(await items.read([pk], "a"), 200);
    },
  },
  {
    name: "without the atomic header success is 200 as usual",
    evidence: ["1.6 rust headers"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const headers = {
        "x-ms-cosmos-is-batch-request": "true",
        "x-ms-cosmos-batch-continue-on-error": "false",
      };
      const reply = expectStatus(await items.batch([pk], [create(pk, "a"), create(pk, "b")], headers), 200);
      expectEqual(
        reply.objects.map((entry) => entry["statusCode"]),
        [201, 201],
        "the statuses",
      );
    },
  },
  {
    name: "not atomic and going on after errors: the valid ones are stored",
    evidence: ["recorded: not atomic"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "taken", pk }), 201);
      const headers = {
        ...ATOMIC_BATCH,
        "x-ms-cosmos-batch-atomic": "False",
        "x-ms-cosmos-batch-continue-on-error": "True",
      };
      const operations = [create(pk, "a"), create(pk, "taken"), create(pk, "b")];
      const reply = expectStatus(await items.batch([pk], operations, headers), 207);
      expectEqual(
        reply.objects.map((entry) => entry["statusCode"]),
        [201, 409, 201],
        "the statuses",
      );
      expectStatus(await items.read([pk], "b"), 200);
    },
  },
]);
