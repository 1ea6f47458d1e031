/** The process: a runtime and a server on one SQLite file. */

import { Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { serve } from "@hono/node-server";
import { createApp } from "./app.ts";
import { checkout } from "./orders.ts";

const { STORE_FILE = "orders.db", PORT = "8080", API_TOKEN } = process.env;
if (API_TOKEN !== undefined && API_TOKEN.length < 16)
  throw new Error("API_TOKEN must have 16 characters or more");

const stop = new AbortController();
const provider = await SqliteProvider.open(STORE_FILE);
const runtime = await Runtime.start({ provider, orchestrations: [checkout] });
const app = createApp({ provider, token: API_TOKEN, signal: stop.signal });
// Without a token the service is for this machine only.
const hostname = API_TOKEN === undefined ? "127.0.0.1" : "0.0.0.0";
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/`);
});

async function shutDown(): Promise<void> {
  stop.abort();
  server.close();
  await runtime.shutdown({ graceMs: 20_000 });
  await provider.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
}
process.once("SIGTERM", shutDown);
process.once("SIGINT", shutDown);
