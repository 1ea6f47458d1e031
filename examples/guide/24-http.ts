/** docs/guide/24-http.md */
import { deepEqual, equal, match } from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, orchestration, queue, Runtime, stream } from "@duroxide-ts/core";
import {
  type AnyClient,
  type Authorize,
  type Delivery,
  HttpClient,
  http,
  oncePerProcess,
  remote,
  toNodeHandler,
  type WebHandler,
} from "@duroxide-ts/http";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { serve } from "@hono/node-server";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import * as z from "zod";

const payments = queue<{ amount: number }>("payments");
const notes = stream<string>("notes");

const Order = z.object({ sku: z.string(), cents: z.int() });
const checkout = orchestration("checkout", { input: Order }, async (ctx, order) => {
  ctx.stream(notes).write("waits for payment");
  const { amount } = await ctx.dequeue(payments);
  ctx.stream(notes).write("paid");
  return amount >= order.cents ? `ships ${order.sku}` : "underpaid";
});

const provider = await SqliteProvider.open(":memory:");
const runtime = await Runtime.start({ provider, orchestrations: [checkout] });
const client = new Client(provider);
const API_TOKEN = "a token that nobody guesses";
const WEBHOOK_SECRET = "a secret of the sender of webhooks";

// #region serve
const authorize: Authorize = ({ headers, url }) => {
  if (headers.get("authorization") === `Bearer ${API_TOKEN}`) return { user: "shop", role: "operator" };
  // Senders of webhooks have no token; verify decides about each of their deliveries.
  if (new URL(url).pathname.endsWith("/queues/payments")) return { user: "webhook", role: "operator" };
  return undefined;
};

const stop = new AbortController();
const handler = http({
  client,
  orchestrations: [checkout],
  authorize,
  verify: isSigned,
  basePath: "/api",
  signal: stop.signal,
});
// #endregion

// #region webhook
/** The signature is that of the bytes: white space and the order of names count. */
function isSigned({ request, rawBody }: Delivery): boolean {
  const given = Buffer.from(request.headers.get("x-signature") ?? "", "hex");
  const right = createHmac("sha256", WEBHOOK_SECRET).update(rawBody).digest();
  return given.length === right.length && timingSafeEqual(given, right);
}
// #endregion

// #region servers
const hono = new Hono();
hono.all("/api/*", (context) => handler(context.req.raw));

const expressApp = express();
expressApp.use("/api", toNodeHandler(handler)); // before what reads bodies
expressApp.use(express.json());

const fastify = Fastify();
const answer = toNodeHandler(handler);
fastify.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  scope.all("/api/*", (request, reply) => {
    reply.hijack();
    answer(request.raw, reply.raw);
  });
});
// #endregion

/** Programs of a front end, of which each gets the address of a server. */
async function frontEnd(address: string): Promise<string> {
  // #region client
  const shop = new HttpClient(`${address}/api`, { headers: { authorization: `Bearer ${API_TOKEN}` } });
  const order = await shop.start(checkout, { input: { sku: "A-1", cents: 500 } });
  for await (const { value } of order.stream(notes)) {
    console.log(value);
    if (value === "waits for payment") break;
  }
  // #endregion
  return order.instanceId;
}

async function pays(address: string, orderId: string, body: string, secret: string): Promise<number> {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const { status } = await fetch(`${address}/api/instances/${orderId}/queues/payments`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-signature": signature, "webhook-id": "payment-7" },
  });
  return status;
}

/** Asks one of the servers as a real client does. */
async function isServed(address: string): Promise<void> {
  const orderId = await frontEnd(address);
  const body = '{ "amount": 500 }';
  equal(await pays(address, orderId, body, "a secret of somebody else"), 401);
  equal(await pays(address, orderId, body, WEBHOOK_SECRET), 202);
  equal(await pays(address, orderId, body, WEBHOOK_SECRET), 202);
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  const result = await fetch(`${address}/api/instances/${orderId}/result?wait=50s`, { headers });
  equal(await result.json(), "ships A-1");
  const events = await fetch(`${address}/api/instances/${orderId}/streams/notes`, {
    headers: { ...headers, "last-event-id": "0" },
  });
  equal(await events.text(), 'id: 1\ndata: "paid"\n\n');
  equal((await fetch(`${address}/api/instances/${orderId}`)).status, 401);
  const refused = await fetch(`${address}/api/checkout`, {
    method: "POST",
    body: '{"sku":"A-1"}',
    headers: { ...headers, "content-type": "application/json" },
  });
  equal(refused.status, 400);
  match(await refused.text(), /"path":\["cents"\]/);
}

