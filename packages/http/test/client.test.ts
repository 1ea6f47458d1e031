/** `HttpClient`: the calls of a `Client`, their results and their errors, over real sockets. */

import { inspect } from "node:util";
import {
  AlreadyExistsError,
  type Clock,
  event,
  InvalidInputError,
  NotDeliveredError,
  OrchestrationFailedError,
  ProviderError,
  QuestionError,
  queue,
  StreamError,
  silentLogger,
  stream,
  TimeoutError,
} from "@duroxide-ts/core";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { type AnyClient, HttpClient, remote } from "../src/index.ts";
import { listening } from "./support/listening.ts";
import { bothWays, openOverHttp, overHttp } from "./support/over-http.ts";
import { checkout, openShop, price } from "./support/shop.ts";

const strict = queue("counts", { schema: z.number() });

const ORDER = { sku: "chair", count: 2 };

/** A clock whose pauses are over at once, and whose limits never are. */
const SHORT_PAUSES: Clock = {
  now: () => 0,
  schedule: (ms, call) => {
    if (ms <= 5_000) setImmediate(call);
    return () => {};
  },
};

describe("a client over HTTP", () => {
  overHttp("starts and waits for the result", async (at) => {
    const handle = await at.over.start(checkout, { instanceId: "order 1/2", input: ORDER });
    expect([handle.instanceId, handle.created]).toEqual(["order 1/2", true]);
    const receipt: string = await handle.result();
    expect(receipt).toBe("shipped 2 chair");
    expect((await at.over.start(checkout, { instanceId: "order 1/2", input: ORDER })).created).toBe(false);
    expect(await handle.status()).toEqual(await at.direct.handle(checkout, "order 1/2").status());
  });

  it("takes every option of a start", async () => {
    await using at = await openOverHttp({ works: false });
    const after = new Date("2999-01-01T00:00:00Z");
    const approved = event<{ by: string }>("approved", { keep: true });
    const handle = await at.over.start(checkout, {
      input: ORDER,
      after,
      tags: { tenant: "acme" },
      timeout: { hours: 1 },
      raise: [{ event: approved, data: { by: "ada" } }],
      enqueue: [{ queue: "lines", message: 1 }],
    });
    expect(await handle.status()).toMatchObject({ status: "Scheduled", startsAtMs: after.getTime() });
    const { work } = await at.direct.admin.work({ instanceId: handle.instanceId, kind: "orchestrator" });
    expect(work.map(({ item, name }) => [item, name])).toEqual(
      expect.arrayContaining([
        ["StartOrchestration", "checkout"],
        ["QueueMessage", "approved"],
        ["QueueMessage", "lines"],
      ]),
    );
  });

  overHttp("gives the statuses of a Client: unknown, stored, running, ended", async (at) => {
    await at.direct.start("collect", { instanceId: "c" });
    await at.direct.handle("collect", "c").customStatus().next();
    await at.direct.start("failing", { instanceId: "f" });
    await at.direct
      .handle("failing", "f")
      .result()
      .catch(() => {});
    for (const id of ["none", "c", "f"]) {
      const [over, direct] = await bothWays(at, (client) => client.handle("collect", id).status());
      expect(over).toEqual(direct);
    }
  });

  overHttp("raises, enqueues and cancels", async (at) => {
    const handle = await at.over.start("approval", { instanceId: "a" });
    await handle.raise(event<{ by: string }>("approved", { keep: true }), { by: "ada" });
    expect(await handle.result()).toEqual({ by: "ada" });
    const counting = await at.over.start("count", { instanceId: "n" });
    for (const messageId of ["m", "ö-大", ' "q" ', "m", "ö-大", ' "q" '])
      await counting.enqueue("lines", "x", { messageId });
    await counting.enqueue("lines", "end");
    expect(await counting.result()).toBe(3);
    const other = await at.over.start("collect", { instanceId: "c" });
    await other.cancel("sold out");
    await other.result().catch(() => {});
    expect(await other.status()).toMatchObject({ status: "Cancelled", reason: "sold out" });
    await other.cancel();
  });

  overHttp("asks, and yields custom statuses", async (at) => {
    const handle = await at.over.start("priced", { instanceId: "a" });
    expect(await handle.ask(price, { currency: "EUR" })).toBe(42);
    const collecting = await at.over.start("collect", { instanceId: "c" });
    const seen: unknown[] = [];
    for await (const status of collecting.customStatus()) {
      seen.push(status);
      await collecting.enqueue("lines", 1);
    }
    expect(seen).toEqual([{ waits: true }]);
  });

  overHttp("reads streams and progress", async (at) => {
    const handle = await at.over.start("talk", { instanceId: "a" });
    const items: unknown[] = [];
    const tokens = stream<unknown>("tokens");
    for (const line of ["x", "y"]) await handle.enqueue("lines", line);
    for await (const item of handle.stream(tokens)) {
      items.push(item);
      if (items.length === 2) await handle.enqueue("lines", "end");
    }
    expect(items).toEqual([
      { offset: 0, value: "x", attempt: 1 },
      { offset: 1, value: "y", attempt: 1 },
    ]);
    expect(await handle.stream(tokens).toResponse({ lastEventId: "0" }).text()).toBe('id: 1\ndata: "y"\n\n');
    expect(await handle.progress()).toEqual([]);
  });

  overHttp("has the errors of a Client, as the same classes with the same codes and messages", async (at) => {
    await at.direct.start("echo", { instanceId: "e" });
    await at.direct.handle("echo", "e").result();
    await at.direct.start("failing", { instanceId: "f" });
    await at.direct
      .handle("failing", "f")
      .result()
      .catch(() => {});
    await at.direct.start("priced", { instanceId: "p" });
    await at.direct.handle("priced", "p").ask(price, { currency: "EUR" });
    const calls: readonly (readonly [(client: AnyClient) => Promise<unknown>, unknown])[] = [
      [(client) => client.start("collect", { instanceId: "e" }), AlreadyExistsError],
      [
        (client) => client.start(checkout, { instanceId: "x", input: { sku: "a", count: 0.5 } }),
        InvalidInputError,
      ],
      [(client) => client.start("checkout", { instanceId: "", input: ORDER }), InvalidInputError],
      [(client) => client.start("echo", { version: "first" }), InvalidInputError],
      [
        (client) =>
          client.start("echo", { raise: [{ event: event<object>("x", { keep: true }), data: new Map() }] }),
        InvalidInputError,
      ],
      [
        (client) => client.start("echo", { enqueue: [{ queue: strict, message: "two" as never }] }),
        InvalidInputError,
      ],
      [(client) => client.start("echo", { input: () => {} }), InvalidInputError],
      [(client) => client.handle("echo", "f").result(), OrchestrationFailedError],
      [(client) => client.handle("echo", "none").raise("x"), NotDeliveredError],
      [(client) => client.handle("echo", "e").enqueue("x", 1), NotDeliveredError],
      [
        (client) => client.handle("echo", "e").raise("x", 1, { messageId: "x".repeat(201) }),
        InvalidInputError,
      ],
      [(client) => client.handle("echo", "p").ask(price, { currency: "USD" }), QuestionError],
      [
        (client) => client.handle("echo", "none").ask(price, { currency: "EUR" }, { messageId: "q" }),
        QuestionError,
      ],
      [
        (client) => client.handle("echo", "e").ask(price, { currency: "EUR" }, { messageId: "q" }),
        QuestionError,
      ],
      [(client) => client.handle("echo", "none").stream("x")[Symbol.asyncIterator]().next(), StreamError],
      [async (client) => client.handle("echo", "e").stream("x", { from: -1 }), InvalidInputError],
      [async (client) => client.handle("echo", "e").stream("x", { signal: {} as never }), InvalidInputError],
      [(client) => client.handle("echo", "p").result({ timeout: 1 }), TimeoutError],
      [(client) => client.handle("echo", "p").result({ timeout: 0 }), TimeoutError],
      [(client) => client.handle("echo", "e").result({ timeout: 0 }), undefined],
      [
        (client) => client.handle("echo", "p").result({ signal: AbortSignal.abort(new Error("gone")) }),
        undefined,
      ],
    ];
    for (const [call, kind] of calls) {
      const [over, direct] = await bothWays(at, call);
      expect(over).toEqual(direct);
      if (kind !== undefined) expect(over).toMatchObject({ kind });
    }
  });

  overHttp("has the details of failures and the issues of schemas", async (at) => {
    const failing = await at.over.start("failing");
    const error = await failing.result().catch((reason: unknown) => reason);
    expect(OrchestrationFailedError.is(error) && error.cause).toMatchObject({ message: "no such card 4111" });
    const refused = await at.over
      .start("checkout", { input: { sku: "a" } })
      .catch((reason: unknown) => reason);
    expect(InvalidInputError.is(refused) && refused.issues).toEqual([
      { message: expect.any(String), path: ["count"] },
    ]);
  });

  it("sends headers, also those that a function renews", async () => {
    const seen: (string | null)[] = [];
    await using at = await openOverHttp({
      works: false,
      authorize: ({ headers }) => {
        seen.push(headers.get("authorization"));
        return undefined;
      },
    });
    let number = 0;
    const headers = async () => ({ authorization: `Bearer ${number++}` });
    const client = new HttpClient(at.over.storeTitle, { headers });
    for (let call = 0; call < 2; call++) {
      await expect(client.handle("echo", "a").raise("x")).rejects.toMatchObject({ code: "cannot-open" });
    }
    expect(seen).toEqual(["Bearer 0", "Bearer 1"]);
  });

  it("tells a viewer that it may only read", async () => {
    await using at = await openOverHttp({ works: false, authorize: () => ({ user: "eve", role: "viewer" }) });
    await expect(at.over.start("echo")).rejects.toMatchObject({ code: "read-only" });
  });

  overHttp("takes definitions of which the program has the type only", async (at) => {
    const order = remote<typeof checkout>("checkout");
    const receipt: string = await (await at.over.start(order, { input: ORDER })).result();
    expect(receipt).toBe("shipped 2 chair");
    const approved = remote<ReturnType<typeof event<number>>>("approved", { keep: true });
    const handle = await at.over.start("approval");
    await handle.raise(approved, 5);
    expect(await handle.result()).toBe(5);
  });

  it.each(["shop.example", "ftp://shop.example", "http://shop.example/?a=1", "http://"])(
    "needs an address: %s",
    (address) => {
      expect(() => new HttpClient(address)).toThrow(expect.objectContaining({ code: "invalid-input" }));
    },
  );

  it("refuses ids and names that no address can have", async () => {
    await using at = await openOverHttp({ works: false });
    for (const id of [".", ".."]) {
      await expect(at.over.handle("echo", id).status()).rejects.toMatchObject({ code: "invalid-input" });
      await expect(at.over.handle("echo", "a").raise(id)).rejects.toMatchObject({ code: "invalid-input" });
    }
  });
});

