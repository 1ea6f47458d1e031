/** A service: orders over HTTP, on one SQLite file. docs/guide/24-http.md; the Dockerfile beside it runs it. */
import { createServer } from "node:http";
import { Client, orchestration, Runtime } from "@duroxide-ts/core";
import { healthHandler } from "@duroxide-ts/dashboard";
import { http, toNodeHandler } from "@duroxide-ts/http";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import * as z from "zod";

const { STORE_FILE = "/data/orders.db", PORT = "8080", API_TOKEN = "" } = process.env;
if (API_TOKEN.length < 16) throw new Error("API_TOKEN must have 16 characters or more");

const Order = z.object({ sku: z.string(), cents: z.int() });

const checkout = orchestration("checkout", { input: Order }, async (ctx, { sku, cents }) => {
  const payment = await ctx.dequeue<{ cents: number }>("payments");
  if (payment.cents < cents) return `${sku}: ${cents - payment.cents} cents are missing`;
  return ctx.run("ship", () => `${sku} is on its way`, { retry: { maxAttempts: 5 } });
});

const provider = await SqliteProvider.open(STORE_FILE);
const runtime = await Runtime.start({ provider, orchestrations: [checkout] });

const stop = new AbortController();
const orders = http({
  client: new Client(provider),
  orchestrations: [checkout],
  authorize: ({ headers }) =>
    headers.get("authorization") === `Bearer ${API_TOKEN}` ? { user: "shop", role: "operator" } : undefined,
  signal: stop.signal,
});
const health = healthHandler({ provider });

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  return pathname === "/health" ? health(request) : orders(request);
}

const server = createServer(toNodeHandler(answer)).listen(Number(PORT));

async function shutDown(): Promise<void> {
  stop.abort();
  server.close();
  await runtime.shutdown({ graceMs: 20_000 });
  await provider.close();
  server.closeAllConnections();
}
process.once("SIGTERM", shutDown);
process.once("SIGINT", shutDown);
