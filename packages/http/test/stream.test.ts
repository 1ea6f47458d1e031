/** `GET /instances/:id/streams/:name`: server-sent events that go on where a browser was. */
import { getEventListeners } from "node:events";
import { silentLogger } from "@duroxide-ts/core";
import { describe, expect, it, vi } from "vitest";
import { toNodeHandler } from "../src/index.ts";
import { keptOpen } from "../src/routes/kept-open.ts";
import { listening } from "./support/listening.ts";
import { openShop, withShop } from "./support/shop.ts";

type Shop = Awaited<ReturnType<typeof openShop>>;

async function started(shop: Shop, lines: readonly unknown[] = []): Promise<void> {
  await shop.send("POST", "/talk", undefined, { headers: { "idempotency-key": "a" } });
  await say(shop, ...lines);
}

async function say(shop: Shop, ...lines: readonly unknown[]): Promise<void> {
  for (const line of lines) await shop.client.handle("talk", "a").enqueue("lines", line);
}

const read = (shop: Shop, path: string, init: RequestInit = {}) =>
  shop.handler(new Request(`http://shop.example${path}`, init));

/** The number of streams that are watched now. */
function watched(shop: Shop): () => number {
  let count = 0;
  const watch = shop.provider.watchStream.bind(shop.provider);
  vi.spyOn(shop.provider, "watchStream").mockImplementation((...args) => {
    const unwatch = watch(...args);
    count += 1;
    return () => {
      count -= 1;
      unwatch();
    };
  });
  return () => count;
}

describe("a stream", () => {
  withShop("is sent as events with offset and value, and ends with its instance", async (shop) => {
    await started(shop, ["Hel", "lo", "end"]);
    const response = await read(shop, "/instances/a/streams/tokens");
    expect([
      response.status,
      response.headers.get("content-type"),
      response.headers.get("cache-control"),
    ]).toEqual([200, "text/event-stream; charset=utf-8", "no-store"]);
    expect(await response.text()).toBe('id: 0\ndata: "Hel"\n\nid: 1\ndata: "lo"\n\n');
  });

  withShop("goes on after Last-Event-ID, and from any offset", async (shop) => {
    await started(shop, ["a", "b", "c", "end"]);
    await shop.client.handle("talk", "a").result();
    const headers = { "last-event-id": "0" };
    expect(await (await read(shop, "/instances/a/streams/tokens", { headers })).text()).toBe(
      'id: 1\ndata: "b"\n\nid: 2\ndata: "c"\n\n',
    );
    expect(await (await read(shop, "/instances/a/streams/tokens?from=2")).text()).toBe(
      'id: 2\ndata: "c"\n\n',
    );
    for (const query of ["?from=-1", "?from=x", "?from=1.5", "?follow=no", "?all=yes"])
      expect((await read(shop, `/instances/a/streams/tokens${query}`)).status).toBe(400);
    expect(
      (await read(shop, "/instances/a/streams/tokens", { headers: { "last-event-id": "x" } })).status,
    ).toBe(400);
  });

  withShop("that has ended tells a browser that has got all not to come back (204)", async (shop) => {
    await started(shop, ["a", "end"]);
    await shop.client.handle("talk", "a").result();
    const headers = { "last-event-id": "0" };
    expect((await read(shop, "/instances/a/streams/tokens", { headers })).status).toBe(204);
  });

  it("of an unknown instance is answered with 404, of one whose start waits it stays open", async () => {
    await using shop = await openShop({ works: false });
    expect((await read(shop, "/instances/a/streams/tokens")).status).toBe(404);
    await started(shop);
    const response = await read(shop, "/instances/a/streams/tokens");
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it("ends as a whole answer when the server stops", async () => {
    const stop = new AbortController();
    await using shop = await openShop({ signal: stop.signal });
    await started(shop, ["a"]);
    const response = await read(shop, "/instances/a/streams/tokens");
    const text = response.text();
    await expect.poll(() => getEventListeners(stop.signal, "abort").length).toBe(1);
    stop.abort();
    expect(await text).toMatch(/^(id: 0\ndata: "a"\n\n)?$/);
  });

  it("is sent over a socket as it comes, and the reading ends when the browser goes", async () => {
    const stop = new AbortController();
    await using shop = await openShop({ signal: stop.signal });
    await using server = await listening(toNodeHandler(shop.handler));
    await started(shop);
    const gone = new AbortController();
    const response = await fetch(`${server.address}/instances/a/streams/tokens`, { signal: gone.signal });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await say(shop, "first");
    const part = await reader?.read();
    expect(new TextDecoder().decode(part?.value as Uint8Array)).toBe('id: 0\ndata: "first"\n\n');
    await expect.poll(() => getEventListeners(stop.signal, "abort").length).toBe(1);
    gone.abort();
    await expect.poll(() => getEventListeners(stop.signal, "abort").length).toBe(0);
  });

  it("is sent to programs as lines with all fields, the last of which says that it has ended", async () => {
    await using shop = await openShop();
    await started(shop, [{ a: 1 }, "end"]);
    const headers = { accept: "application/x-ndjson" };
    const response = await read(shop, "/instances/a/streams/tokens", { headers });
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual([
      { life: expect.any(String) },
      { offset: 0, value: { a: 1 }, attempt: 1 },
      { end: true },
    ]);
  });

  it("that cannot be read ends with a line for programs, and the log has the reason, also for browsers", async () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (fields: object) => errors.push(fields) };
    await using shop = await openShop({ logger });
    await started(shop, ["a"]);
    vi.spyOn(shop.provider, "readStream").mockRejectedValue(new Error("no key for it"));
    const lines = await read(shop, "/instances/a/streams/tokens", {
      headers: { accept: "application/x-ndjson" },
    });
    expect(JSON.parse(await lines.text())).toEqual({
      error: { code: "internal", message: expect.not.stringContaining("no key") },
    });
    const events = await read(shop, "/instances/a/streams/tokens");
    await expect(events.text()).rejects.toThrow();
    const told = { event: "http_failed", error: expect.objectContaining({ message: "no key for it" }) };
    expect(errors).toEqual([told, told]);
  });

  it("ends where the instance is deleted while it is read: programs get the reason as a line", async () => {
    await using shop = await openShop();
    await started(shop, ["a"]);
    const headers = { accept: "application/x-ndjson" };
    const response = await read(shop, "/instances/a/streams/tokens", { headers });
    const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await lines?.read())?.value).toContain('"value":"a"');
    await shop.client.admin.delete("a", { force: true });
    expect(JSON.parse((await lines?.read())?.value ?? "")).toMatchObject({
      error: { code: "gone", stream: "tokens", instanceId: "a" },
    });
  });

  withShop("ends for a client that has gone before it begins", async (shop) => {
    await started(shop, ["a"]);
    const response = await read(shop, "/instances/a/streams/tokens", { signal: AbortSignal.abort() });
    await expect(response.text()).rejects.toThrow();
  });

  it.each(["text/event-stream", "application/x-ndjson"])(
    "is not read any more for a client that goes with values unread (%s)",
    async (accept) => {
      await using shop = await openShop();
      const now = watched(shop);
      await started(shop, ["a", "b", "c", "d"]);
      await vi.waitFor(async () =>
        expect(await shop.client.handle("talk", "a").streams()).toMatchObject([{ next: 4 }]),
      );
      const response = await read(shop, "/instances/a/streams/tokens", { headers: { accept } });
      const parts = response.body?.getReader();
      await parts?.read();
      expect(now()).toBe(1);
      await parts?.cancel();
      await expect.poll(now).toBe(0);
    },
  );

  it("is not read any more where the server stops, and rejects nothing that nobody handles", async () => {
    const stop = new AbortController();
    await using shop = await openShop({ signal: stop.signal });
    const now = watched(shop);
    await started(shop, ["a"]);
    await vi.waitFor(async () =>
      expect(await shop.client.handle("talk", "a").streams()).toMatchObject([{ next: 1 }]),
    );
    const open = await read(shop, "/instances/a/streams/tokens?from=1");
    const waiting = open.text();
    await expect.poll(now).toBe(1);
    stop.abort();
    const later = await read(shop, "/instances/a/streams/tokens?from=1");
    expect([await waiting, await later.text()]).toEqual(["", ""]);
    await expect.poll(now).toBe(0);
  });

  withShop("is not read for a HEAD", async (shop) => {
    await started(shop, ["a"]);
    const response = await read(shop, "/instances/a/streams/tokens", { method: "HEAD" });
    expect([response.status, response.body]).toEqual([200, null]);
  });
});

