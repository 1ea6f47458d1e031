/** `POST /instances/:id/ask/:name`: answers, refusals, and instances that cannot answer. */
import { expect, it } from "vitest";
import { openShop, withShop } from "./support/shop.ts";

type Shop = Awaited<ReturnType<typeof openShop>>;

const ask = (shop: Shop, currency: string, query = "", headers: Record<string, string> = {}) =>
  shop.send("POST", `/instances/a/ask/price${query}`, { currency }, { headers });

async function start(shop: Shop, name = "priced"): Promise<void> {
  await shop.send("POST", `/${name}`, undefined, { headers: { "idempotency-key": "a" } });
}

withShop("a question is answered with 200 and the answer", async (shop) => {
  await start(shop);
  expect(await ask(shop, "EUR")).toMatchObject({ status: 200, body: 42 });
  const once = { "idempotency-key": "q1" };
  expect((await ask(shop, "EUR", "", once)).body).toBe(42);
  // The same question: the instance is not asked again.
  expect((await ask(shop, "USD", "", once)).body).toBe(42);
});

withShop("one that its handler refuses is answered with 422 and its message", async (shop) => {
  await start(shop);
  const { status, body } = await ask(shop, "USD");
  expect([status, body.error]).toEqual([
    422,
    expect.objectContaining({
      code: "question-refused",
      message: expect.stringContaining("no price in USD"),
    }),
  ]);
});

withShop("one that times out is answered with 504", async (shop) => {
  await start(shop, "collect");
  await shop.client.handle("collect", "a").customStatus().next();
  const { status, body } = await ask(shop, "EUR", "?wait=1ms");
  expect([status, body.error.code]).toEqual([504, "timeout"]);
});

it("one to an instance that has ended or is suspended conflicts (409), to an unknown one is 404", async () => {
  await using shop = await openShop();
  expect((await ask(shop, "EUR")).status).toBe(404);
  await start(shop);
  await ask(shop, "EUR");
  await shop.client.admin.suspend("a", { reason: "audit" });
  const suspended = await ask(shop, "EUR");
  expect([suspended.status, suspended.body.error.code]).toEqual([409, "suspended"]);
  await shop.client.admin.resume("a");
  await shop.send("POST", "/instances/a/queues/lines", '"end"');
  await shop.client.handle("priced", "a").result();
  const ended = await ask(shop, "EUR");
  expect([ended.status, ended.body.error.code]).toEqual([409, "ended"]);
});

withShop("one to an instance that no process can run conflicts (409)", async (shop) => {
  await shop.client.start("unknown", { instanceId: "a" });
  const { status, body } = await ask(shop, "EUR");
  expect([status, body.error.code]).toEqual([409, "blocked"]);
});

it("one whose client goes, or whose server stops, ends", async () => {
  const stop = new AbortController();
  await using shop = await openShop({ signal: stop.signal });
  await start(shop, "collect");
  await shop.client.handle("collect", "a").customStatus().next();
  const gone = new AbortController();
  const left = shop.send("POST", "/instances/a/ask/price", 1, { signal: gone.signal });
  gone.abort();
  expect((await left).status).toBe(499);
  const waiting = ask(shop, "EUR");
  stop.abort();
  expect((await waiting).status).toBe(503);
});
