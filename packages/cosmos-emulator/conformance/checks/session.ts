/** Session tokens and consistency levels. */
import { inGroup } from "../check.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

/** The LSN in a token of the form `range:version#lsn`. */
const lsnOf = (token: string | undefined): number =>
  Number(/^\d+:-?\d+#(\d+)/.exec(token ?? "")?.[1] ?? Number.NaN);

const NEWER_THAN_ANY = 999_999_999;

async function written(target: Target) {
  const items = await target.items;
  const pk = unique("pk");
  const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
  return { items, pk, token: created.header("x-ms-session-token") ?? "" };
}

export const SESSION = inGroup("sessions", [
  {
    name: "every answer about an item has a token of range, version and LSN",
    evidence: ["1.11 token"],
    async run(target) {
      const { items, pk, token } = await written(target);
      const read = expectStatus(await items.read([pk], "a"), 200);
      const queried = expectStatus(await items.query("SELECT * FROM c", { key: [pk] }), 200);
      const found = [token, read.header("x-ms-session-token"), queried.header("x-ms-session-token")];
      for (const each of found) expectMatch(each, /^\d+:-?\d+#\d+(#\d+=-?\d+)*$/, "the token");
    },
  },
  {
    name: "a write moves the token on",
    evidence: ["1.11 token"],
    async run(target) {
      const { items, pk, token } = await written(target);
      const replaced = expectStatus(await items.replace([pk], { id: "a", pk, n: 2 }), 200);
      expect(lsnOf(replaced.header("x-ms-session-token")) > lsnOf(token), "the LSN did not grow");
    },
  },
  {
    name: "refusals have a token too",
    evidence: ["1.11 failures", "1.11 capture"],
    async run(target) {
      const { items, pk } = await written(target);
      const replies = [
        await items.create([pk], { id: "a", pk }),
        await items.replace([pk], { id: "a", pk }, { "if-match": '"other"' }),
        await items.read([pk], "absent"),
      ];
      for (const reply of replies)
        expectMatch(reply.header("x-ms-session-token"), /^\d+:/, `the token of ${reply.status}`);
    },
  },
  {
    name: "a read with the token of a write sees it, also with a list of tokens",
    evidence: ["1.11 token"],
    async run(target) {
      const { items, pk, token } = await written(target);
      const others = (await items.rangeIds())
        .filter((id) => !token.startsWith(`${id}:`))
        .map((id) => `${id}:-1#0`);
      for (const value of [token, [...others, token].join(",")]) {
        const headers = { "x-ms-session-token": value, "x-ms-consistency-level": "Session" };
        expectStatus(await items.read([pk], "a", headers), 200);
      }
    },
  },
  {
    name: "a read with a token ahead of everything is 404/1002",
    evidence: ["2.1 404/1002"],
    async run(target) {
      const { items, pk, token } = await written(target);
      const ahead = token.replace(/#\d+/, `#${NEWER_THAN_ANY}`);
      const headers = { "x-ms-session-token": ahead, "x-ms-consistency-level": "Session" };
      expectStatus(await items.read([pk], "a", headers), 404, 1002);
    },
  },
  {
    name: "a level stronger than the account's is 400",
    evidence: ["recorded: consistency", "2.1 400"],
    async run(target) {
      const { items, pk } = await written(target);
      expectStatus(await items.read([pk], "a", { "x-ms-consistency-level": "Strong" }), 400);
      expectStatus(await items.read([pk], "a", { "x-ms-consistency-level": "Eventual" }), 200);
    },
  },
  {
    name: "the SDK sends the token back when it was built for sessions",
    evidence: ["1.11 sdk", "1.11 capture", "5.2 sdk"],
    async run(target) {
      const tokens: string[] = [];
      const client = target.sdkClient({ consistencyLevel: "Session" }, ({ method, headers }) => {
        const token = headers?.["x-ms-session-token"];
        if (method === "GET" && token !== undefined) tokens.push(String(token));
      });
      const container = await target.sdkContainer(await target.items, client);
      const pk = unique("pk");
      const created = await container.items.create({ id: "a", pk });
      expectEqual((await container.item("a", pk).read()).statusCode, 200, "the read");
      client.dispose();
      const written = String(created.headers["x-ms-session-token"]);
      expect(
        tokens.some((token) => token.includes(written)),
        `sent ${tokens.join(" ")}, written ${written}`,
      );
    },
  },
]);