describe("progress", () => {
  withShop("is a list, which is empty for an unknown instance", async (shop) => {
    expect((await shop.send("GET", "/instances/none/progress")).body).toEqual([]);
    await shop.send("POST", "/reports", undefined, { headers: { "idempotency-key": "a" } });
    await expect
      .poll(async () => (await shop.send("GET", "/instances/a/progress")).body)
      .toEqual([{ step: "import", value: { done: 1, of: 2 }, atMs: expect.any(Number), attempt: 1 }]);
  });
});

describe("an answer that is kept open", () => {
  it("has a heartbeat while there is nothing to send, and none piles up for a slow reader", async () => {
    let beat: (() => void) | undefined;
    const timers: number[] = [];
    const clock = {
      now: () => 0,
      schedule: (delayMs: number, call: () => void) => {
        timers.push(delayMs);
        beat = call;
        return () => {};
      },
    };
    const silent = new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const options = { clock, stopping: undefined, end: () => {}, heartbeat: ":\n\n" };
    const reader = (await keptOpen(silent, options)).body?.getReader();
    expect(timers).toEqual([]);
    const part = reader?.read();
    await expect.poll(() => timers).toEqual([15_000]);
    beat?.();
    expect(new TextDecoder().decode((await part)?.value as Uint8Array)).toBe(":\n\n");
    expect(timers).toEqual([15_000]);
    await reader?.cancel();
  });

  it("ends the reading where it fails, and rejects nothing that nobody handles", async () => {
    let ended = 0;
    const failing = new Response(
      new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) }),
    );
    const end = () => {
      ended += 1;
    };
    const { sleep: _, ...clock } = { sleep: 0, now: () => 0, schedule: () => () => {} };
    const open = await keptOpen(failing, { clock, stopping: undefined, end, heartbeat: "" });
    await expect(open.text()).rejects.toThrow("gone");
    expect(ended).toBe(1);
  });
});
