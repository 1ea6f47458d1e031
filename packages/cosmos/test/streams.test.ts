/** Streams and progress on Azure Cosmos DB: requests, writers of several processes, commits in pieces, and crashes. */
import { Client } from "@duroxide-ts/core";
import type { FetchedWork, Provider, StreamAppend, StreamChange } from "@duroxide-ts/core/stores";
import {
  ack,
  activity,
  createInstance,
  eventOf,
  mustFetch,
  mustFetchWork,
  raised,
  turnOf,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { expectSoon } from "../../../test/support/expect-soon.ts";
import { allDocuments } from "./invariants/documents.ts";
import { cutOff } from "./support/half-done.ts";
import type { Actor } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("streams");

const BOUNDS = { maxItems: 1_000, maxBytes: 1_000_000 };

const change = (values: readonly string[], more: Partial<StreamChange> = {}): StreamChange => ({
  stream: "s",
  values,
  close: false,
  bounds: BOUNDS,
  ...more,
});

function appendOf(
  { item, lockToken }: FetchedWork,
  values: readonly string[],
  written = 0,
  more: Partial<StreamChange> = {},
): StreamAppend {
  const writer = {
    call: `${item.id}`,
    name: item.name,
    delivery: `d${item.id}`,
    leastAttempt: 1,
    written,
    lockToken,
  };
  return { ...change(values, more), instanceId: "a", writer };
}

/** The instance `a` with two activities, both under locks of the first process. */
async function writing(): Promise<readonly [FetchedWork, FetchedWork]> {
  await createInstance(stage, "a", { workerItems: [activity("a", 2), activity("a", 3)] });
  return [await mustFetchWork(stage), await mustFetchWork(stage)];
}

/** All values as another process reads them, page after page. */
async function values(from = 0): Promise<readonly string[]> {
  const { provider } = await stage.openAnother();
  const all: string[] = [];
  for (let at = from; ; ) {
    const page = await provider.readStream({ instanceId: "a", stream: "s", from: at });
    for (const batch of page?.batches ?? []) {
      expect(batch.offset, "no value is missing").toBe(at);
      all.push(...batch.values);
      at += batch.values.length;
    }
    if (page === undefined || at >= page.next) return all;
  }
}

/** The requests that a call makes. */
async function requestsOf(call: () => Promise<unknown>): Promise<readonly string[]> {
  stage.trap.set(undefined);
  const before = stage.trap.labels.length;
  await call();
  await stage.trap.idle();
  return stage.trap.labels.slice(before);
}

/** The process ends after so many requests, or when the call has ended. */
async function endsAfter(actor: Actor, requests: number, act: () => Promise<unknown>): Promise<void> {
  await cutOff(actor, requests, act).catch((error: Error) => {
    if (!error.message.startsWith("it took")) throw error;
  });
}

describe("requests", () => {
  it("of an append are one batch, and a read before the first of a process", async () => {
    const [work] = await writing();
    const first = await requestsOf(() => stage.provider.appendStream(appendOf(work, ["a"])));
    expect(first).toHaveLength(2);
    const second = await requestsOf(() => stage.provider.appendStream(appendOf(work, ["b"], 1)));
    expect(second).toHaveLength(1);
  });

  it("of a turn are as many as without streams, and a read before the first of a process", async () => {
    await createInstance(stage, "a");
    const turn = async (streams?: readonly StreamChange[]): Promise<number> => {
      await stage.provider.enqueueForOrchestrator(raised("a", "e"));
      const fetched = await mustFetch(stage);
      return (await requestsOf(() => ack(stage, fetched, streams && { streams }))).length;
    };
    const without = await turn();
    expect(await turn([change(["a"])])).toBe(without + 1);
    expect(await turn([change(["b"])])).toBe(without);
  });

  it("of readers that wait are one in a second, however many wait", async () => {
    const [work] = await writing();
    await stage.provider.appendStream(appendOf(work, ["a"]));
    const { provider, trap } = await stage.openAnother();
    const handle = new Client(provider, { clock: stage.clock }).handle("TestOrch", "a");
    const seen: unknown[] = [];
    trap.set(undefined);
    const aborts = new AbortController();
    const readers = Array.from({ length: 100 }, async () => {
      for await (const { value } of handle.stream("s", { signal: aborts.signal })) seen.push(value);
    });
    await expectSoon(() => seen.length).toBe(100);
    for (let second = 0; second < 10; second++) {
      await stage.clock.advance(1_000);
      await stage.clock.quiet();
    }
    // The first page takes two.
    expect(trap.labels).toHaveLength(2 + 10);
    aborts.abort();
    await Promise.allSettled(readers);
  });

  it("of a report of progress are two", async () => {
    const [{ lockToken, item }] = await writing();
    const writer = { call: "2", name: item.name, delivery: "d", leastAttempt: 1, lockToken };
    const report = { instanceId: "a", executionId: 1, value: "1", writer };
    expect(await requestsOf(() => stage.provider.reportProgress(report))).toHaveLength(2);
    expect(await requestsOf(() => stage.provider.readProgress("a", "2"))).toHaveLength(1);
  });
});

describe("several writers", () => {
  it("of several processes write one after the other, also where each knows an old record", async () => {
    const [first, second] = await writing();
    const { provider } = await stage.openAnother();
    const writers: readonly (readonly [Provider, FetchedWork])[] = [
      [stage.provider, first],
      [provider, second],
    ];
    for (let round = 0; round < 4; round++) {
      for (const [of, work] of writers)
        await of.appendStream?.(appendOf(work, [`${work.item.id}.${round}`], round));
    }
    expect(await values()).toEqual(["2.0", "3.0", "2.1", "3.1", "2.2", "3.2", "2.3", "3.3"]);
    expect((await provider.readStream({ instanceId: "a", stream: "s", from: 0 }))?.restarts).toEqual([]);
  });

  it("look for their row where another delivery has written last", async () => {
    const [work] = await writing();
    await stage.provider.appendStream(appendOf(work, ["a"]));
    const append = appendOf(work, ["b"]);
    const next = { ...append, writer: { ...append.writer, delivery: "next" } };
    const requests = await requestsOf(() => stage.provider.appendStream(next));
    expect(requests).toHaveLength(2);
    expect(await requestsOf(() => stage.provider.appendStream(next))).toHaveLength(1);
  });

  it("may come between the plan of a turn and its commit", async () => {
    const [work] = await writing();
    await stage.provider.appendStream(appendOf(work, ["a"]));
    await stage.provider.enqueueForOrchestrator(raised("a", "e"));
    const fetched = await mustFetch(stage);
    const { provider } = await stage.openAnother();
    await provider.appendStream(appendOf(work, ["b"], 1));
    await ack(stage, fetched, { streams: [change(["c"])] });
    expect(await values()).toEqual(["a", "b", "c"]);
  });

  it("may come between the pieces of a commit and its decision", async () => {
    const [work] = await writing();
    await stage.provider.appendStream(appendOf(work, ["a"]));
    await stage.provider.enqueueForOrchestrator(raised("a", "e"));
    const fetched = await mustFetch(stage);
    const large = Array.from({ length: 150 }, (_, n) =>
      eventOf("ExternalEvent", "a", n + 10, { name: "e", data: "x".repeat(20_000) }),
    );
    const { provider } = await stage.openAnother();
    await provider.appendStream(appendOf(work, ["b"], 1));
    await ack(stage, fetched, { historyDelta: large, streams: [change(["c"])] });
    expect(await values()).toEqual(["a", "b", "c"]);
    expect((await stage.provider.readHistory("a")).length).toBe(151);
  });
});

describe("a bounded stream", () => {
  it("keeps few more documents than it shows values", async () => {
    const [work] = await writing();
    const bounds = { maxItems: 20, maxBytes: 1_000_000 };
    for (let n = 0; n < 300; n++) await stage.provider.appendStream(appendOf(work, [`${n}`], n, { bounds }));
    const batches = (await allDocuments(stage.raw)).filter(({ type }) => type === "stream_batch");
    expect(batches.length).toBeLessThanOrEqual(80);
    expect(await values(280)).toEqual(Array.from({ length: 20 }, (_, n) => `${280 + n}`));
    expect((await stage.provider.readStream({ instanceId: "a", stream: "s", from: 0 }))?.first).toBe(280);
  });

  it("that begins again a thousand times has a small record, which still tells what is void", async () => {
    const [work] = await writing();
    const bounds = { maxItems: 5_000, maxBytes: 10_000_000 };
    for (let n = 0; n < 120; n++) {
      const append = appendOf(work, [`${n}`], 0, { bounds });
      await stage.provider.appendStream({ ...append, writer: { ...append.writer, delivery: `d${n}` } });
    }
    const [record] = (await allDocuments(stage.raw)).filter(({ type }) => type === "stream");
    expect(JSON.stringify(record).length).toBeLessThan(10_000);
    const page = await stage.provider.readStream({ instanceId: "a", stream: "s", from: 3 });
    expect(page?.restarts.at(-1)).toMatchObject({ at: 119, attempt: 120 });
    expect(page?.restarts[0]?.fromOffset).toBeLessThan(3);
  });
});

describe("a stream that more steps write to than its record has room for", () => {
  /** Values that count, each written by the second delivery of a call. */
  it("counts only the values of their last attempts", async () => {
    const [work] = await writing();
    const append = async (call: number, attempt: number, written: number): Promise<void> => {
      const of = appendOf(work, [`"${call}.${attempt}.${written}"`], written);
      const writer = { ...of.writer, call: `${call}`, delivery: `${call}.${attempt}`, leastAttempt: attempt };
      await stage.provider.appendStream({ ...of, writer });
    };
    const calls = Array.from({ length: 130 }, (_, call) => call + 1);
    for (const [attempt, written] of [
      [1, 0],
      [2, 0],
      [2, 1],
    ] as const)
      for (const call of calls) await append(call, attempt, written);
    const { provider } = await stage.openAnother();
    const shown: unknown[] = [];
    for await (const { value } of new Client(provider).handle("any", "a").stream("s", { wait: false }))
      shown.push(value);
    expect(shown).toEqual([0, 1].flatMap((written) => calls.map((call) => `${call}.2.${written}`)));
  });
});

describe("a process that ends at any request", () => {
  it("of an append has written all of it or nothing, and its repetition writes it once", async () => {
    const [work] = await writing();
    await stage.provider.appendStream(appendOf(work, ["a"]));
    for (let requests = 0; requests < 3; requests++) {
      const written = (await values()).length;
      const append = appendOf(work, [`b${requests}`, `c${requests}`], written);
      const actor = await stage.openAnother();
      await endsAfter(actor, requests, () => actor.provider.appendStream(append));
      expect([written, written + 2]).toContain((await values()).length);
      await (await stage.openAnother()).provider.appendStream(append);
      expect(await values()).toHaveLength(written + 2);
    }
  });

  it("of a turn has written with the turn, or not at all", async () => {
    await createInstance(stage, "a");
    const events = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) =>
        eventOf("ExternalEvent", "a", from + n, { name: "e", data: "x".repeat(count > 1 ? 20_000 : 0) }),
      );
    let eventId = 10;
    for (const [count, most] of [
      [1, 4],
      [150, 12],
    ] as const) {
      for (let requests = 0; requests <= most; requests++) {
        const { provider } = await stage.openAnother();
        await provider.enqueueForOrchestrator(raised("a", "e"));
        const fetched = await mustFetch({ provider, lockMs: 30_000 });
        const before = [(await provider.readHistory("a")).length, (await values()).length];
        const historyDelta = events(count, eventId);
        eventId += count;
        const actor = await stage.openAnother();
        await endsAfter(actor, requests, () =>
          actor.provider.ackOrchestrationItem(
            turnOf(fetched, { historyDelta, streams: [change([`${eventId}`])] }),
          ),
        );
        const reader = await stage.openAnother();
        const after = [(await reader.provider.readHistory("a")).length, (await values()).length];
        const isStored = (after[1] ?? 0) > (before[1] ?? 0);
        expect(after, `${count} events, after ${requests} requests`).toEqual(
          isStored ? [(before[0] ?? 0) + count, (before[1] ?? 0) + 1] : before,
        );
        await stage.clock.advance(60_000);
      }
    }
  });
});

it("a reader is told of values that somebody has deleted, after two looks", async () => {
  const [work] = await writing();
  await stage.provider.appendStream(appendOf(work, ["a", "b"]));
  await stage.provider.appendStream(appendOf(work, ["c"], 2));
  const batches = (await allDocuments(stage.raw)).filter(({ type }) => type === "stream_batch");
  const read = async (from: number): Promise<unknown> =>
    stage.provider.readStream({ instanceId: "a", stream: "s", from });
  const [first] = batches.toSorted((one, other) => Number(one["eventId"]) - Number(other["eventId"]));
  await stage.raw.item(String(first?.id), "a").delete();
  const requests = await requestsOf(async () => {
    await expect(read(0)).rejects.toMatchObject({
      code: "corrupt-data",
      message: expect.stringContaining('value 0 of stream "s"'),
    });
  });
  expect(requests).toHaveLength(4);
  expect(await read(2)).toMatchObject({ batches: [{ offset: 2, values: ["c"] }] });
});
