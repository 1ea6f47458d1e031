/** Offers, by which clients read the throughput of a container. */
import { inGroup } from "../check.ts";
import { type Fields, fieldsOf, textOf } from "../client/reply.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import { FIXTURES } from "../given/fixtures.ts";
import { type Target, unique } from "../target.ts";

const QUERY = { "content-type": "application/query+json", "x-ms-documentdb-isquery": "True" };

async function offerOf(target: Target, self: unknown): Promise<Fields> {
  const body = { query: `SELECT * from root where root.resource = "${textOf(self)}"` };
  const reply = await target.raw.send({ method: "POST", link: "offers", headers: QUERY, body });
  return fieldsOf((expectStatus(reply, 200).fields["Offers"] as unknown[])[0]);
}

async function containerWith(target: Target, headers: Readonly<Record<string, string>>): Promise<Fields> {
  const { link } = await target.temporary(FIXTURES.plain, headers);
  return expectStatus(await target.raw.send({ method: "GET", link }), 200).fields;
}

export const OFFERS = inGroup("offers", [
  {
    name: "a container created with throughput has an offer that says so",
    evidence: ["1.5 offers", "6 sproc, offers"],
    async run(target) {
      const container = await containerWith(target, { "x-ms-offer-throughput": "400" });
      const offer = await offerOf(target, container["_self"]);
      expectEqual(offer["resource"], container["_self"], "resource");
      expectEqual(offer["offerResourceId"], container["_rid"], "offerResourceId");
      expectEqual(offer["offerVersion"], "V2", "offerVersion");
      expectEqual(offer["offerType"], "Invalid", "offerType");
      expectEqual(fieldsOf(offer["content"])["offerThroughput"], 400, "offerThroughput");
      for (const name of ["id", "_rid", "_self"]) textOf(offer[name]);
    },
  },
  {
    name: "the SDK reads the throughput of a container",
    evidence: ["1.5 offers", "6 sproc, offers"],
    async run(target) {
      const database = target.sdk.database(target.databaseId);
      const definition = { id: unique("temporary"), partitionKey: { paths: ["/pk"] }, throughput: 400 };
      const { container } = await database.containers.create(definition);
      const { resource } = await container.readOffer();
      expectEqual(resource?.content?.offerThroughput, 400, "the throughput");
    },
  },
  {
    name: "a container created with autoscale says its maximum",
    evidence: ["1.5 autoscale"],
    async run(target) {
      const container = await containerWith(target, {
        "x-ms-cosmos-offer-autopilot-settings": '{"maxThroughput":1000}',
      });
      const { content } = await offerOf(target, container["_self"]);
      const settings = fieldsOf(fieldsOf(content)["offerAutopilotSettings"]);
      expectEqual(settings["maxThroughput"], 1000, "maxThroughput");
    },
  },
  {
    name: "offers are listed",
    evidence: ["1.5 offers", "1.5 feeds", "6 sproc, offers"],
    async run(target) {
      const container = await containerWith(target, { "x-ms-offer-throughput": "400" });
      const feed = expectStatus(await target.raw.send({ method: "GET", link: "offers" }), 200).fields;
      const resources = (feed["Offers"] as Fields[]).map((offer) => offer["resource"]);
      expectEqual(resources.includes(container["_self"]), true, "the feed has the offer");
    },
  },
  {
    name: "less than the smallest throughput is refused",
    evidence: ["3.1 throughput"],
    async run(target) {
      const link = `${target.databaseLink}/colls`;
      const body = { id: unique("temporary"), ...FIXTURES.plain };
      const headers = { "x-ms-offer-throughput": "300" };
      expectStatus(await target.raw.send({ method: "POST", link, body, headers }), 400);
    },
  },
]);
