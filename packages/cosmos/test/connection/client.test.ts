/** The real SDK against the local endpoint: what of a call of ours goes over the wire, and what comes back. */

import { createHttpHeaders, createPipelineRequest } from "@azure/core-rest-pipeline";
import type { Container } from "@azure/cosmos";
import { VirtualClock } from "@duroxide-ts/core/testing";
import type { CosmosEmulator, CosmosEmulatorOptions, FaultEffect } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { makeClient } from "../../src/connection/client.ts";
import { type Intercept, makeHttpClient } from "../../src/connection/http-client.ts";
import type { CosmosProviderOptions } from "../../src/connection/options.ts";
import { NoAnswer, ServiceRefusal } from "../../src/connection/sdk-errors.ts";
import { settingsFor, startEndpoint } from "./fixture.ts";

interface Given extends AsyncDisposable {
  readonly emulator: CosmosEmulator;
  readonly container: Container;
  /** How many requests of each kind the work took. */
  readonly requestsOf: (work: () => Promise<unknown>) => Promise<Record<string, number>>;
}

interface GivenOptions {
  readonly endpoint?: CosmosEmulatorOptions;
  readonly client?: CosmosProviderOptions;
  readonly intercept?: Intercept;
}

/** A container with one document, and a client that has read account and container. */
async function given({ endpoint, client: options, intercept }: GivenOptions = {}): Promise<Given> {
  const emulator = await startEndpoint(endpoint);
  const handle = makeClient(settingsFor(emulator, options), intercept);
  const { database } = await handle.client.databases.create({ id: "db" });
  const { container } = await database.containers.create({ id: "c", partitionKey: "/instanceId" });
  await container.read();
  await container.items.create({ id: "a", instanceId: "i", n: 1 });
  const requestsOf = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const mark = emulator.requestLog.mark();
    await work();
    const { byOperation } = emulator.requestLog.since(mark);
    return Object.fromEntries([...byOperation].map(([kind, { requests }]) => [kind, requests]));
  };
  const dispose = async (): Promise<void> => {
    handle[Symbol.dispose]();
    await emulator.stop();
  };
  return { emulator, container, requestsOf, [Symbol.asyncDispose]: dispose };
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );

const IN_ORDER = "SELECT * FROM c WHERE c.n >= 0 ORDER BY c.n";

const inRange = (range: string): object => ({
  initialHeaders: { "x-ms-documentdb-partitionkeyrangeid": range },
});

/** One call of each way in which the SDK sends requests. */
const CALLS: readonly (readonly [string, (container: Container) => Promise<unknown>])[] = [
  ["a read", (container) => container.item("a", "i").read()],
  ["a query", (container) => container.items.query(IN_ORDER, { partitionKey: "i" }).fetchNext()],
  ["a query of a range", (container) => container.items.query(IN_ORDER, inRange("0")).fetchNext()],
  ["a create", (container) => container.items.create({ id: "b", instanceId: "i" })],
  ["a batch", (container) => container.items.batch([{ operationType: "Read", id: "a" }], "i")],
];

describe("one call is one request:", () => {
  it.each(CALLS)("%s", async (_, call) => {
    await using fixture = await given();
    const requests = await fixture.requestsOf(() => call(fixture.container));
    expect(Object.values(requests)).toEqual([1]);
  });

  it("a query of each of several ranges, in order and with a limit", async () => {
    await using fixture = await given({ endpoint: { physicalPartitions: 3 } });
    const { container, requestsOf } = fixture;
    for (let n = 0; n < 20; n += 1) await container.items.create({ id: "x", instanceId: `i-${n}`, n });
    const found: unknown[] = [];
    const requests = await requestsOf(async () => {
      for (const range of ["0", "1", "2"]) {
        const query = container.items.query(
          "SELECT TOP 50 * FROM c WHERE c.n >= 0 ORDER BY c.n",
          inRange(range),
        );
        found.push(...(await query.fetchNext()).resources);
      }
    });
    expect([requests, found.length]).toEqual([{ "item.query": 3 }, 21]);
  });

  const EFFECTS: readonly (readonly [string, FaultEffect])[] = [
    ["is throttled", { kind: "error", status: 429, substatus: 3200, retryAfterMs: 700 }],
    ["meets another write", { kind: "error", status: 449 }],
    ["times out inside the service", { kind: "error", status: 408 }],
    ["reaches a partition that has moved", { kind: "error", status: 410, substatus: 1002 }],
    ["reaches a replica that lags behind", { kind: "error", status: 404, substatus: 1002 }],
    ["fails inside the service", { kind: "error", status: 500 }],
    ["finds the service overloaded", { kind: "error", status: 503, retryAfterMs: 30 }],
    ["has its connection reset", { kind: "reset" }],
    ["loses its answer", { kind: "loseResponse" }],
  ];

  it.each(
    CALLS.flatMap(([call, run]) => EFFECTS.map(([what, effect]) => [call, what, effect, run] as const)),
  )("%s that %s", async (_call, _what, effect, run) => {
    await using fixture = await given();
    fixture.emulator.faults.add({ match: {}, effect });
    let error: unknown;
    const requests = await fixture.requestsOf(async () => {
      error = await thrownBy(run(fixture.container));
    });
    expect(Object.values(requests)).toEqual([1]);
    expect(outcomeIn(error)).toEqual(
      effect.kind === "error" ? { status: effect.status, substatus: effect.substatus ?? 0 } : "ECONNRESET",
    );
  });

  it("a read that waits too long, and whose end is known to be unknown", async () => {
    let sent = 0;
    const silence: Intercept = async (request, next) => {
      if (!request.url.endsWith("/docs/a")) return next(request);
      sent += 1;
      throw new DOMException("what the network's client throws when the SDK ends the wait", "AbortError");
    };
    await using fixture = await given({ intercept: silence });
    const error = await thrownBy(fixture.container.item("a", "i").read());
    expect(error).toMatchObject({ name: "NoAnswer", cut: "timeout" });
    expect(sent).toBe(1);
  });
});

