import { Client, orchestration, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { shared } from "../shared.ts";
import { FaultProxy } from "./fault-proxy.ts";

const emulator = shared(() => CosmosEmulator.start({ port: 0 }));

/** Rejects where the connection is reset. */
function ask(proxy: FaultProxy, body = ""): Promise<Response> {
  return fetch(new URL("dbs/none/colls/none/docs", proxy.endpoint), { method: "POST", body });
}

/** Status of the endpoint's answer to `ask`. */
const UNSIGNED = 401;

/** Counts the requests that the endpoint receives from now on. */
function countReceived(): () => number {
  const mark = emulator().requestLog.mark();
  return () => emulator().requestLog.since(mark).total.requests;
}

describe("a fault proxy", () => {
  it("serves a provider, which stays with it", async () => {
    await using proxy = await FaultProxy.start(emulator().endpoint);
    const connectionString = proxy.connectionString(emulator().key);
    const provider = await CosmosProvider.connect({ connectionString, database: "d", container: "stays" });
    const hello = orchestration("hello", async (_ctx, name: string) => `hello ${name}`);
    const received = countReceived();
    const counted = proxy.counts.mark();
    const runtime = await Runtime.start({ provider, orchestrations: [hello] });
    const handle = await new Client(provider).start(hello, { instanceId: "one", input: "you" });
    expect(await handle.result()).toBe("hello you");
    await runtime.shutdown();
    await provider.close();
    const proxied = (): number => proxy.counts.since(counted).requests;
    expect(proxied()).toBeGreaterThan(0);
    // A request whose client has gone is still forwarded.
    await expect.poll(() => received() - proxied()).toBe(0);
  });

  it.each([401, 403, 404, 400, 503, 429])(
    "answers all requests with %d, until the rule is disposed",
    async (status) => {
      await using proxy = await FaultProxy.start(emulator().endpoint);
      const headers = { "x-ms-retry-after-ms": "10" };
      const received = countReceived();
      {
        using _ = proxy.answerAll(status, headers);
        const answer = await ask(proxy);
        expect(answer.status).toBe(status);
        expect(answer.headers.get("x-ms-retry-after-ms")).toBe("10");
        expect(await answer.json()).toMatchObject({ code: String(status) });
        expect(received()).toBe(0);
      }
      await ask(proxy);
      expect(received()).toBe(1);
    },
  );

  it("loses the answer to a request that was carried out", async () => {
    await using proxy = await FaultProxy.start(emulator().endpoint);
    const received = countReceived();
    proxy.add({ times: 1, effect: { kind: "lose-answer" } });
    await expect(ask(proxy)).rejects.toThrow();
    expect(received()).toBe(1);
    expect((await ask(proxy)).status).toBe(UNSIGNED);
  });

  it("resets the connection of a request that is not carried out", async () => {
    await using proxy = await FaultProxy.start(emulator().endpoint);
    const received = countReceived();
    proxy.add({ effect: { kind: "reset" } });
    await expect(ask(proxy)).rejects.toThrow();
    expect(received()).toBe(0);
  });

  it("hits the requests whose body fits and no other, and so many of them", async () => {
    await using proxy = await FaultProxy.start(emulator().endpoint);
    proxy.add({
      match: ({ body }) => body.includes("worker_queue"),
      times: 1,
      effect: { kind: "answer", status: 503 },
    });
    expect((await ask(proxy, "another row")).status).toBe(UNSIGNED);
    expect((await ask(proxy, "a worker_queue row")).status).toBe(503);
    expect((await ask(proxy, "a worker_queue row")).status).toBe(UNSIGNED);
  });

  it("asks its rules in their order, until they are cleared", async () => {
    await using proxy = await FaultProxy.start(emulator().endpoint);
    proxy.answerAll(503);
    proxy.answerAll(404);
    expect((await ask(proxy)).status).toBe(503);
    proxy.clear();
    expect((await ask(proxy)).status).toBe(UNSIGNED);
  });

  it("changes an answer of its target", async () => {
    await using proxy = await FaultProxy.start(emulator().endpoint);
    proxy.add({ effect: { kind: "rewrite", change: (answer) => ({ ...answer, status: 200, body: "{}" }) } });
    const answer = await ask(proxy);
    expect([answer.status, await answer.text()]).toEqual([200, "{}"]);
  });

  it("counts requests since a mark, answered by itself or by its target", async () => {
    await using proxy = await FaultProxy.start(emulator().endpoint);
    await ask(proxy);
    const mark = proxy.counts.mark();
    await ask(proxy);
    using rule = proxy.answerAll(503);
    await Promise.all([ask(proxy), ask(proxy)]);
    await rule.untilHit(2);
    expect(proxy.counts.since(mark).requests).toBe(3);
    expect(proxy.counts.since(mark).perSecond).toBeGreaterThan(0);
  });

  it("shows a target that is out of reach as a reset", async () => {
    const gone = await CosmosEmulator.start({ port: 0 });
    await using proxy = await FaultProxy.start(gone.endpoint);
    await gone.stop();
    await expect(ask(proxy)).rejects.toThrow();
  });
});
