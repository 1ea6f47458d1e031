import assert from "node:assert/strict";
import { test } from "node:test";
import { Runtime } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { createApp } from "../src/app.ts";
import { checkout } from "../src/orders.ts";

const TOKEN = "a-secret-of-the-test";
const headers = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
  "idempotency-key": "order-1",
};

test("an order is started once, paid and shipped over HTTP", async () => {
  const provider = new MemoryProvider();
  await using _runtime = await Runtime.start({ provider, orchestrations: [checkout] });
  const app = createApp({ provider, token: TOKEN });
  const post = (path: string, body: unknown) =>
    app.request(path, { method: "POST", headers, body: JSON.stringify(body) });

  const starts = [await post("/api/checkout", { sku: "A-1", cents: 500 })];
  starts.push(await post("/api/checkout", { sku: "A-1", cents: 500 }));
  assert.deepEqual(
    await Promise.all(starts.map(async (answer) => ((await answer.json()) as { created: boolean }).created)),
    [true, false],
  );
  assert.equal((await post("/api/instances/order-1/queues/payments", { cents: 500 })).status, 202);
  const result = await app.request("/api/instances/order-1/result?wait=20s", { headers });
  assert.equal(await result.json(), "A-1 is on its way");
});

test("nobody gets in without the token", async () => {
  const app = createApp({ provider: new MemoryProvider(), token: TOKEN });
  const asked = await Promise.all(["/api/instances/order-1", "/ops"].map((path) => app.request(path)));
  assert.deepEqual(
    asked.map(({ status }) => status),
    [401, 401],
  );
  const signedIn = { headers: { authorization: `Basic ${btoa(`me:${TOKEN}`)}` } };
  assert.equal((await app.request("/ops", signedIn)).status, 200);
  assert.equal((await app.request("/health")).status, 200);
});

test("an order that does not fit is refused", async () => {
  const app = createApp({ provider: new MemoryProvider(), token: TOKEN });
  const answer = await app.request("/api/checkout", { method: "POST", headers, body: '{"sku":1}' });
  assert.equal(answer.status, 400);
});
