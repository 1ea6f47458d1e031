/** The dashboard in each server of docs/operate/dashboard.md: what a browser asks for, and what must be refused. */
import { Client, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { dashboard } from "@duroxide-ts/dashboard";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, SERVERS } from "./servers.ts";

const CANCEL = JSON.stringify({ verb: "cancel", id: "order-1", reason: "sold out" });

describe.each(SERVERS)("the dashboard in $name", ({ start, hasRoutes }) => {
  const provider = new MemoryProvider();
  const client = new Client(provider, { logger: silentLogger });
  let server: RunningServer;

  beforeAll(async () => {
    await client.start("checkout", { instanceId: "order-1" });
    const handler = dashboard({
      provider,
      basePath: "/duroxide",
      logger: silentLogger,
      authorize: ({ headers }) =>
        headers.get("x-user") === "ada" ? { user: "ada", role: "operator" } : undefined,
    });
    server = await start(handler);
  });

  afterAll(() => server.close());

  const post = (address: string, headers: Record<string, string>, body: string): Promise<Response> =>
    server.send(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });

  it("has its page, below and at its path, and the files of the page", async () => {
    const pages = await Promise.all(
      ["/duroxide", "/duroxide/", "/duroxide/instances/order-1"].map((address) =>
        server.send(address, { headers: { "x-user": "ada" } }),
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    const html = await pages[0]?.text();
    const [, file = ""] = html?.match(/(?:src|href)="(\/duroxide\/assets\/[^"]+)"/) ?? [];
    const asset = await server.send(file);
    expect([asset.status, asset.headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
    expect((await asset.text()).length).toBeGreaterThan(100);
  });

  it("answers its routes with JSON, for those that it knows", async () => {
    const stranger = await server.send("/duroxide/api/session");
    expect(stranger.status).toBe(401);
    const known = await server.send("/duroxide/api/session?x=1", { headers: { "x-user": "ada" } });
    expect([known.status, known.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("application/json"),
    ]);
    expect(await known.json()).toMatchObject({ user: "ada", role: "operator" });
  });

  it("refuses an action without its header, of another origin, or without a user", async () => {
    const { origin } = server;
    const before = await client.admin.queueDepths();
    const action = { origin, "x-user": "ada", "x-duroxide-action": "1" };
    const attempts = [
      { origin, "x-user": "ada" },
      { ...action, origin: "https://evil.example" },
      { origin, "x-duroxide-action": "1" },
    ];
    const answers = [];
    for (const headers of attempts) answers.push((await post("/duroxide/api/act", headers, CANCEL)).status);
    expect(answers).toEqual([403, 403, 401]);
    expect(await client.admin.queueDepths()).toEqual(before);
  });

  it("does the action of an operator", async () => {
    const before = await client.admin.queueDepths();
    const headers = { origin: server.origin, "x-user": "ada", "x-duroxide-action": "1" };
    const answer = await post("/duroxide/api/act", headers, CANCEL);
    expect(answer.status).toBe(200);
    const { orchestratorQueue } = await client.admin.queueDepths();
    expect(orchestratorQueue).toBe(before.orchestratorQueue + 1);
  });

  if (!hasRoutes) return;
  it("leaves the bodies of other routes to the server", async () => {
    const answer = await post("/echo", {}, '{"a":1}');
    expect([answer.status, await answer.json()]).toEqual([200, { a: 1 }]);
  });
});
