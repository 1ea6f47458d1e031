/** `GET /instances/:id` and its result: statuses, waits, and who ends them. */
import { getEventListeners } from "node:events";
import { type Client, Runtime, silentLogger } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { ALL, openShop, withShop } from "./support/shop.ts";

const ORDER = { sku: "chair", count: 2 };

async function started(shop: Awaited<ReturnType<typeof openShop>>, name: string, body?: unknown) {
  await shop.send("POST", `/${name}`, body, { headers: { "idempotency-key": "a" } });
  return shop.client.handle(name, "a");
}

describe("an instance", () => {
  it("that has ended is answered with 200 and what handle.status() gives, the output included", async () => {
    await using shop = await openShop();
    const handle = await started(shop, "checkout", ORDER);
    await handle.result();
    const { status, body } = await shop.send("GET", "/instances/a");
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(await handle.status())));
    expect(body.output).toBe("shipped 2 chair");
  });

  withShop("that runs is answered with 202, what handle.status() gives and a pause", async (shop) => {
    const handle = await started(shop, "collect");
    await handle.customStatus().next();
    const { status, headers, body } = await shop.send("GET", "/instances/a");
    expect([status, headers.get("retry-after")]).toEqual([202, "1"]);
    expect(body).toMatchObject({ status: "Running", customStatus: { waits: true } });
  });

  it("whose start is stored and not yet processed is answered with 202", async () => {
    await using shop = await openShop({ works: false });
    const handle = await started(shop, "checkout", ORDER);
    for (const path of ["/instances/a", "/instances/a/result", "/instances/a?wait=1ms"]) {
      const { status, body } = await shop.send("GET", path);
      expect([status, body]).toEqual([202, await handle.status()]);
    }
  });

  withShop("that is unknown is answered with 404 at once, also with a wait", async (shop) => {
    for (const path of ["/instances/none", "/instances/none/result", "/instances/none?wait=50s"]) {
      const { status, body } = await shop.send("GET", path);
      expect([status, body.error.code]).toEqual([404, "not-found"]);
    }
  });

  it("whose start is processed between two reads is found", async () => {
    await using shop = await openShop({ works: false });
    await started(shop, "checkout", ORDER);
    const { client, provider } = shop;
    await using handed = await openShop({
      works: false,
      client: {
        start: () => client.start("checkout", { input: ORDER }),
        handle: (name: string, id: string) => client.handle(name, id),
        admin: {
          work: async (query: Parameters<typeof client.admin.work>[0]) => {
            const runtime = await Runtime.start({ provider, orchestrations: ALL, logger: silentLogger });
            await client.handle("checkout", "a").result();
            await runtime.shutdown({ graceMs: 0 });
            return client.admin.work(query);
          },
        },
      } as unknown as Client,
    });
    expect((await handed.send("GET", "/instances/a")).body.status).toBe("Completed");
  });

  withShop("that has failed is answered with 200 and its failure; its result with 409", async (shop) => {
    const handle = await started(shop, "failing");
    await handle.result().catch(() => {});
    expect((await shop.send("GET", "/instances/a")).body).toMatchObject({
      status: "Failed",
      message: expect.stringContaining("no such card"),
    });
    const { status, body } = await shop.send("GET", "/instances/a/result");
    expect([status, body.error.code]).toEqual([409, "orchestration-failed"]);
  });

  withShop("answers a HEAD without a body", async (shop) => {
    await (await started(shop, "checkout", ORDER)).result();
    const { status, headers, body } = await shop.send("HEAD", "/instances/a");
    expect([status, headers.get("content-type"), body]).toEqual([
      200,
      expect.stringContaining("application/json"),
      "",
    ]);
  });
});

describe("a wait", () => {
  withShop("is answered when the instance ends", async (shop) => {
    const handle = await started(shop, "collect");
    const waiting = shop.send("GET", "/instances/a?wait=50s");
    await handle.enqueue("lines", "x");
    expect(await waiting).toMatchObject({ status: 200, body: { status: "Completed", output: "x" } });
  });

  withShop("is answered with 202 when its time is over", async (shop) => {
    await started(shop, "collect");
    for (const wait of ["0s", "1ms", "0.01s"])
      expect((await shop.send("GET", `/instances/a?wait=${wait}`)).status).toBe(202);
  });

  it.each(["20", "soon", "-1s", "1d", "", "1e9s", "Infinitys"])("of no time is refused: %s", async (wait) => {
    await using shop = await openShop();
    await started(shop, "collect");
    expect((await shop.send("GET", `/instances/a?wait=${encodeURIComponent(wait)}`)).status).toBe(400);
  });

  withShop("is answered at the next custom status after the one that is known", async (shop) => {
    await started(shop, "collect");
    const { body } = await shop.send("GET", "/instances/a?wait=50s&customStatusAfter=0");
    expect(body).toMatchObject({ customStatus: { waits: true }, customStatusVersion: 1 });
    expect((await shop.send("GET", "/instances/a?wait=1s&customStatusAfter=x")).status).toBe(400);
  });

  it("ends when its client goes, and leaves no listener behind", async () => {
    const stop = new AbortController();
    await using shop = await openShop({ signal: stop.signal });
    await started(shop, "collect");
    const gone = new AbortController();
    const waiting = shop.send("GET", "/instances/a?wait=50s", undefined, { signal: gone.signal });
    await expect.poll(() => getEventListeners(stop.signal, "abort").length).toBe(1);
    gone.abort();
    await waiting;
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });

  it("ends with the status of now when the server stops; later ones do not wait", async () => {
    const stop = new AbortController();
    await using shop = await openShop({ signal: stop.signal });
    await started(shop, "collect");
    const waiting = shop.send("GET", "/instances/a?wait=50s");
    await expect.poll(() => getEventListeners(stop.signal, "abort").length).toBe(1);
    stop.abort();
    expect((await waiting).status).toBe(202);
    expect((await shop.send("GET", "/instances/a?wait=50s")).status).toBe(202);
  });
});

describe("a cancellation", () => {
  withShop("is answered with 202, and ends the instance with its reason", async (shop) => {
    await started(shop, "collect");
    expect((await shop.send("POST", "/instances/a/cancel", { reason: "sold out" })).status).toBe(202);
    const { body } = await shop.send("GET", "/instances/a?wait=50s");
    expect(body).toMatchObject({ status: "Cancelled", reason: "sold out" });
  });

  withShop("needs no body, and takes none but JSON with a reason", async (shop) => {
    await started(shop, "collect");
    for (const body of [{ reason: 5 }, [], "sold out", { reason: null }, { reason: "x".repeat(5_000) }])
      expect((await shop.send("POST", "/instances/a/cancel", body)).status).toBe(400);
    expect((await shop.send("POST", "/instances/a/cancel")).status).toBe(202);
  });

  withShop("of an unknown instance is refused, and does not wait for one that comes later", async (shop) => {
    expect((await shop.send("POST", "/instances/a/cancel")).status).toBe(404);
    await started(shop, "checkout", ORDER);
    expect((await shop.send("GET", "/instances/a?wait=50s")).body.status).toBe("Completed");
  });

  withShop("of an instance that has ended conflicts (409)", async (shop) => {
    await (await started(shop, "checkout", ORDER)).result();
    const { status, body } = await shop.send("POST", "/instances/a/cancel");
    expect([status, body.error.code]).toEqual([409, "ended"]);
  });

  it("takes back a start that is stored and not yet processed", async () => {
    await using shop = await openShop({ works: false });
    await started(shop, "checkout", ORDER);
    expect((await shop.send("POST", "/instances/a/cancel")).status).toBe(202);
  });
});