/** Status and sub-status where an answer came, else what cut the request off. */
function outcomeIn(error: unknown): unknown {
  const cause =
    error instanceof Error && error.message.startsWith("Batch request error") ? error.cause : error;
  if (cause instanceof NoAnswer) return cause.cut;
  if (cause instanceof ServiceRefusal) return { status: cause.statusCode, substatus: cause.substatus };
  const { code, substatus } = cause as { code: number; substatus?: number };
  return { status: code, substatus: substatus ?? 0 };
}

describe("an answer", () => {
  it.each([429, 503])("of %i keeps the service's advice", async (status) => {
    await using fixture = await given();
    fixture.emulator.faults.add({ match: {}, effect: { kind: "error", status, retryAfterMs: 700 } });
    const error = await thrownBy(fixture.container.item("a", "i").read());
    expect(error).toMatchObject({ retryAfterInMs: 700 });
  });

  it.each(["<html>Bad Gateway</html>", "", "[]", '{"error":"x"}'])(
    "of a proxy that is not the service's keeps its status: %j",
    async (bodyAsText) => {
      const proxy: Intercept = async (request, next) => {
        if (!request.url.endsWith("/docs/a")) return next(request);
        return { request, status: 502, headers: createHttpHeaders(), bodyAsText };
      };
      await using fixture = await given({ intercept: proxy });
      const error = await thrownBy(fixture.container.item("a", "i").read());
      expect(error).toMatchObject({ code: 502, message: expect.stringContaining("502") });
    },
  );
});

describe("a query over all partitions", () => {
  it("that needs a plan is refused with what to do instead", async () => {
    await using fixture = await given();
    const error = await thrownBy(fixture.container.items.query(IN_ORDER).fetchNext());
    expect(error).toMatchObject({ message: expect.stringContaining("give the query a partition key") });
  });
});

describe("a session", () => {
  it("reads what it wrote although replicas lag behind", async () => {
    await using fixture = await given();
    const { container, emulator } = fixture;
    emulator.faults.add({ match: { operation: "read" }, effect: { kind: "staleRead", writesBehind: 3 } });
    await container.item("a", "i").replace({ id: "a", instanceId: "i", n: 2 });
    expect((await container.item("a", "i").read()).resource?.n).toBe(2);
  });

  // http-client.HC1
  it("that no replica reaches three times in a row is left to the SDK, which reads without it", async () => {
    await using fixture = await given();
    const { container, emulator, requestsOf } = fixture;
    emulator.faults.add({
      match: { operation: "item.read" },
      next: 3,
      effect: { kind: "error", status: 404, substatus: 1002 },
    });
    const read = () => thrownBy(container.item("a", "i").read());
    expect(await requestsOf(read)).toEqual({ "item.read": 1 });
    expect(await requestsOf(read)).toEqual({ "item.read": 1 });
    expect(await requestsOf(read)).toEqual({ "item.read": 2 });
  });
});

describe("an interceptor", () => {
  it("sees requests as they leave, and what it changes is what is seen", async () => {
    const bodies: unknown[] = [];
    const watch: Intercept = async (request, next) => {
      if (request.method === "POST" && request.url.endsWith("/docs")) bodies.push(request.body);
      return next(request);
    };
    await using fixture = await given({ intercept: watch });
    const document = { id: "ä", instanceId: "i", text: "\u2028 ∞ 😀" };
    await fixture.container.items.create(document);
    expect(JSON.parse(String(bodies.at(-1)))).toEqual(document);
    expect((await fixture.container.item("ä", "i").read()).resource).toMatchObject(document);
  });
});

// http-client.HC2
describe("an account that writes elsewhere now", () => {
  it.each([3, 1008])(
    "is looked up anew by the SDK once in a while, and else reported (403/%i)",
    async (substatus) => {
      const clock = new VirtualClock();
      const settings = settingsFor(await stoppedEndpoint(), { clock });
      const headers = createHttpHeaders({ "x-ms-substatus": String(substatus) });
      const bodyAsText = JSON.stringify({ message: "moved" });
      const http = makeHttpClient(settings, async (request) => ({
        request,
        status: 403,
        headers,
        bodyAsText,
      }));
      const send = (): Promise<unknown> =>
        thrownBy(http.sendRequest(createPipelineRequest({ url: settings.endpoint.href })));
      expect(await send()).toBe("nothing was thrown");
      expect(await send()).toMatchObject({ name: "ServiceRefusal", statusCode: 403, substatus });
      await clock.advance(5_000);
      expect(await send()).toBe("nothing was thrown");
    },
  );
});

async function stoppedEndpoint(): Promise<CosmosEmulator> {
  const emulator = await startEndpoint();
  await emulator.stop();
  return emulator;
}
