/**
 * Large payloads outside the store (docs/decisions/payloads.md): whole programs, lost blobs, outages, real files and
 * processes.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  activity,
  Client,
  event,
  orchestration,
  type Provider,
  queue,
  Runtime,
  rawCodec,
  silentLogger,
} from "@duroxide-ts/core";
import { encryptedCodec } from "@duroxide-ts/core/codecs";
import { fileBlobStore, withOffload } from "@duroxide-ts/core/offload";
import { replay } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BlobsInMemory } from "../support/blobs-in-memory.ts";
import type { Environment, EnvironmentOptions } from "../support/environment.ts";
import { RecordingLogger } from "../support/recording-logger.ts";
import { onEveryStore, type Start } from "../support/scenario.ts";

/** More than a document of Cosmos DB takes; what is only to be offloaded need not be as long. */
const HUGE = "large ".repeat(350_000);
const LARGE = "large ".repeat(30_000);
const ABOVE = 10_000;
const LIMITS = { maxPayloadBytes: 40_000_000 };

const echo = activity("echo", async (_ctx, text: string) => text);
const child = orchestration("child", async (_ctx, text: string) => text);
const go = event<string>("go");
const box = queue<string>("box");
const large = orchestration("large", async (ctx, { text, round }: { text: string; round: number }) => {
  const got = await ctx.scheduleActivity(echo, `a ${text}`);
  const inner = await ctx.scheduleSubOrchestration(child, `c ${text}`);
  ctx.kv.set("entry", text.slice(0, 40_000));
  ctx.setCustomStatus(text.slice(0, 150_000));
  const raised = await ctx.waitForEvent(go);
  const queued = await ctx.dequeue(box);
  if (round === 1) return ctx.continueAsNew("large", { text, round: 2 });
  return [got, inner, raised, queued];
});
const resultOf = (text: string) => [`a ${text}`, `c ${text}`, `e ${text}`, `q ${text}`];
const program = { orchestrations: [large, child], activities: [echo] };

interface Offloaded {
  readonly env: Environment;
  readonly client: Client;
  readonly provider: Provider;
  readonly log: RecordingLogger;
}

async function startOffloaded(
  start: Start,
  store: BlobsInMemory,
  options: EnvironmentOptions = program,
): Promise<Offloaded> {
  const log = new RecordingLogger();
  const env = await start({ ...options, options: { ...LIMITS, ...options.options } });
  const wrap = (provider: Provider): Provider =>
    withOffload(provider, { store, aboveBytes: ABOVE, logger: log, clock: env.clock });
  await env.restart({ options: { provider: wrap(env.provider) } });
  const { codec } = options.options ?? {};
  const provider = wrap(env.provider);
  const client = new Client(provider, {
    clock: env.clock,
    logger: silentLogger,
    ...LIMITS,
    ...(codec && { codec }),
  });
  return { env, client, provider, log };
}

async function runLarge({ env, client }: Offloaded, text: string): Promise<unknown> {
  const handle = await client.start(large, { instanceId: "i", input: { text, round: 1 } });
  for (let round = 1; round <= 2; round++) {
    await env.advance(1_000);
    await handle.raise(go, `e ${text}`);
    await handle.enqueue(box, `q ${text}`);
  }
  return env.finish(handle);
}

/** The longest text of what the store itself holds. */
async function longestStored(provider: Provider): Promise<number> {
  const stored = [
    ...(await provider.readHistory("i", 1)),
    ...(await provider.readHistory("i", 2)),
    await provider.getInstanceStatus("i"),
    ...(await provider.getKvValues("i")),
    await provider.admin.getInstanceInfo("i"),
  ];
  let longest = 0;
  JSON.stringify(stored, (_key, value: unknown) => {
    if (typeof value === "string") longest = Math.max(longest, value.length);
    return typeof value === "bigint" ? String(value) : value;
  });
  return longest;
}

