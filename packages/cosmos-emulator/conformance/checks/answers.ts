/** The parts of every answer: headers, and the body of errors. */
import { inGroup } from "../check.ts";
import { keyHeader } from "../client/items.ts";
import type { Reply } from "../client/reply.ts";
import { textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

/** Headers that the service sends with every answer about an item. */
const OF_THE_SERVICE = [
  "lsn",
  "x-ms-cosmos-llsn",
  "x-ms-global-committed-lsn",
  "x-ms-quorum-acked-lsn",
  "x-ms-documentdb-partitionkeyrangeid",
  "x-ms-schemaversion",
  "x-ms-serviceversion",
  "x-ms-gatewayversion",
  "x-ms-request-duration-ms",
  "x-ms-transport-request-id",
  "x-ms-number-of-read-regions",
  "x-ms-last-state-change-utc",
  "x-ms-current-write-quorum",
  "x-ms-current-replica-set-size",
];

/** One refusal of each kind that a client can bring about. */
async function refusals(target: Target): Promise<readonly (readonly [number, Reply])[]> {
  const { raw } = target;
  const items = await target.items;
  const pk = unique("pk");
  expectStatus(await items.create([pk], { id: "a", pk }), 201);
  return [
    [400, await items.create([pk], "{")],
    [401, await raw.send({ method: "GET", link: items.link, authorization: "" })],
    [403, await raw.send({ method: "GET", link: items.link, date: new Date(0) })],
    [404, await items.read([pk], "absent")],
    [409, await items.create([pk], { id: "a", pk })],
    [412, await items.replace([pk], { id: "a", pk }, { "if-match": '"other"' })],
    [413, await items.create([pk], { id: "b", pk, text: "x".repeat(3 * 1024 * 1024) })],
  ];
}

export const ANSWERS = inGroup("answers", [
  {
    name: "every refusal has a JSON body with a code and a message",
    evidence: ["0.3 error body", "1.12 error body"],
    async run(target) {
      for (const [status, reply] of await refusals(target)) {
        expectStatus(reply, status);
        textOf(reply.fields["code"]);
        expect(textOf(reply.fields["message"]) !== "", `the message of ${status} is empty`);
        expectMatch(reply.header("content-type"), /application\/json/, `the content type of ${status}`);
      }
    },
  },
  {
    name: "an engine's error has its text inside Message: {Errors} and the activity id",
    evidence: ["1.12 error body"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      const conflict = expectStatus(await items.create([pk], { id: "a", pk }), 409);
      const message = textOf(conflict.fields["message"]);
      const pattern = /^Message: (\{.*\})\r\nActivityId: ([0-9a-f-]{36})/s;
      expectMatch(message, pattern, "the message");
      const [, json = "", activityId] = pattern.exec(message) ?? [];
      expect(Array.isArray((JSON.parse(json) as { Errors?: unknown }).Errors), "Errors is no list");
      expectEqual(activityId, conflict.header("x-ms-activity-id"), "the activity id");
    },
  },
  {
    name: "an answer about an item has the headers that the SDK reads",
    evidence: ["1.12 headers of the sdk", "1.11 capture"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
      const read = expectStatus(await items.read([pk], "a"), 200);
      for (const reply of [created, read]) {
        expect(reply.charge > 0, `the charge is ${reply.header("x-ms-request-charge")}`);
        expectMatch(
          reply.header("x-ms-activity-id"),
          /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
          "the activity id",
        );
        expectMatch(reply.header("etag"), /^".+"$/, "the etag");
        expectMatch(reply.header("x-ms-session-token"), /^\d+:/, "the session token");
        expectEqual(reply.header("x-ms-alt-content-path"), items.link, "x-ms-alt-content-path");
        const contentPath = Buffer.from(reply.header("x-ms-content-path") ?? "", "base64");
        expectEqual(contentPath.length, 8, "the bytes of x-ms-content-path");
      }
    },
  },
  {
    name: "every request has an activity id of its own",
    evidence: ["1.12 headers of the sdk"],
    async run(target) {
      const items = await target.items;
      const replies = await Promise.all(Array.from({ length: 5 }, () => items.read(["p"], "absent")));
      const ids = new Set(replies.map((reply) => reply.header("x-ms-activity-id")));
      expectEqual(ids.size, 5, "different activity ids");
    },
  },
  {
    name: "an answer about an item has the headers that the service adds",
    evidence: ["1.12 headers of the service"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
      const missing = OF_THE_SERVICE.filter((name) => created.header(name) === undefined);
      expectEqual(missing, [], "missing headers");
      expectMatch(created.header("lsn"), /^\d+$/, "lsn");
      expectMatch(created.header("x-ms-request-duration-ms"), /^\d+(\.\d+)?$/, "x-ms-request-duration-ms");
    },
  },
  {
    name: "a write says quota and usage of the container",
    evidence: ["1.12 headers of the sdk", "1.5 quota"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
      expectMatch(created.header("x-ms-resource-quota"), /documentSize=\d+;/, "the quota");
      expectMatch(created.header("x-ms-resource-usage"), /documentsCount=-?\d+;/, "the usage");
    },
  },
  {
    name: "refused requests cost something",
    evidence: ["2.1 failures cost"],
    async run(target) {
      for (const [status, reply] of await refusals(target)) {
        if ([404, 409, 412].includes(status))
          expect(reply.charge > 0, `the charge of ${status} is ${reply.charge}`);
      }
    },
  },
  {
    name: "an unknown path is 400",
    evidence: ["recorded: paths"],
    async run(target) {
      const items = await target.items;
      for (const link of [`${items.link}/views`, "nothing", "_apis/batch"]) {
        expectStatus(await target.raw.send({ method: "GET", link }), 400);
      }
    },
  },
  {
    name: "POST to a path that is no feed is 405",
    evidence: ["recorded: paths", "2.1 405"],
    async run(target) {
      const items = await target.items;
      const headers = { "x-ms-documentdb-partitionkey": keyHeader(["a"]) };
      const reply = await target.raw.send({
        method: "POST",
        link: `${items.link}/docs/$batch`,
        headers,
        body: [],
      });
      expectEqual(expectStatus(reply, 405).fields["code"], "MethodNotAllowed", "the code");
    },
  },
  {
    name: "OPTIONS is 403",
    evidence: ["recorded: paths", "2.1 403"],
    async run(target) {
      const reply = expectStatus(await target.raw.send({ method: "OPTIONS", link: "", path: "/" }), 403);
      expectEqual(reply.fields["code"], "Forbidden", "the code");
    },
  },
  {
    name: "the SDK's error has code, message, headers and activity id",
    evidence: ["2.2 one request", "0.3 error body"],
    async run(target) {
      const container = await target.sdkContainer();
      const pk = unique("pk");
      await container.items.create({ id: "a", pk });
      const error = await container.items.create({ id: "a", pk }).then(
        () => undefined,
        (thrown: { code?: number; message?: string; headers?: Record<string, unknown> }) => thrown,
      );
      expectEqual(error?.code, 409, "the code");
      expect((error?.message ?? "") !== "", "the message is empty");
      expect(error?.headers?.["x-ms-request-charge"] !== undefined, "the charge is missing");
    },
  },
]);
