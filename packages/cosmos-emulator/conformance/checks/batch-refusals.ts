/** Batches: what they refuse, what that costs, and what the headers of the answers say. */

import { inGroup } from "../check.ts";
import { textOf } from "../client/reply.ts";
import { errorOf, expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { create, statusesOf, withItems } from "../given/batch-operations.ts";
import { unique } from "../target.ts";

export const BATCH_REFUSALS = inGroup("batch", [
  {
    name: "an item of another partition is 400, with 1001 in the header of the 207",
    evidence: ["1.6 failure substatus", "2.1 400/1001", "5.2 batch"],
    async run(target) {
      const { items, pk } = await withItems(target);
      const reply = expectStatus(await items.batch([pk], [create("another", "a")]), 207, 1001);
      expectEqual(statusesOf(reply), [400], "the statuses");
    },
  },
  {
    name: "failure is billed: what ran before, and the culprit",
    evidence: ["1.6 failure charges", "3.2 batch failures", "2.1 failures cost"],
    async run(target) {
      const { items, pk } = await withItems(target, "taken");
      const reply = expectStatus(
        await items.batch([pk], [create(pk, "a", { n: 1 }), create(pk, "taken")]),
        207,
      );
      const charges = reply.objects.map((entry) => Number(entry["requestCharge"]));
      expect(
        charges.every((charge) => charge > 0),
        `the charges are ${charges.join(", ")}`,
      );
      const sum = Math.round(charges.reduce((all, charge) => all + charge, 0) * 100) / 100;
      expectEqual(reply.charge, sum, "the charge in the header");
    },
  },
  {
    name: "success has the content path, failure has a session token without it",
    evidence: ["1.11 failures", "1.6 failure", "1.11 capture"],
    async run(target) {
      const { items, pk } = await withItems(target);
      const done = expectStatus(await items.batch([pk], [create(pk, "a")]), 200);
      expectEqual(done.header("x-ms-alt-content-path"), items.link, "x-ms-alt-content-path");
      expect(done.header("x-ms-content-path") !== undefined, "x-ms-content-path is missing");
      const failed = expectStatus(await items.batch([pk], [create(pk, "a")]), 207);
      expectEqual(failed.header("x-ms-content-path"), undefined, "x-ms-content-path of the failure");
      expectMatch(failed.header("x-ms-session-token"), /^\d+:/, "the session token of the failure");
      expectEqual(failed.header("x-ms-item-count"), "1", "x-ms-item-count of the failure");
    },
  },
  {
    name: "100 operations are taken and 101 refused",
    evidence: ["1.6 too long", "3.1 batch", "5.2 batch"],
    async run(target) {
      const { items, pk } = await withItems(target);
      const operations = Array.from({ length: 101 }, (_, n) => create(pk, `i${n}`));
      const refused = expectStatus(await items.batch([pk], operations), 400);
      expectEqual(refused.fields["code"], "BadRequest", "the code");
      expectMatch(
        textOf(refused.fields["message"]),
        /more operations than what is supported/i,
        "the message",
      );
      expectStatus(await items.read([pk], "i0"), 404);
      const taken = expectStatus(await items.batch([pk], operations.slice(1)), 200);
      expectEqual(taken.list.length, 100, "the entries");
    },
  },
  {
    name: "more than 2 MB is refused",
    evidence: ["3.1 batch", "2.1 413", "5.2 batch"],
    async run(target) {
      const { items, pk } = await withItems(target);
      const text = "x".repeat(900_000);
      const reply = await items.batch(
        [pk],
        ["a", "b", "c"].map((id) => create(pk, id, { text })),
      );
      expectStatus(reply, 413);
      expectStatus(await items.read([pk], "a"), 404);
    },
  },
  {
    name: "a list without the header of a batch is 400 and stores nothing",
    evidence: ["1.6 too long", "2.1 400"],
    async run(target) {
      const { items, pk } = await withItems(target);
      for (const headers of [{}, { "x-ms-cosmos-batch": "True" }]) {
        const reply = expectStatus(await items.batch([pk], [create(pk, "a")], headers), 400);
        expectMatch(textOf(reply.fields["message"]), /invalid/, "the message");
      }
      expectStatus(await items.read([pk], "a"), 404);
    },
  },
  {
    name: "the SDK wraps a refused batch in an error that names the code as its cause",
    evidence: ["1.6 sdk error"],
    async run(target) {
      const { items } = await target.sdkContainer();
      const pk = unique("pk");
      const body = { id: "a", pk, text: "x".repeat(3 * 1024 * 1024) };
      const error = await errorOf(() => items.batch([{ operationType: "Create", resourceBody: body }], pk));
      expectEqual((error.cause as { code?: unknown } | undefined)?.code, 413, "the code of the cause");
    },
  },
]);
