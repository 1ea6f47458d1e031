/** JSON of other programs is stored as it is written, or refused where only a value can be taken. */
import { JsonText } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { HttpClient, toNodeHandler } from "../src/index.ts";
import { START_TYPE } from "../src/wire/bodies.ts";
import { listening } from "./support/listening.ts";
import { openShop, withShop } from "./support/shop.ts";

const WRITTEN = '{"account":3544790567247868102,"zero":-0,"twice":1,"twice":2}';
const EXACT = '{"account":3544790567247868102,"zero":-0}';

type Shop = Awaited<ReturnType<typeof openShop>>;

async function inputOf(shop: Shop, id: string): Promise<string> {
  const [first] = await shop.client.handle("echo", id).history();
  return JSON.stringify(first);
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

describe("numbers that JavaScript cannot hold", () => {
  withShop("are stored as they are written in the input of a start", async (shop) => {
    const headers = { "idempotency-key": "a" };
    expect((await shop.send("POST", "/echo", WRITTEN, { headers })).status).toBe(202);
    await shop.client.handle("echo", "a").result();
    expect(await inputOf(shop, "a")).toContain(quoted(WRITTEN));
  });

  withShop("are stored as they are written in a start with options, and in its messages", async (shop) => {
    const body = `{"input":${EXACT},"options":{"instanceId":"a","enqueue":[{"queue":"lines","message":${EXACT}}]}}`;
    const headers = { "content-type": START_TYPE };
    expect((await shop.send("POST", "/collect", body, { headers })).status).toBe(202);
    await shop.client.handle("collect", "a").result();
    const history = JSON.stringify(await shop.client.handle("collect", "a").history());
    expect(history.split(quoted(EXACT)).length).toBeGreaterThanOrEqual(3);
  });

  withShop("are stored as they are written in messages of queues", async (shop) => {
    await shop.send("POST", "/collect", undefined, { headers: { "idempotency-key": "a" } });
    expect((await shop.send("POST", "/instances/a/queues/lines", WRITTEN)).status).toBe(202);
    await shop.client.handle("collect", "a").result();
    expect(JSON.stringify(await shop.client.handle("collect", "a").history())).toContain(quoted(WRITTEN));
  });

  withShop("are refused with 400 where a schema takes the value", async (shop) => {
    const { status, body } = await shop.send("POST", "/checkout", '{"sku":"chair","count":9007199254740993}');
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("9007199254740993")]);
    expect((await shop.client.admin.query({})).instances).toEqual([]);
  });

  it("are refused with 400 in calls about the store as a whole", async () => {
    await using shop = await openShop({ admin: true });
    const { status } = await shop.send("POST", "/admin/info", "[9007199254740993]");
    expect(status).toBe(400);
  });

  withShop("pass through HttpClient as a JsonText", async (shop) => {
    await using server = await listening(toNodeHandler(shop.handler));
    const client = new HttpClient(server.address);
    const handle = await client.start("echo", { instanceId: "a", input: new JsonText(EXACT) });
    await handle.result();
    expect(await inputOf(shop, "a")).toContain(quoted(EXACT));
  });
});
