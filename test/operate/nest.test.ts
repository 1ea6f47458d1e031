/** The routes in Nest, over real sockets: beside a body parser that keeps the bytes, and closed with the application. */
import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Client, orchestration, Runtime, silentLogger, stream } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { HttpClient, http, toNodeHandler } from "@duroxide-ts/http";
import { expect, it } from "vitest";

const MODULES = path.resolve(import.meta.dirname, "../../node_modules/@nestjs/core");
const isInstalled = existsSync(MODULES);
if (!isInstalled)
  process.stderr.write("Skipped: the routes in Nest, because it is not installed; npm install brings it.\n");

/** The part of Nest that is used here. It is loaded by name, so that a checkout without it compiles. */
interface Nest {
  Module(metadata: object): (target: object) => void;
  readonly NestFactory: { create(module: object, options: object): Promise<NestApplication> };
}

interface NestApplication {
  use(path: string, handler: unknown): void;
  listen(port: number, host: string): Promise<unknown>;
  getHttpServer(): unknown;
  close(): Promise<void>;
}

async function loadNest(): Promise<Nest> {
  const load = (name: string): Promise<object> => import(/* @vite-ignore */ name);
  return { ...(await load("@nestjs/common")), ...(await load("@nestjs/core")) } as Nest;
}

const pays = orchestration("pays", async (ctx) => {
  const paid = await ctx.dequeue<{ cents: number }>("payments");
  ctx.stream(stream<number>("cents")).write(paid.cents);
  return paid.cents;
});

it.skipIf(!isInstalled)(
  "Nest passes requests on, webhooks with their bytes, and ends with its streams",
  async () => {
    const { Module, NestFactory } = await loadNest();
    const provider = new MemoryProvider();
    const runtime = await Runtime.start({ provider, orchestrations: [pays], logger: silentLogger });
    const stop = new AbortController();
    const handler = http({
      client: new Client(provider),
      orchestrations: [pays],
      authorize: () => ({ user: "ada", role: "operator" }),
      verify: ({ request, rawBody }) => request.headers.get("x-signature") === signatureOf(rawBody),
      basePath: "/api",
      signal: stop.signal,
    });
    class App {}
    Module({})(App);
    const app = await NestFactory.create(App, { logger: false, rawBody: true });
    app.use("/api", toNodeHandler(handler, silentLogger));
    await app.listen(0, "127.0.0.1");
    const server = app.getHttpServer() as Server;
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    const client = new HttpClient(address);
    const handle = await client.start(pays, { instanceId: "p" });
    // White space counts for a signature.
    const body = '{ "cents":  700 }';
    const post = (signature: string): Promise<Response> =>
      fetch(`${address}/instances/p/queues/payments`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-signature": signature },
        body,
      });
    expect((await post("wrong")).status).toBe(401);
    expect((await post(signatureOf(body))).status).toBe(202);
    expect(await handle.result()).toBe(700);
    const values: unknown[] = [];
    for await (const { value } of handle.stream("cents")) values.push(value);
    expect(values).toEqual([700]);
    await client.start(pays, { instanceId: "q" });
    const open = await fetch(`${address}/instances/q/streams/cents`);
    stop.abort();
    expect(await open.text()).toBe("");
    server.closeAllConnections();
    await app.close();
    await runtime.shutdown({ graceMs: 0 });
  },
);

function signatureOf(bytes: Uint8Array | string): string {
  return createHmac("sha256", "secret").update(bytes).digest("hex");
}