async function listening(server: Server): Promise<{ address: string; close: () => void }> {
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${port}`, close };
}

expressApp.post("/echo", (request, response) => {
  response.json(request.body);
});
fastify.post("/echo", async (request) => request.body);
await fastify.listen({ port: 0, host: "127.0.0.1" });
const servers: Server[] = [
  serve({ fetch: hono.fetch, port: 0, hostname: "127.0.0.1" }) as Server,
  expressApp.listen(0, "127.0.0.1"),
  fastify.server,
];
for (const server of servers) {
  const { address, close } = await listening(server);
  await isServed(address);
  if (server !== servers[0]) {
    const headers = { "content-type": "application/json" };
    const echo = await fetch(`${address}/echo`, { method: "POST", body: '{"a":1}', headers });
    deepEqual(await echo.json(), { a: 1 });
  }
  close();
}

// #region next
/** lib/shop.ts: Next evaluates it more than once in a process. */
const shop = () =>
  oncePerProcess("shop", async () => {
    const provider = await SqliteProvider.open(process.env["STORE_FILE"] ?? "shop.db");
    const runtime = await Runtime.start({ provider, orchestrations: [checkout] });
    const client = new Client(provider);
    return { runtime, handler: http({ client, orchestrations: [checkout], authorize, basePath: "/api" }) };
  });

/** instrumentation.ts: the runtime begins with the server, and not with its first request. */
async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] === "nodejs") await shop();
}

/** app/api/[...path]/route.ts */
const route = async (request: Request) => (await shop()).handler(request);
const [GET, POST, OPTIONS] = [route, route, route];
// #endregion
Object.assign(process.env, { NEXT_RUNTIME: "nodejs", STORE_FILE: ":memory:" });
await register();
const asked = new Request("http://localhost:3000/api/checkout", {
  method: "POST",
  body: '{"sku":"A-1","cents":1}',
  headers: {
    authorization: `Bearer ${API_TOKEN}`,
    "content-type": "application/json",
    host: "shop.example.com",
    "x-forwarded-proto": "https",
  },
});
const started = await POST(asked);
match(started.headers.get("location") ?? "", /^https:\/\/shop\.example\.com\/api\/instances\//);
const headersOfBrowser = { authorization: `Bearer ${API_TOKEN}` };
equal(
  (await GET(new Request(started.headers.get("location") ?? "", { headers: headersOfBrowser }))).status,
  202,
);
equal((await OPTIONS(new Request("http://localhost:3000/api/checkout", { method: "OPTIONS" }))).status, 401);
await (await shop()).runtime.shutdown({ graceMs: 0 });

/** Pages and functions have the type of an orchestration, not its code. */
async function inBrowser(shop: AnyClient): Promise<string> {
  // #region remote
  const order = remote<typeof checkout>("checkout");
  const handle = await shop.start(order, { input: { sku: "A-1", cents: 500 } });
  const receipt = handle.result(); // Promise<string>
  // #endregion
  await client.handle(checkout, handle.instanceId).enqueue(payments, { amount: 1 });
  return receipt;
}

const own: WebHandler = http({
  client,
  orchestrations: [checkout],
  authorize: () => ({ user: "ada", role: "operator" }),
});
const inProcess = new HttpClient("http://in.process", { fetch: (url, init) => own(new Request(url, init)) });
equal(await inBrowser(inProcess), "underpaid");

async function desk(shop: HttpClient): Promise<void> {
  // #region admin
  const { instances } = await shop.admin.query({ filter: { status: ["Failed"] } });
  for (const { instanceId } of instances) await shop.admin.retry(instanceId, { reason: "the bank is back" });
  // #endregion
}

const whole = http({
  client,
  orchestrations: [checkout],
  authorize: () => ({ user: "ada", role: "operator" }),
  admin: true,
});
await desk(new HttpClient("http://in.process", { fetch: (url, init) => whole(new Request(url, init)) }));

const server = createServer(toNodeHandler(handler)).listen(0, "127.0.0.1");
const last = await listening(server);
const headers = { authorization: `Bearer ${API_TOKEN}` };
await client.start(checkout, { instanceId: "open", input: { sku: "A-1", cents: 1 } });
const poll = fetch(`${last.address}/api/instances/open?wait=50s`, { headers });
await once(server, "request");

// #region stop
async function shutDown(): Promise<void> {
  stop.abort(); // long polls and streams are answered at once
  server.close();
  await runtime.shutdown({ graceMs: 20_000 });
  await provider.close();
  server.closeAllConnections();
}
process.once("SIGTERM", shutDown);
// #endregion
process.off("SIGTERM", shutDown);

const closed = once(server, "close");
await shutDown();
equal((await poll).status, 202);
await closed;