describe("a network that fails", () => {
  const answer = (status: number, body = "<html>") => new Response(body, { status });

  overHttp("is a retryable error, with the id of a message, and ends no wait", async (at) => {
    await at.direct.start("echo", { instanceId: "e", input: 1 });
    const failures: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError("fetch failed")),
      async () => answer(502),
      async () => answer(503),
    ];
    const client = new HttpClient(at.over.storeTitle, {
      fetch: (url, init) => (failures.shift() ?? (() => fetch(url, init)))(),
      clock: SHORT_PAUSES,
    });
    expect(await client.handle("echo", "e").result()).toEqual({ input: 1 });
    failures.push(async () => answer(502));
    const error = await client.start("echo").catch((reason: unknown) => reason);
    expect(ProviderError.is(error) && [error.code, error.retryable]).toEqual(["unavailable", true]);
  });

  it("or a server that stops and holds no request is asked again after a pause, and not at once", async () => {
    await using at = await openOverHttp({ signal: AbortSignal.abort() });
    await at.direct.start("collect", { instanceId: "c" });
    const gone = new AbortController();
    const pauses: number[] = [];
    let asked = 0;
    const client = new HttpClient(at.over.storeTitle, {
      fetch: (url, init) => {
        asked += 1;
        if (asked > 10) gone.abort();
        return fetch(url, init);
      },
      clock: {
        ...SHORT_PAUSES,
        schedule: (ms, call) => {
          if (ms <= 5_000 && pauses.push(ms) === 3) gone.abort();
          return SHORT_PAUSES.schedule(ms, call);
        },
      },
    });
    const waiting = client.handle("collect", "c").result({ signal: gone.signal });
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    expect([asked, pauses]).toEqual([3, [250, 250, 250]]);
  });

  it("of a wrong address is no retryable one", async () => {
    const client = new HttpClient("http://shop.example", { fetch: async () => answer(404) });
    await expect(client.handle("echo", "e").result()).rejects.toMatchObject({
      code: "cannot-open",
      retryable: false,
    });
  });

  it("of an address below another path is none about an instance", async () => {
    await using shop = await openShop({ basePath: "/api" });
    const fetch = async (url: string, init: RequestInit) => shop.handler(new Request(url, init));
    const client = new HttpClient("http://shop.example/apl", { fetch });
    const handle = client.handle("echo", "e");
    for (const call of [
      () => handle.result({ timeout: 1 }),
      () => handle.status(),
      () => client.start("echo"),
    ])
      await expect(call()).rejects.toMatchObject({ code: "cannot-open", retryable: false });
  });

  it("a page to sign in is no answer", async () => {
    const page = async () => new Response("<html>", { headers: { "content-type": "text/html" } });
    const handle = new HttpClient("http://shop.example", { fetch: page }).handle("echo", "e");
    const calls: readonly (() => Promise<unknown>)[] = [
      () => handle.result(),
      () => handle.status(),
      () => handle.raise("x"),
      () => handle.get("total"),
      () => handle.stream("tokens")[Symbol.asyncIterator]().next(),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({ code: "cannot-open", retryable: false });
  });

  it.each([301, 302, 303, 307, 308])("a redirect (%i) gets neither payloads nor headers", async (status) => {
    const seen: unknown[] = [];
    await using other = await listening((request, response) => {
      seen.push(request.headers);
      response
        .setHeader("content-type", "application/json")
        .end('{"instanceId":"e","created":true,"links":{}}');
    });
    await using front = await listening((request, response) => {
      response.writeHead(status, { location: `${other.address}${request.url}` }).end();
    });
    const client = new HttpClient(front.address, { headers: { "x-api-key": "secret" } });
    const handle = client.handle("echo", "e");
    for (const call of [
      () => client.start("echo", { input: "secret" }),
      () => handle.result(),
      () => handle.stream("tokens")[Symbol.asyncIterator]().next(),
    ])
      await expect(call()).rejects.toMatchObject({ code: "cannot-open", retryable: false });
    expect(seen).toEqual([]);
  });

  it.each([
    ["a line break in a token", { authorization: "Bearer s3cret\nx" }],
    ["a character beyond Latin-1", { authorization: "Bearer s3cret€" }],
    ["a space in a name", { "x key": "s3cret" }],
  ])("a header with %s ends a wait, and is not quoted", async (_what, headers) => {
    const client = new HttpClient("http://127.0.0.1:1", { headers });
    for (const call of [() => client.handle("echo", "e").result(), () => client.start("echo")]) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(InvalidInputError.is(error)).toBe(true);
      expect(inspect(error)).not.toContain("s3cret");
    }
  });

  it.each(["http://ada:s3cret@shop.example/api", "http://shop.example/api?key=s3cret"])(
    "an address with a secret (%s) is refused without repeating it",
    (address) => {
      const make = (): HttpClient => new HttpClient(address);
      expect(make).toThrow(/the address must be that of the handler/);
      expect(make).not.toThrow(/s3cret/);
    },
  );

  it.each([
    ["while its stream is read", false],
    ["while the connection is away", true],
  ])("an instance that is deleted %s is gone, as for a Client", async (_, isCut) => {
    await using at = await openOverHttp();
    const handle = await at.direct.start("talk", { instanceId: "a" });
    await handle.enqueue("lines", "x");
    const client = new HttpClient(at.over.storeTitle, {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const first = isCut && response.ok ? await response.body?.getReader().read() : undefined;
        return first === undefined ? response : new Response(first.value, response);
      },
      clock: SHORT_PAUSES,
    });
    const reading = client.handle("talk", "a").stream("tokens")[Symbol.asyncIterator]();
    expect((await reading.next()).value).toMatchObject({ value: "x" });
    await at.direct.admin.delete("a", { force: true });
    await expect(reading.next()).rejects.toMatchObject({ name: "StreamError", code: "gone" });
  });

  it("the stream of another instance under the id of the one that was read is none of its own", async () => {
    await using at = await openOverHttp();
    await at.direct.start("talk", { instanceId: "a" });
    const before = at.direct.handle("talk", "a");
    for (const line of ["x", "end"]) await before.enqueue("lines", line);
    await before.result();
    let isCut = false;
    const client = new HttpClient(at.over.storeTitle, {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (isCut || !response.ok) return response;
        isCut = true;
        const text = (await response.text()).replace('{"end":true}\n', "");
        await at.direct.start("talk", { instanceId: "a", ifExists: "restart" });
        for (const line of ["y", "z", "end"]) await before.enqueue("lines", line);
        await before.result();
        return new Response(text, response);
      },
      clock: SHORT_PAUSES,
    });
    const reading = client.handle("talk", "a").stream("tokens")[Symbol.asyncIterator]();
    expect((await reading.next()).value).toMatchObject({ value: "x" });
    await expect(reading.next()).rejects.toMatchObject({ name: "StreamError", code: "gone" });
  });

  it("a stream that the server cannot read rejects as it does for a Client, and is not asked for again", async () => {
    await using at = await openOverHttp({ logger: silentLogger });
    const handle = await at.direct.start("talk", { instanceId: "a" });
    for (const line of ["x", "end"]) await handle.enqueue("lines", line);
    await handle.result();
    const page = await at.shop.provider.readStream({ instanceId: "a", stream: "tokens", from: 0 });
    vi.spyOn(at.shop.provider, "readStream").mockImplementation(async ({ from }) => {
      if (from > 0) throw new Error("no key for it");
      return page && { ...page, state: "open", next: 2 };
    });
    const reading = at.over.handle("talk", "a").stream("tokens")[Symbol.asyncIterator]();
    expect((await reading.next()).value).toMatchObject({ value: "x" });
    await expect(reading.next()).rejects.toMatchObject({ name: "ProviderError", code: "internal" });
  });

  overHttp("tells once of values that are gone, also where the connection ends behind that", async (at) => {
    const handle = await at.direct.start("talk", { instanceId: "a" });
    for (const line of ["x", "end"]) await handle.enqueue("lines", line);
    await handle.result();
    const page = await at.shop.provider.readStream({ instanceId: "a", stream: "tokens", from: 0 });
    const batch = { ...page?.batches[0], offset: 7 };
    const cut = { ...page, first: 7, next: 8, batches: [batch] };
    vi.spyOn(at.shop.provider, "readStream").mockResolvedValue(cut as typeof page);
    const fetchCut = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      const text = await response.text();
      const lines = text.split("\n").slice(0, 2).join("\n");
      return new Response(text.includes("skipped") ? `${lines}\n` : text, response);
    };
    const client = new HttpClient(at.over.storeTitle, { fetch: fetchCut, clock: SHORT_PAUSES });
    const items: unknown[] = [];
    for await (const item of client.handle("talk", "a").stream("tokens")) items.push(item);
    expect(items).toEqual([{ skipped: 7 }, { offset: 7, value: "x", attempt: 1 }]);
  });

  it("ends no reading of a stream: it goes on where it was, without a gap or a repetition", async () => {
    await using at = await openOverHttp();
    const handle = await at.direct.start("talk", { instanceId: "a" });
    for (let line = 0; line < 20; line++) await handle.enqueue("lines", line);
    await handle.enqueue("lines", "end");
    await handle.result();
    const asked: string[] = [];
    /** Each connection ends in the middle of the third item; the first line tells the life. */
    const cut = async (url: string, init: RequestInit) => {
      asked.push(new URL(url).search);
      const response = await fetch(url, init);
      const text = await response.text();
      const lines = text.split("\n");
      if (lines.length < 6) return new Response(text, response);
      return new Response(`${lines.slice(0, 3).join("\n")}\n${lines[3]?.slice(0, 5)}`, response);
    };
    const client = new HttpClient(at.over.storeTitle, {
      fetch: cut,
      clock: SHORT_PAUSES,
    });
    const values: unknown[] = [];
    for await (const { value } of client.handle("talk", "a").stream("tokens")) values.push(value);
    expect(values).toEqual(Array.from({ length: 20 }, (_, line) => line));
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.slice(0, 3)).toEqual(["?from=0", "?from=2", "?from=4"]);
  });

  it("that gives up a stream rejects for an unknown instance, and ends when its signal aborts", async () => {
    await using at = await openOverHttp();
    const reading = (id: string, signal?: AbortSignal) =>
      at.over
        .handle("talk", id)
        .stream("tokens", signal && { signal })
        [Symbol.asyncIterator]();
    await expect(reading("none").next()).rejects.toSatisfy((error) => StreamError.is(error, "not-found"));
    await at.direct.start("talk", { instanceId: "a" });
    const gone = new AbortController();
    const next = reading("a", gone.signal).next();
    gone.abort();
    await expect(next).rejects.toMatchObject({ code: "cancelled" });
  });
});

overHttp("code for either client takes both", async (at) => {
  const run = async (client: AnyClient): Promise<string> =>
    (await client.start(checkout, { input: ORDER })).result();
  expect([await run(at.over), await run(at.direct)]).toEqual(["shipped 2 chair", "shipped 2 chair"]);
});
