/** Answers when the request units of a container are used up. */
import { inGroup } from "../check.ts";
import { ATOMIC_BATCH, type Items } from "../client/items.ts";
import type { Reply } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectNear, expectStatus, expectSuccess } from "../expect.ts";
import { FIXTURES } from "../given/fixtures.ts";
import { type Target, unique } from "../target.ts";

const SMALLEST = 400;

/** A container with the smallest throughput. Our endpoint enforces what is provisioned only when told to. */
async function limited(target: Target): Promise<Items> {
  const items = await target.temporary(FIXTURES.plain, { "x-ms-offer-throughput": String(SMALLEST) });
  const body = { database: target.databaseId, container: items.name, requestUnitsPerSecond: "provisioned" };
  await target.raw.send({ method: "PUT", link: "", path: "/_emulator/budget", body });
  return items;
}

/** Five times 700 units at once. */
function exhaust(items: Items): Promise<readonly Reply[]> {
  const attempts = Array.from({ length: 5 }, (_, n) => {
    const operations = Array.from({ length: 100 }, (_, m) => ({
      operationType: "Create",
      resourceBody: { id: `i${n}-${m}`, pk: "p", a: 1, b: 2 },
    }));
    return items.raw.send({
      method: "POST",
      link: `${items.link}/docs`,
      headers: { ...ATOMIC_BATCH, "x-ms-documentdb-partitionkey": '["p"]' },
      body: operations,
      showThrottling: true,
    });
  });
  return Promise.all(attempts);
}

export const THROTTLING = inGroup("throttling", [
  {
    name: "requests beyond the throughput are 429/3200 with the time to wait, nothing of them stored",
    evidence: ["2.1 429/3200", "3.2 429", "6 unique, charge, auth"],
    async run(target) {
      const items = await limited(target);
      const replies = await exhaust(items);
      const refused = replies.find(({ status }) => status === 429);
      expect(refused !== undefined, `the statuses are ${replies.map(({ status }) => status).join(" ")}`);
      expectStatus(refused, 429, 3200);
      expectEqual(refused.fields["code"], "TooManyRequests", "the code");
      expectMatch(String(refused.fields["message"]), /Request rate is large/, "the message");
      expect(Number(refused.header("x-ms-retry-after-ms")) > 0, "x-ms-retry-after-ms is missing");
      expectEqual(refused.header("retry-after"), undefined, "Retry-After");
      expectNear(refused.charge, 0.38, target.isHosted ? 0.3 : 0.001, "the charge");
      const successes = replies.filter(({ status }) => status === 200).length;
      const counted = await items.query("SELECT VALUE COUNT(1) FROM c", { key: ["p"] });
      expectEqual(expectStatus(counted, 200).list, [successes * 100], "the items stored");
    },
  },
  {
    name: "after the time to wait requests are served again",
    evidence: ["2.1 429/3200"],
    async run(target) {
      const items = await limited(target);
      await exhaust(items);
      // This request waits as often as it is told to.
      expectSuccess(await items.create(["p"], { id: unique("after"), pk: "p" }));
    },
  },
]);
