/** A process of the fleet. `COSMOSDB_ENDPOINT` and an identity, a key or a connection string lead to the store. */
import { createServer } from "node:http";
import { Client, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { dashboard, healthHandler, toNodeHandler } from "@duroxide-ts/dashboard";
import { handlers } from "./orders.ts";

const { PORT = "0", OPERATOR_HEADER } = process.env;

const provider = await CosmosProvider.fromEnvironment();
const runtime = await Runtime.start({ provider, ...handlers, retention: { completed: { days: 30 } } });
const health = healthHandler({ provider });
const operators = dashboard({
  client: new Client(provider),
  orchestrations: handlers.orchestrations,
  basePath: "/ops",
  // The proxy in front signs people in, and names them in this header. Without it nobody gets in.
  authorize: ({ headers }) => {
    const user = OPERATOR_HEADER === undefined ? null : headers.get(OPERATOR_HEADER);
    return user === null ? undefined : { user, role: "operator" };
  },
});

const server = createServer(
  toNodeHandler((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/live") return Promise.resolve(new Response("alive"));
    return pathname === "/health" ? health(request) : operators(request);
  }),
).listen(Number(PORT));
console.log("ready");

async function stop(): Promise<void> {
  server.close();
  await runtime.shutdown({ graceMs: 20_000 });
  await provider.close();
  server.closeAllConnections();
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
