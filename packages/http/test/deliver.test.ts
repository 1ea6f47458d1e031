/** Events, queue messages and webhooks: names, bodies, signatures, and how often a message is delivered. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Delivery } from "../src/index.ts";
import { openShop, withShop } from "./support/shop.ts";

type Shop = Awaited<ReturnType<typeof openShop>>;

async function start(shop: Shop, name: string): Promise<void> {
  await shop.send("POST", `/${name}`, undefined, { headers: { "idempotency-key": "a" } });
}

const output = async (shop: Shop) => (await shop.send("GET", "/instances/a/result?wait=50s")).body;

describe("messages", () => {
  withShop("reach queues, whose names need no declaration, as JSON or as text", async (shop) => {
    await start(shop, "collect");
    expect((await shop.send("POST", "/instances/a/queues/lines", { sku: "A-1" })).status).toBe(202);
    expect(await output(shop)).toEqual({ sku: "A-1" });
  });

  withShop("reach waits for events", async (shop) => {
    await start(shop, "poked");
    await expect
      .poll(async () => (await shop.client.handle("poked", "a").history()).map(({ type }) => type))
      .toContain("ExternalSubscribed");
    const headers = { "content-type": "text/plain" };
    expect((await shop.send("POST", "/instances/a/events/poke", "hello", { headers })).status).toBe(202);
    expect(await output(shop)).toBe("hello");
  });

  withShop("of events that are kept wait for the code: ?keep=true", async (shop) => {
    await start(shop, "approval");
    await shop.send("POST", "/instances/a/events/approved?keep=true", { by: "ada" });
    expect(await output(shop)).toEqual({ by: "ada" });
    expect((await shop.send("POST", "/instances/a/events/approved?keep=maybe")).status).toBe(400);
  });

  it.each(["idempotency-key", "webhook-id", "Webhook-Id"])(
    "with one %s are delivered once",
    async (header) => {
      await using shop = await openShop();
      await start(shop, "count");
      const line = (id: string) =>
        shop.send("POST", "/instances/a/queues/lines", '"x"', { headers: { [header]: id } });
      for (const id of ["m1", "m2", "m1", "m1"]) expect((await line(id)).status).toBe(202);
      await shop.send("POST", "/instances/a/queues/lines", '"end"');
      expect(await output(shop)).toBe(2);
    },
  );

  withShop("without an id are delivered each time", async (shop) => {
    await start(shop, "count");
    for (const line of ["x", "x", "x", "end"]) {
      await shop.send("POST", "/instances/a/queues/lines", JSON.stringify(line));
    }
    expect(await output(shop)).toBe(3);
  });

  withShop("for an unknown instance are refused with 404, for an ended one with 409", async (shop) => {
    for (const kind of ["events", "queues"])
      expect((await shop.send("POST", `/instances/none/${kind}/x`, 1)).status).toBe(404);
    await start(shop, "echo");
    await output(shop);
    for (const kind of ["events", "queues"])
      expect((await shop.send("POST", `/instances/a/${kind}/x`, 1)).status).toBe(409);
    expect((await shop.send("POST", "/instances/none/events/x?ifMissing=keep", 1)).status).toBe(202);
    expect((await shop.send("POST", "/instances/none/events/x?ifMissing=maybe", 1)).status).toBe(400);
  });

  withShop("with an id that is too long are refused", async (shop) => {
    await start(shop, "collect");
    const headers = { "webhook-id": "x".repeat(201) };
    expect((await shop.send("POST", "/instances/a/queues/lines", 1, { headers })).status).toBe(400);
  });
});

describe("a signature", () => {
  const SECRET = "whsec";
  const signatureOf = (body: string) => createHmac("sha256", SECRET).update(body).digest("hex");

  const verify = ({ request, rawBody }: Delivery): boolean => {
    const given = Buffer.from(request.headers.get("x-signature") ?? "", "hex");
    const right = createHmac("sha256", SECRET).update(rawBody).digest();
    return given.length === right.length && timingSafeEqual(given, right);
  };

  it("is checked over the bytes as they were sent, white space and order included", async () => {
    await using shop = await openShop({ verify });
    await start(shop, "collect");
    const body = '{ "b": 1,\n  "a": "ä" }';
    const headers = { "x-signature": signatureOf(body) };
    expect((await shop.send("POST", "/instances/a/queues/lines", body, { headers })).status).toBe(202);
    expect(await output(shop)).toEqual({ b: 1, a: "ä" });
  });

  it("that is wrong is refused with 401 before anything is stored, for events and queues", async () => {
    await using shop = await openShop({ verify, works: false });
    await start(shop, "collect");
    const before = await shop.client.admin.queueDepths();
    for (const kind of ["events", "queues"]) {
      const headers = { "x-signature": signatureOf("other") };
      const { status, body } = await shop.send("POST", `/instances/a/${kind}/lines`, "{}", { headers });
      expect([status, body.error.code]).toEqual([401, "wrong-signature"]);
    }
    expect(await shop.client.admin.queueDepths()).toEqual(before);
  });

  it.each([
    ["false", () => false],
    ["a rejection", () => Promise.reject(new Error("wrong"))],
    [
      "an error",
      () => {
        throw new Error("wrong");
      },
    ],
    ["nothing", () => undefined],
    ["null", () => null],
    ["an object", () => ({ ok: false })],
    ["a promise of false", async () => false],
  ])("is not right for %s", async (_, verdict) => {
    await using shop = await openShop({ verify: verdict as () => boolean, works: false });
    await start(shop, "collect");
    expect((await shop.send("POST", "/instances/a/queues/lines", 1)).status).toBe(401);
  });

  it("may be checked by a library that reads the request itself, and changes the bytes", async () => {
    const seen: unknown[] = [];
    await using shop = await openShop({
      verify: async ({ request, rawBody }) => {
        expect(rawBody).toBeInstanceOf(Uint8Array);
        seen.push(await request.json(), rawBody.byteLength);
        return true;
      },
    });
    await start(shop, "collect");
    await shop.send("POST", "/instances/a/queues/lines", { sku: "A-1" });
    expect(seen).toEqual([{ sku: "A-1" }, 13]);
    expect(await output(shop)).toEqual({ sku: "A-1" });
  });

  it("is not asked for where nothing is delivered: starts, questions, cancellations", async () => {
    await using shop = await openShop({ verify: () => false });
    await start(shop, "collect");
    expect((await shop.send("POST", "/instances/a/cancel")).status).toBe(202);
  });

  it("is not asked for of a sender whom authorize refuses", async () => {
    let asked = 0;
    await using shop = await openShop({
      authorize: () => undefined,
      verify: () => {
        asked += 1;
        return true;
      },
    });
    expect((await shop.send("POST", "/instances/a/queues/lines", 1)).status).toBe(401);
    expect(asked).toBe(0);
  });
});
