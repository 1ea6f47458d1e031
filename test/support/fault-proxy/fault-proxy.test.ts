import { Client, orchestration, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FaultProxy } from "./fault-proxy.ts";

let emulator: CosmosEmulator;
beforeAll(async () => {
  emulator = await CosmosEmulator.start({ port: 0 });
});
afterAll(() => emulator[Symbol.asyncDispose]());

/** Rejects where the connection is reset. */
function ask(proxy: FaultProxy, body = ""): Promise<Response> {
  return fetch(new URL("dbs/none/colls/none/docs", proxy.endpoint), { method: "POST", body });
}

/** Status of the endpoint's answer to `ask`. */
const UNSIGNED = 401;

/** Counts the requests that the endpoint receives from now on. */
function countReceived(): () => number {
  const mark = emulator.requestLog.mark();
  return () => emulator.requestLog.since(mark).total.requests;
}

describe("a fault proxy", () => {
  it("serves a provider, which stays with it", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    const connectionString = proxy.connectionString(emulator.key);
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
      await using proxy = await FaultProxy.start(emulator.endpoint);
      const headers = { "x-ms-retry-after-ms": "10" };
      const received = countReceived();
      {
        using rule = proxy.answerAll(status, headers);
        const answer = await ask(proxy);
        expect(answer.status).toBe(status);
        expect(answer.headers.get("x-ms-retry-after-ms")).toBe("10");
        expect(await answer.json()).toMatchObject({ code: String(status) });
        expect(rule.hits).toBe(1);
        expect(received()).toBe(0);
      }
      await ask(proxy);
      expect(received()).toBe(1);
    },
  );

  it("loses the answer to a request that was carried out", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    const received = countReceived();
    proxy.add({ times: 1, effect: { kind: "lose-answer" } });
    await expect(ask(proxy)).rejects.toThrow();
    expect(received()).toBe(1);
    expect((await ask(proxy)).status).toBe(UNSIGNED);
  });

  it("resets the connection of a request that is not carried out", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    const received = countReceived();
    proxy.add({ effect: { kind: "reset" } });
    await expect(ask(proxy)).rejects.toThrow();
    expect(received()).toBe(0);
  });

  it("holds back the requests whose body fits, and no other", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    const gate = Promise.withResolvers<void>();
    const rule = proxy.add({
      match: ({ body }) => body.includes("worker_queue"),
      effect: { kind: "hold", until: gate.promise },
    });
    const received = countReceived();
    const held = ask(proxy, "a worker_queue row");
    await rule.untilHit();
    expect((await ask(proxy, "another row")).status).toBe(UNSIGNED);
    expect(received()).toBe(1);
    gate.resolve();
    expect((await held).status).toBe(UNSIGNED);
    expect(received()).toBe(2);
  });

  it("forwards a held request although its client has gone", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    const gate = Promise.withResolvers<void>();
    const rule = proxy.add({ times: 1, effect: { kind: "hold", until: gate.promise } });
    const received = countReceived();
    const abort = new AbortController();
    const given = fetch(proxy.endpoint, { signal: abort.signal });
    await rule.untilHit();
    abort.abort();
    await expect(given).rejects.toThrow();
    gate.resolve();
    await expect.poll(received).toBe(1);
  });

  it("holds back an answer", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    const gate = Promise.withResolvers<void>();
    proxy.add({ effect: { kind: "hold-answer", until: gate.promise } });
    const received = countReceived();
    const answer = ask(proxy);
    await expect.poll(received).toBe(1);
    gate.resolve();
    expect((await answer).status).toBe(UNSIGNED);
  });

  it("delays a request", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    proxy.add({ effect: { kind: "delay", delayMs: 30 } });
    const sinceMs = performance.now();
    expect((await ask(proxy)).status).toBe(UNSIGNED);
    // A timer may be up to a millisecond early by this clock.
    expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(29);
  });

  it("leaves a request without an answer until it closes", async () => {
    const proxy = await FaultProxy.start(emulator.endpoint);
    const rule = proxy.add({ effect: { kind: "no-answer" } });
    const answer = expect(ask(proxy)).rejects.toThrow();
    await rule.untilHit();
    await proxy[Symbol.asyncDispose]();
    await answer;
  });

  it("lets rules begin late, end, and count without an effect", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    const counting = proxy.add({ match: ({ method }) => method === "POST", effect: { kind: "count" } });
    proxy.add({ skip: 1, times: 2, effect: { kind: "answer", status: 503 } });
    const statuses: number[] = [];
    for (let request = 0; request < 4; request++) statuses.push((await ask(proxy)).status);
    expect(statuses).toEqual([UNSIGNED, 503, 503, UNSIGNED]);
    expect(counting.hits).toBe(4);
    proxy.clear();
    await ask(proxy);
    expect(counting.hits).toBe(4);
  });

  it("counts requests by status, and since a mark", async () => {
    await using proxy = await FaultProxy.start(emulator.endpoint);
    await ask(proxy);
    const mark = proxy.counts.mark();
    using _ = proxy.answerAll(503);
    await Promise.all([ask(proxy), ask(proxy)]);
    const { requests, seconds, perSecond } = proxy.counts.since(mark);
    expect({ requests, total: proxy.counts.requests }).toEqual({ requests: 2, total: 3 });
    expect(perSecond).toBeCloseTo(requests / seconds);
    expect([...proxy.counts.byStatus]).toEqual([
      [UNSIGNED, 1],
      [503, 2],
    ]);
  });

  it("shows a target that is out of reach as a reset", async () => {
    const gone = await CosmosEmulator.start({ port: 0 });
    await using proxy = await FaultProxy.start(gone.endpoint);
    await gone.stop();
    await expect(ask(proxy)).rejects.toThrow();
  });
});