describe("large payloads", () => {
  for (const [liveExecutions, text] of [
    [0, HUGE],
    [1_000, LARGE],
  ] as const) {
    onEveryStore(
      `of ${text.length} letters go through every call, with ${liveExecutions} live executions`,
      async (start) => {
        const offloaded = await startOffloaded(start, new BlobsInMemory(), {
          ...program,
          options: { liveExecutions },
        });
        expect(await runLarge(offloaded, text)).toEqual(resultOf(text));
        expect(await longestStored(offloaded.env.provider)).toBeLessThan(ABOVE);
        const handle = offloaded.client.handle(large, "i");
        expect(await handle.get("entry")).toBe(text.slice(0, 40_000));
        expect(await handle.status()).toMatchObject({
          output: resultOf(text),
          customStatus: text.slice(0, 150_000),
        });
        expect((await offloaded.client.admin.info("i")).output).toBe(JSON.stringify(resultOf(text)));
        const history = [1, 2].map((execution) => offloaded.client.admin.history("i", execution));
        await replay((await Promise.all(history)).flat(), { orchestrations: program.orchestrations });
      },
    );
  }

  onEveryStore("are encrypted before they are blobs", async (start) => {
    const codec = encryptedCodec({ keys: [{ id: "k", key: new Uint8Array(32) }] });
    const store = new BlobsInMemory();
    const offloaded = await startOffloaded(start, store, {
      ...program,
      options: { codec, liveExecutions: 0 },
    });
    expect(await runLarge(offloaded, LARGE)).toEqual(resultOf(LARGE));
    for (const blob of store.blobs.values())
      expect(Buffer.from(blob).toString()).toMatch(/^duroxide-enc1\.k\./);
  });
});

describe("a text that looks like a reference", () => {
  onEveryStore("comes back as it is (with-offload.WO2)", async (start) => {
    const store = new BlobsInMemory();
    const { env, client } = await startOffloaded(start, store, {
      ...program,
      options: { codec: rawCodec },
    });
    const text = "duroxide-blob1.no reference";
    expect(await env.finish(await client.start(child, { instanceId: "i", input: text }))).toBe(text);
    expect(store.blobs.size).toBe(1);
  });
});

// offloaded-fetches.OF1
// offloaded-fetches.OF1
// blobs.B2
describe("a blob that is missing", () => {
  const waits = orchestration("waits", async (ctx, text: string) => {
    await ctx.waitForEvent(go);
    return (await ctx.scheduleActivity(echo, text)).length;
  });
  const options = {
    orchestrations: [waits],
    activities: [echo],
    options: { liveExecutions: 0 },
  };

  onEveryStore("blocks its instance, which goes on when the blob is there", async (start) => {
    const store = new BlobsInMemory();
    const { env, client, log } = await startOffloaded(start, store, options);
    const handle = await client.start(waits, { instanceId: "i", input: LARGE });
    await env.advance(1_000);
    const kept = new Map(store.blobs);
    store.blobs.clear();
    await handle.raise(go, "on");
    await env.advance(900_000);
    expect(await handle.status()).toMatchObject({
      status: "Running",
      blocked: [{ reason: "store", detail: expect.stringContaining("the blob store has no blob") }],
    });
    expect(log.entries).toContainEqual({
      level: "warn",
      message: expect.stringContaining("blocked: a payload cannot be read"),
      fields: expect.objectContaining({ event: "payload_not_read", instance_id: "i" }),
    });
    for (const [key, blob] of kept) store.blobs.set(key, blob);
    expect(await env.finish(handle)).toBe(LARGE.length);
  });

  onEveryStore("blocks its activity, and no other work", async (start) => {
    const store = new BlobsInMemory();
    const { env, client } = await startOffloaded(start, store, {
      ...options,
      options: { liveExecutions: 1_000, workerConcurrency: 0 },
    });
    const handle = await client.start(waits, { instanceId: "i", input: LARGE });
    const other = await client.start(waits, { instanceId: "other", input: "small" });
    await env.advance(1_000);
    for (const it of [handle, other]) await it.raise(go, "on");
    await env.advance(1_000);
    const kept = new Map(store.blobs);
    store.blobs.clear();
    await env.restart({
      options: {
        workerConcurrency: 2,
        provider: withOffload(env.provider, { store, aboveBytes: ABOVE, clock: env.clock, logger: env.log }),
      },
    });
    expect(await env.finish(other)).toBe(5);
    await env.advance(900_000);
    expect((await client.handle(waits, "i").status()) as object).toMatchObject({
      blocked: expect.arrayContaining([
        expect.objectContaining({ reason: "store", activity: expect.objectContaining({ name: "echo" }) }),
      ]),
    });
    for (const [key, blob] of kept) store.blobs.set(key, blob);
    expect(await env.finish(client.handle(waits, "i"))).toBe(LARGE.length);
  });

  onEveryStore("or has another content is an error at the client that names it", async (start) => {
    const store = new BlobsInMemory();
    const { env, client } = await startOffloaded(start, store);
    const handle = await client.start(child, { instanceId: "i", input: LARGE });
    await env.finish(handle);
    const [key = ""] = store.blobs.keys();
    store.blobs.set(key, Buffer.from("other"));
    await expect(handle.result()).rejects.toMatchObject({
      code: "corrupt-data",
      message: expect.stringContaining(`blob ${key} has another content`),
    });
    store.blobs.clear();
    await expect(handle.result()).rejects.toMatchObject({
      code: "corrupt-data",
      message: expect.stringContaining(`has no blob ${key}`),
    });
  });
});

