/** Streams and progress of an instance on its page. */
import { activity, Client, orchestration, Runtime, silentLogger, stream } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { StreamsView } from "../src/page/shapes/streams.ts";
import { asking } from "./support/asking.ts";

const tokens = stream<string>("tokens");
const numbers = stream<{ readonly n: number }>("numbers");
const speak = activity("speak", async (ctx) => {
  await ctx.stream(tokens).write("hello");
  if (ctx.idempotencyKey === ctx.callKey) throw new Error("once");
  await ctx.stream(tokens).write("world");
  ctx.progress({ done: 1, of: 2, card: "4111" });
});
const talks = orchestration("talks", async (ctx) => {
  for (let n = 0; n < 300; n++) ctx.stream(numbers).write({ n });
  await ctx.scheduleActivity(speak, undefined, { retry: { maxAttempts: 2, backoff: { kind: "none" } } });
});

let provider: MemoryProvider;
let runtime: Runtime;
beforeEach(async () => {
  provider = new MemoryProvider();
  runtime = await Runtime.start({
    provider,
    orchestrations: [talks],
    activities: [speak],
    logger: silentLogger,
  });
  const client = new Client(provider, { logger: silentLogger });
  await (await client.start(talks, { instanceId: "a" })).result();
});
afterEach(() => runtime.shutdown());

async function read(query: string, redact?: (path: string, value: unknown) => unknown): Promise<StreamsView> {
  const response = await asking({ provider, ...(redact && { redact }) }).get(`streams?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as StreamsView;
}

it("They are listed with the newest values that count, and with the progress of steps", async () => {
  const view = await read("id=a&stream=tokens");
  expect(view.streams.map(({ stream: name, next }) => [name, next]).toSorted()).toEqual([
    ["numbers", 300],
    ["tokens", 3],
  ]);
  expect(view.values.map(({ value, step, attempt }) => [value.text, step, attempt])).toEqual([
    ['"hello"', "speak", 2],
    ['"world"', "speak", 2],
  ]);
  expect(view.progress).toMatchObject([{ step: "speak", attempt: 2 }]);
  expect(JSON.parse(view.progress[0]?.value.text ?? "")).toEqual({ done: 1, of: 2, card: "4111" });
});

it("Only the newest two hundred values are shown", async () => {
  const { values } = await read("id=a&stream=numbers");
  expect(values.map(({ offset }) => offset)).toEqual(Array.from({ length: 200 }, (_, n) => 100 + n));
});

it("What redact hides is hidden, and an instance without streams has none", async () => {
  const hide = (path: string, value: unknown): unknown =>
    path.startsWith("stream.tokens") || path.endsWith(".card") ? "•••" : value;
  const view = await read("id=a&stream=tokens", hide);
  expect(JSON.stringify(view)).not.toMatch(/hello|4111/);
  expect(view.values).toHaveLength(2);
  expect(await read("id=b")).toMatchObject({ streams: [], values: [], progress: [] });
});
