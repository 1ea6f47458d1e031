/** The service's client against the local endpoint: what is tried again, for how long, and what is reported. */

import { ProviderError, systemRandom } from "@duroxide-ts/core";
import { systemProcesses } from "@duroxide-ts/core/stores";
import { VirtualClock } from "@duroxide-ts/core/testing";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Opened, openContainer } from "../src/connection/open-container.ts";
import type { BatchOperation } from "../src/service/batch.ts";
import type { RequestInfo } from "../src/service/call.ts";
import { failureOf, toProviderError } from "../src/service/failure.ts";
import { Service } from "../src/service/service.ts";
import { letTimePass, settingsFor, startEndpoint } from "./connection/fixture.ts";

const DEADLINE_MS = 10_000;

describe("requests", () => {
  let emulator: CosmosEmulator;
  let opened: Opened;
  let clock: VirtualClock;
  let requests: Service;
  let log: RequestInfo[];

  beforeAll(async () => {
    emulator = await startEndpoint();
    opened = await openContainer(settingsFor(emulator));
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await emulator[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    emulator.faults.clear();
    clock = new VirtualClock();
    log = [];
    requests = new Service(opened.container, {
      clock,
      random: systemRandom,
      onRequest: (info) => log.push(info),
      processes: systemProcesses,
      onWarning: () => {},
    });
  });

  const partition = (): string => systemRandom.uuid();
  const create = (instanceId: string, id: string): BatchOperation => ({
    kind: "create",
    body: { id, instanceId, type: "test" },
  });
  const call = () => requests.call("test", DEADLINE_MS);

  it("repeat a lost connection at once, and say that the first attempt may have been carried out", async () => {
    const pk = partition();
    emulator.faults.add({ match: { partitionKey: pk }, next: 1, effect: { kind: "loseResponse" } });
    const outcome = await call().batch(pk, [create(pk, "a")]);
    expect(outcome).toMatchObject({ ok: false, index: 0, status: 409, repeated: true });
    expect(clock.now()).toBe(new VirtualClock().now());
  });

  it("wait as long as the service advises", async () => {
    const pk = partition();
    const before = clock.now();
    emulator.faults.add({
      match: { partitionKey: pk },
      next: 2,
      effect: { kind: "error", status: 429, retryAfterMs: 700 },
    });
    const outcome = await letTimePass(clock, call().batch(pk, [create(pk, "a")]));
    expect(outcome).toMatchObject({ ok: true, repeated: false });
    expect(clock.now() - before).toBe(1_400);
  });

  it("give up before the deadline, with an error that may be repeated", async () => {
    const pk = partition();
    const before = clock.now();
    emulator.faults.add({
      match: { partitionKey: pk },
      effect: { kind: "error", status: 429, retryAfterMs: 3_000 },
    });
    const error = await letTimePass(
      clock,
      call()
        .read(pk, "a")
        .catch((e: unknown) => e),
    );
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ code: "unavailable", retryable: true, operation: "test" });
    expect(clock.now() - before).toBe(9_000);
  });

  it.each([408, 410, 449, 500, 503])("repeat what a moment may change: %i", async (status) => {
    const pk = partition();
    emulator.faults.add({ match: { partitionKey: pk }, next: 3, effect: { kind: "error", status } });
    await letTimePass(clock, call().batch(pk, [create(pk, "a")]));
    expect(log.map((info) => [info.attempt, info.status])).toEqual([
      [1, status],
      [2, status],
      [3, status],
      [4, 200],
    ]);
  });

  it("repeat a write that met another one (449) after 10 to 50 ms, not at once", async () => {
    const pk = partition();
    const before = clock.now();
    emulator.faults.add({ match: { partitionKey: pk }, next: 1, effect: { kind: "error", status: 449 } });
    await letTimePass(clock, call().batch(pk, [create(pk, "a")]));
    expect(clock.now() - before).toBeGreaterThanOrEqual(10);
    expect(clock.now() - before).toBeLessThanOrEqual(50);
  });

  it.each([
    [
      500,
      "Something broke",
      /the service answered 500: .*Something broke.*; the same call may succeed later$/,
    ],
    [408, "Too late", /the service did not respond in time \(408\)/],
  ])("tell what the service said with %i", async (status, message, told) => {
    const pk = partition();
    emulator.faults.add({ match: { partitionKey: pk }, effect: { kind: "error", status, message } });
    const failing = letTimePass(clock, call().read(pk, "a"));
    await expect(failing).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(told) as string,
    });
  });

  it("tell of a process that may open no more connections", () => {
    const cause = Object.assign(new Error("connect EMFILE 10.0.0.1:443 - Local (undefined:undefined)"), {
      code: "EMFILE",
    });
    expect(toProviderError("test", failureOf(cause))).toMatchObject({
      code: "unavailable",
      retryable: true,
      message: expect.stringMatching(/no connection could be opened.*EMFILE/) as string,
    });
  });

  it("do not repeat what will be refused again", async () => {
    const pk = partition();
    const large = { id: "a", instanceId: pk, type: "test", text: "x".repeat(2_100_000) };
    const call413 = call().batch(pk, [{ kind: "create", body: large }]);
    await expect(call413).rejects.toMatchObject({ code: "invalid-input", retryable: false });
    expect(log).toHaveLength(1);
  });

  it("name the operation that spoiled a batch, of which nothing is stored", async () => {
    const pk = partition();
    await call().batch(pk, [create(pk, "b")]);
    const outcome = await call().batch(pk, [create(pk, "a"), create(pk, "b"), create(pk, "c")]);
    expect(outcome).toMatchObject({ ok: false, index: 1, status: 409 });
    expect(await call().read(pk, "a")).toBeUndefined();
  });

  it("tell of every attempt what it cost and found", async () => {
    const pk = partition();
    await call().batch(pk, [create(pk, "a"), create(pk, "b")]);
    await call().query(pk, "SELECT * FROM c");
    expect(log).toMatchObject([
      { operation: "test", kind: "batch", status: 200, attempt: 1, results: undefined },
      { operation: "test", kind: "query", status: 200, attempt: 1, results: 2 },
    ]);
    for (const { charge } of log) expect(charge).toBeGreaterThan(1);
  });

  it.each([400, 410])(
    "begin a query of one partition again where its continuation is refused (%i)",
    async (status) => {
      const pk = partition();
      await call().batch(
        pk,
        ["a", "b", "c"].map((id) => create(pk, id)),
      );
      emulator.faults.add({ effect: { kind: "shortPage", items: 1 } });
      const refused = { kind: "error", status, ...(status === 410 && { substatus: 1002 }) } as const;
      emulator.faults.add({
        match: { continued: true, partitionKey: pk },
        skip: 1,
        next: 2,
        effect: refused,
      });
      const query = "SELECT VALUE c.id FROM c";
      const found = await letTimePass(clock, call().query<string>(pk, query));
      expect(found.toSorted()).toEqual(["a", "b", "c"]);
      const first = await call().page<string>(pk, { query }, 1);
      emulator.faults.add({ match: { continued: true }, next: 1, effect: refused });
      const second = letTimePass(clock, call().page<string>(pk, { query }, 1, first.continuation));
      await expect(second).rejects.toMatchObject({ code: "unavailable", retryable: true });
    },
  );

  it("repeat each kind of read whose replica lags behind (404/1002)", async () => {
    const pk = partition();
    await call().batch(pk, [create(pk, "a")]);
    const query = "SELECT VALUE c.id FROM c WHERE c.id = 'a'";
    const lagging = { kind: "error", status: 404, substatus: 1002 } as const;
    const lagged = async <T>(read: () => Promise<T>): Promise<T> => {
      emulator.faults.add({ match: { operation: "read" }, next: 4, effect: lagging });
      const result = await letTimePass(clock, read());
      expect(emulator.faults.list()).toEqual([]);
      return result;
    };
    expect(await lagged(() => call().read(pk, "a"))).toMatchObject({ id: "a" });
    expect(await lagged(() => call().query(pk, query))).toEqual(["a"]);
    expect((await lagged(() => call().page(pk, { query }, 1))).results).toEqual(["a"]);
    expect(await lagged(() => call().queryAll(query))).toContain("a");
    const ranges = call();
    ranges.ranges.forget();
    expect(await lagged(() => ranges.ranges.ids(ranges))).toEqual(["0"]);
  });

  it("read a document whose query has an empty page first, where replicas lag behind", async () => {
    const pk = partition();
    await call().batch(pk, [create(pk, "a")]);
    const lagging = { kind: "error", status: 404, substatus: 1002 } as const;
    emulator.faults.add({ match: { operation: "item.read" }, next: 5, effect: lagging });
    emulator.faults.add({
      match: { operation: "item.query" },
      next: 1,
      effect: { kind: "shortPage", items: 0 },
    });
    expect(await letTimePass(clock, call().read(pk, "a"))).toMatchObject({ id: "a" });
    expect(emulator.faults.list(), "all faults have hit").toEqual([]);
    const reads = log.filter(({ kind }) => kind === "read");
    expect(reads).toHaveLength(3);
    for (const read of reads) expect(read).toMatchObject({ status: 404, substatus: 1002 });
  });

  it("read all pages of a query", async () => {
    const pk = partition();
    const ids = Array.from({ length: 100 }, (_, n) => `i${n}`);
    for (const part of [ids, ids.map((id) => `${id}-2`)]) {
      const padded = part.map(
        (id): BatchOperation => ({
          kind: "create",
          body: { id, instanceId: pk, type: "test", text: "x".repeat(15_000) },
        }),
      );
      await call().batch(pk, padded);
    }
    const query = "SELECT VALUE c.id FROM c";
    expect(await call().query<string>(pk, query)).toHaveLength(200);
    const page = await call().page<string>(pk, { query }, 20);
    expect([page.results.length, page.isAll]).toEqual([20, false]);
  });
});
