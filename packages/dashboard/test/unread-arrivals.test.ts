/** Events and queue messages that an instance has not received, as the state of the instance shows them. */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StateView } from "../src/page/shapes/instance.ts";
import { asking } from "./support/asking.ts";

const waiting = orchestration("waiting", async (ctx) => {
  await ctx.waitForEvent("go");
});

const MANY = 120;

let provider: MemoryProvider;
let client: Client;
let runtime: Runtime;
beforeEach(async () => {
  provider = new MemoryProvider();
  client = new Client(provider);
  runtime = await Runtime.start({
    provider,
    orchestrations: [waiting],
    activities: [],
    logger: silentLogger,
  });
  await client.start(waiting, { instanceId: "a" });
});
afterEach(() => runtime.shutdown());

async function unreadCount(count: number): Promise<void> {
  await vi.waitFor(async () => expect((await client.admin.timeline("a")).unread).toHaveLength(count));
}

async function read<T>(path: string, redact?: (path: string, value: unknown) => unknown): Promise<T> {
  const response = await asking({ provider, ...(redact && { redact }) }).get(path);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

describe("what an instance has not received", () => {
  it("is listed with the name, the redacted payload and the size of that", async () => {
    await client.handle("waiting", "a").enqueue("lines", { sku: "A-1", card: "4242" });
    await unreadCount(1);
    const { unread, unreadCount: count } = await read<StateView>("state?id=a", (path, value) =>
      path === "queue.lines.card" ? "•••" : value,
    );
    const [message] = unread;
    expect(count).toBe(1);
    const storedBytes = Buffer.byteLength('{"sku":"A-1","card":"•••"}');
    expect(message).toMatchObject({ kind: "queue", name: "lines", storedBytes });
    expect(JSON.parse(message?.payload.text ?? "")).toEqual({ sku: "A-1", card: "•••" });
  });

  it("is listed up to a hundred, oldest first, with the number of all", async () => {
    const handle = client.handle("waiting", "a");
    for (let n = 0; n < MANY; n++) await handle.enqueue("lines", n);
    await unreadCount(MANY);
    const { unread, unreadCount: count } = await read<StateView>("state?id=a");
    expect(count).toBe(MANY);
    expect(unread.map(({ payload }) => payload.text)).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
  });

  it("is cut where it is large, and loaded whole on request", async () => {
    const text = "x".repeat(100_000);
    await client.handle("waiting", "a").enqueue("lines", { text });
    await unreadCount(1);
    const [message] = (await read<StateView>("state?id=a")).unread;
    expect(message?.payload.isCut).toBe(true);
    const whole = await read<{ readonly text: string }>(message?.payload.load ?? "");
    expect(JSON.parse(whole.text)).toEqual({ text });
  });
});
