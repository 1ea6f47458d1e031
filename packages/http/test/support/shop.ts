/** A shop behind the routes: its orchestrations, a store in memory, and a way to send requests. */
import {
  type AnyOrchestration,
  Client,
  event,
  orchestration,
  question,
  queue,
  Runtime,
  silentLogger,
  stream,
} from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import * as z from "zod";
import { eachWith } from "../../../../test/support/each-with.ts";
import { type HttpOptions, http, type User, type WebHandler } from "../../src/index.ts";

export const checkout = orchestration(
  "checkout",
  { input: z.object({ sku: z.string(), count: z.int() }) },
  async (_ctx, order) => `shipped ${order.count} ${order.sku}`,
);

/** Returns the first message of the queue `lines`, and shows that it waits. */
export const collect = orchestration("collect", async (ctx) => {
  ctx.setCustomStatus({ waits: true });
  return ctx.dequeue<unknown>("lines");
});

/** Returns the first `approved`, which is kept. */
export const approval = orchestration("approval", async (ctx) =>
  ctx.waitForEvent(event<unknown>("approved", { keep: true })),
);

/** Returns the first `poke`, which is not kept, and the count of `lines` before it. */
export const poked = orchestration("poked", async (ctx) => ctx.waitForEvent<unknown>("poke"));

/** Counts its lines until the line "end". */
export const count = orchestration("count", async (ctx) => {
  let lines = 0;
  while ((await ctx.dequeue<unknown>("lines")) !== "end") lines += 1;
  return lines;
});

export const failing = orchestration("failing", async () => {
  throw new Error("no such card 4111");
});

export const echo = orchestration("echo", async (_ctx, input: unknown) => ({ input: input ?? "none" }));

export const price = question<{ currency: string }, number>("price");

/** Answers `price` until the message "end". */
export const priced = orchestration("priced", async (ctx) => {
  ctx.answer(price, ({ currency }) => {
    if (currency !== "EUR") throw new Error(`no price in ${currency}`);
    return 42;
  });
  await ctx.dequeue(queue<string>("lines"));
});

/** Writes its lines into the stream `tokens` until the line "end". */
export const talk = orchestration("talk", async (ctx) => {
  for (;;) {
    const line = await ctx.dequeue<unknown>("lines");
    if (line === "end") return "said";
    ctx.stream(stream<unknown>("tokens")).write(line);
  }
});

/** Reports progress, then waits for a line. */
export const reports = orchestration("reports", async (ctx) => {
  await ctx.run("import", (step) => step.progress({ done: 1, of: 2 }));
  await ctx.dequeue("lines");
});

/** Keeps a total, in cents, from its first line on. */
export const keeps = orchestration("keeps", async (ctx) => {
  ctx.kv.set("total", await ctx.dequeue<unknown>("lines"));
  ctx.stream(stream<unknown>("tokens")).write("kept");
  await ctx.dequeue("lines");
});

/** Returns the first `paid` that is a number. */
export const strict = orchestration("strict", async (ctx) =>
  ctx.waitForEvent(event("paid", { keep: true, schema: z.number() })),
);

export const ALL: readonly AnyOrchestration[] = [
  checkout,
  collect,
  approval,
  poked,
  count,
  failing,
  echo,
  priced,
  talk,
  reports,
  keeps,
  strict,
];

export const OPERATOR: User = { user: "ada", role: "operator" };

export interface Shop extends AsyncDisposable {
  readonly provider: MemoryProvider;
  readonly client: Client;
  readonly handler: WebHandler;
  /** Sends a request, with a body as JSON where there is one. */
  readonly send: (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  readonly body: any;
}

/** `works: false` is a store that no process works on. */
export async function openShop(
  options: Partial<HttpOptions> & { readonly works?: boolean } = {},
): Promise<Shop> {
  const { works = true, ...others } = options;
  const provider = new MemoryProvider();
  const client = new Client(provider, { logger: silentLogger });
  const runtime = works
    ? await Runtime.start({ provider, orchestrations: ALL, logger: silentLogger })
    : undefined;
  const handler = http({
    client,
    orchestrations: ALL,
    authorize: () => OPERATOR,
    logger: silentLogger,
    ...others,
  });
  return {
    provider,
    client,
    handler,
    send: async (method, path, body, init = {}) => {
      const headers = new Headers(init.headers);
      if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
      const text = typeof body === "string" ? body : bytesOf(body);
      const request = new Request(`http://shop.example${path}`, {
        method,
        ...init,
        headers,
        ...(body !== undefined && { body: text }),
      });
      const response = await handler(request);
      const answered = await response.text();
      return { status: response.status, headers: response.headers, body: jsonOf(answered) };
    },
    [Symbol.asyncDispose]: async () => {
      await runtime?.shutdown({ graceMs: 0 });
    },
  };
}

/** A test with a shop of its own. */
export const withShop = eachWith(() => openShop());

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
  return new Uint8Array(bytes);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