// blobs.B1
describe("a blob store that is out of reach", () => {
  onEveryStore("refuses the client, and loses and repeats nothing", async (start) => {
    let runs = 0;
    const makes = activity("makes", async () => {
      runs += 1;
      store.outage = new Error("connection refused");
      return LARGE;
    });
    const job = orchestration("job", async (ctx, text: string) => {
      const made = await ctx.scheduleActivity(makes);
      return made.length + text.length;
    });
    const store = new BlobsInMemory();
    const { env, client } = await startOffloaded(start, store, {
      orchestrations: [job],
      activities: [makes],
    });
    const handle = await client.start(job, { instanceId: "i", input: LARGE });
    await env.advance(10_000);
    await expect(client.start(job, { instanceId: "j", input: LARGE })).rejects.toMatchObject({
      code: "unavailable",
      retryable: true,
      message: expect.stringContaining("connection refused"),
    });
    store.outage = undefined;
    expect(await env.finish(handle)).toBe(2 * LARGE.length);
    expect(runs).toBe(1);
  });
});

describe("an instance that is retried", () => {
  onEveryStore("keeps its large payloads outside the store", async (start) => {
    let isDown = true;
    const pays = activity("pays", async (_ctx, text: string) => {
      if (isDown) throw new Error("the bank is down");
      return text;
    });
    const buys = orchestration("buys", async (ctx, text: string) => {
      ctx.kv.set("entry", text.slice(0, 40_000));
      await ctx.scheduleActivity(echo, `first ${text}`);
      return ctx.scheduleActivity(pays, text);
    });
    const offloaded = await startOffloaded(start, new BlobsInMemory(), {
      orchestrations: [buys],
      activities: [echo, pays],
    });
    const { env, client } = offloaded;
    const handle = await client.start(buys, { instanceId: "i", input: LARGE });
    expect((await env.failure(handle)).message).toContain("the bank is down");
    isDown = false;
    await client.admin.retry("i", { by: "Ada", reason: "the bank is up" });

    expect(await env.finish(handle)).toBe(LARGE);
    expect(await longestStored(env.provider)).toBeLessThan(ABOVE);
  });
});

describe("files as blobs", () => {
  it("serve two runtimes on one SQLite file, and equal payloads are one file", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "duroxide-ts-blobs-"));
    try {
      const blobs = path.join(folder, "blobs");
      const connect = async (): Promise<SqliteProvider> =>
        withOffload(await SqliteProvider.open(path.join(folder, "store.db")), {
          store: fileBlobStore(blobs),
          aboveBytes: ABOVE,
        });
      await using first = await connect();
      await using second = await connect();
      const same = orchestration("same", async (ctx, text: string) => {
        const texts = await ctx.all([ctx.scheduleActivity(echo, text), ctx.scheduleActivity(echo, text)]);
        return texts.every((it) => it === text);
      });
      await using _a = await Runtime.start({ provider: first, orchestrations: [same], ...LIMITS });
      await using _b = await Runtime.start({ provider: second, activities: [echo], ...LIMITS });
      const client = new Client(first, LIMITS);
      const handle = await client.start(same, { instanceId: "i", input: LARGE });
      expect(await handle.result()).toBe(true);
      const files = (await readdir(blobs, { recursive: true })).filter((file) => /[0-9a-f]{64}/.test(file));
      expect(files).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("a large message that does not fit its wait", () => {
  onEveryStore("is judged and delivered again with what it has outside the store", async (start) => {
    const letters = queue("letters", { schema: z.object({ text: z.string() }) });
    const reads = orchestration("reads", async (ctx) => (await ctx.dequeue(letters)).text.length);
    const { env, client } = await startOffloaded(start, new BlobsInMemory(), { orchestrations: [reads] });
    const handle = await client.start(reads, { instanceId: "i" });
    await handle.enqueue("letters", { texts: LARGE });
    await env.advance(1_000);
    const { setAside } = await client.admin.timeline("i");
    expect(setAside).toMatchObject([{ data: JSON.stringify({ texts: LARGE }) }]);
    const [{ id: eventId } = { id: 0 }] = setAside;
    await client.admin.redeliver("i", { eventId });
    await env.advance(1_000);
    expect((await client.admin.timeline("i")).setAside).toHaveLength(2);
    await client.admin.redeliver("i", { eventId, message: { text: LARGE }, again: true });

    expect(await env.finish(handle)).toBe(LARGE.length);
  });
});
