import { once } from "node:events";
import { connect } from "node:net";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { CONTAINER, Fixture, keyOf, withFixture } from "./support/fixture.ts";

describe("the server", () => {
  withFixture("keeps a connection for the next request", async (fixture) => {
    const answer = "HTTP/1.1 200 OK";
    const { host } = new URL(fixture.emulator.endpoint);
    const request = `GET /alive HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
    const text = await exchange(
      fixture.emulator.endpoint,
      request + request,
      /200 OK[\s\S]*200 OK[\s\S]*alive"\}$/,
    );
    expect(text.split(answer)).toHaveLength(3);
  });

  it.each([
    ["what is no HTTP", "nonsense\r\n\r\n", 400],
    ["a header without a name", "GET / HTTP/1.1\r\n: x\r\n\r\n", 400],
    [
      "a body whose length is no number",
      "POST /dbs HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n",
      400,
    ],
    ["headers beyond 16 KB", `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(17_000)}\r\n\r\n`, 431],
  ])("answers %s with JSON and goes on", async (_, bytes, status) => {
    await using fixture = await Fixture.start();
    const text = await exchange(fixture.emulator.endpoint, bytes);
    expect(text).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4))).toMatchObject({
      message: expect.any(String),
    });
    expect((await fixture.client.send({ method: "GET", path: "/alive" })).status).toBe(200);
  });

  withFixture("survives callers that go away in the middle of a request", async (fixture) => {
    const { hostname, port } = new URL(fixture.emulator.endpoint);
    for (const bytes of [
      "POST /dbs HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nabc",
      "GET / HT",
      "",
    ]) {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write(bytes);
      socket.resetAndDestroy();
    }
    expect((await fixture.client.send({ method: "GET", path: "/alive" })).status).toBe(200);
  });

  it("refuses a body that is too large with 413, after which the connection may be used again", async () => {
    await using fixture = await Fixture.start();
    const body = Buffer.alloc(5 * 1024 * 1024, " ");
    const target = { link: CONTAINER, feed: "docs" };
    const refused = await fixture.client.signed("POST", target, { body, headers: keyOf("p") });
    expect([refused.status, refused.json.code]).toEqual([413, "RequestEntityTooLarge"]);
    expect(fixture.emulator.requestLog.entries().at(-1)?.status).toBe(413);
    expect((await fixture.create({ id: "a", pk: "p" })).status).toBe(201);
    const item = await fixture.create({ id: "b", pk: "p", text: "x".repeat(2_200_000) });
    expect(item.status).toBe(413);
  });
});

describe("stopping", () => {
  it("answers the requests under way, delayed ones at once", async () => {
    await using fixture = await Fixture.start({
      wait: (_, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve())),
    });
    fixture.emulator.faults.add({ effect: { kind: "delay", delayMs: 60_000 } });
    const creating = fixture.create({ id: "a", pk: "p" });
    while (fixture.emulator.faults.list()[0]?.hits === 0) await new Promise(setImmediate);
    await fixture.emulator.stop();
    expect((await creating).status).toBe(201);
  });

  it("may be asked for twice, and the port is free afterwards", async () => {
    const first = await CosmosEmulator.start({ port: 0 });
    await Promise.all([first.stop(), first.stop()]);
    await using second = await CosmosEmulator.start({ port: Number(new URL(first.endpoint).port) });
    expect(second.endpoint).toBe(first.endpoint);
  });
});
