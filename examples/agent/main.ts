/**
 * The agent as a service: the page, and the routes of `@duroxide-ts/http`, in one process on one file. Kill it in the middle
 * of an answer and start it again: the page goes on.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, Runtime } from "@duroxide-ts/core";
import { http, toNodeHandler } from "@duroxide-ts/http";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { support } from "./support.ts";

const { AGENT_DB = "agent.db", PORT = "8080" } = process.env;

const provider = await SqliteProvider.open(AGENT_DB);
const runtime = await Runtime.start({
  provider,
  orchestrations: [support],
  retention: { keepExecutions: 2 },
});
const api = http({
  client: new Client(provider),
  orchestrations: [support],
  basePath: "/api",
  // On this machine everybody is customer and colleague. A service asks its session here, and shows approvals to colleagues.
  authorize: () => ({ user: "demo", role: "operator" }),
});
const page = await readFile(new URL("page.html", import.meta.url));

const server = createServer(
  toNodeHandler(async (request) => {
    if (new URL(request.url).pathname !== "/") return api(request);
    return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
  }),
);
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

process.once("SIGINT", async () => {
  server.close();
  server.closeAllConnections();
  await runtime.shutdown();
  await provider.close();
});
