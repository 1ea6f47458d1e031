/** The handler in servers of Node. */
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { connect, createServer, type Http2Server } from "node:http2";
import type { Logger } from "@duroxide-ts/core";
import { Client, orchestration, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { type DashboardHandler, dashboard, toNodeHandler } from "../src/index.ts";
import { OPERATOR } from "./support/browser.ts";
import { type Listening, listening } from "./support/listening.ts";

function handlerOf(provider: MemoryProvider): DashboardHandler {
  return dashboard({ provider, logger: silentLogger, hosts: ["127.0.0.1"], authorize: () => OPERATOR });
}

async function askHttp2(
  { address }: Pick<Listening<Http2Server>, "address">,
  headers: Readonly<Record<string, string>>,
  body = "",
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const session = connect(address);
  try {
    return await new Promise((resolve, reject) => {
      const stream = session.request(headers, { endStream: body === "" });
      let status: number | undefined;
      let text = "";
      stream.on("response", (answered) => {
        status = answered[":status"];
      });
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => {
        text += chunk;
      });
      stream.on("error", reject);
      stream.on("close", () => resolve({ status, text }));
      if (body !== "") stream.end(body);
    });
  } finally {
    session.close();
  }
}

it("serves pages, reads and actions over HTTP/2, under the host that the request names", async () => {
  const provider = new MemoryProvider();
  await using served = await listening(createServer(toNodeHandler(handlerOf(provider))));
  expect(await askHttp2(served, { ":path": "/instances" })).toMatchObject({ status: 200 });
  const instanceId = "order-1";
  await new Client(provider).start(
    orchestration("job", async () => {}),
    { instanceId },
  );
  const action = {
    ":method": "POST",
    ":path": "/api/act",
    origin: served.address,
    "x-duroxide-action": "1",
    "content-type": "application/json",
  };
  const body = JSON.stringify({ verb: "cancel", id: instanceId, reason: "sold out" });
  expect(await askHttp2(served, action, body)).toMatchObject({ status: 200 });
  expect(await askHttp2(served, { ":authority": "rebound.example" })).toMatchObject({ status: 421 });
});

it.each([
  ["a method that no handler can get", { method: "TRACE" }],
  ["a host with a user in front", { headers: { host: "127.0.0.1@evil.example" } }],
])("answers %s with 400, and logs nothing, because strangers send such requests", async (_, options) => {
  const logged: string[] = [];
  const logger: Logger = { ...silentLogger, error: (_fields, message) => logged.push(message ?? "") };
  await using served = await listening(
    createHttpServer(toNodeHandler(handlerOf(new MemoryProvider()), logger)),
  );
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(served.address, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.end();
  });
  expect(status).toBe(400);
  expect(logged).toEqual([]);
});

it.each([
  ["get", 200],
  ["head", 200],
  ["trace", 400],
])("takes %s in small letters over HTTP/2 for what it is, and logs nothing", async (method, status) => {
  const logged: string[] = [];
  const logger: Logger = { ...silentLogger, error: (_fields, message) => logged.push(message ?? "") };
  await using served = await listening(createServer(toNodeHandler(handlerOf(new MemoryProvider()), logger)));
  const answer = await askHttp2(served, { ":method": method, ":path": "/instances" });
  expect([answer.status, answer.text === "", logged]).toEqual([status, method !== "get", []]);
});
