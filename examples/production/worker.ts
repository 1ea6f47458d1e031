/** A worker as it runs in production: docs/operate/going-to-production.md goes through it. */
import { createServer } from "node:http";
import { Client, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import {
  dashboard,
  healthHandler,
  metricsHandler,
  PrometheusMeter,
  toNodeHandler,
} from "@duroxide-ts/dashboard";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { pino } from "pino";
import { handlers } from "./shop.ts";

const { COSMOSDB_ENDPOINT, STORE_FILE = "/data/shop.db", PORT = "8080", PUBLIC_ORIGIN } = process.env;

const logger = pino();
const meter = new PrometheusMeter();
const provider =
  COSMOSDB_ENDPOINT === undefined
    ? await SqliteProvider.open(STORE_FILE)
    : await CosmosProvider.fromEnvironment();
const runtime = await Runtime.start({
  provider,
  ...handlers,
  logger,
  meter,
  retention: { completed: { days: 30 }, failed: { days: 90 } },
});
const client = new Client(provider, { logger });

const health = healthHandler({ provider });
const metrics = metricsHandler({ provider, meter });
const operators = dashboard({
  client,
  logger,
  basePath: "/ops",
  origins: PUBLIC_ORIGIN === undefined ? [] : [PUBLIC_ORIGIN],
  // The proxy signs people in, removes this header from what strangers send, and adds its own.
  authorize: ({ headers }) => {
    const user = headers.get("x-forwarded-user");
    return user === null ? undefined : { user, role: "operator" };
  },
});

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/live") return new Response("alive");
  if (pathname === "/health") return health(request);
  if (pathname === "/metrics") return metrics(request);
  if (request.method === "PUT" && pathname.startsWith("/checkouts/")) return startCheckout(request, pathname);
  return operators(request);
}

/** Repeated by its caller until it is answered with 202. */
async function startCheckout(request: Request, pathname: string): Promise<Response> {
  const instanceId = pathname.slice("/checkouts/".length);
  await client.start("checkout", { instanceId, input: await request.json() });
  return new Response(null, { status: 202 });
}

const server = createServer(toNodeHandler(answer, logger)).listen(Number(PORT));

async function stop(signal: string): Promise<void> {
  logger.info({ signal }, "stopping");
  server.close();
  await runtime.shutdown({ graceMs: 20_000 });
  await provider.close();
  server.closeAllConnections();
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
