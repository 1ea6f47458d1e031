/** docs/guide/12-payloads.md */
import { deepEqual, equal, match, throws } from "node:assert/strict";
import {
  activity,
  event,
  InvalidInputError,
  jsonCodec,
  orchestration,
  type PayloadCodec,
  rustTypedCodec,
  type StandardSchema,
} from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const echo = activity("echo", async (_ctx, value: unknown) => value);

// #region json
const copies = orchestration("copies", async (ctx, day: string) => {
  const date = await ctx.scheduleActivity(echo, new Date(day)); // arrives as an ISO text
  const none = await ctx.scheduleActivity(echo, undefined); // arrives as null
  let refused = "";
  try {
    await ctx.scheduleActivity(echo, { tags: new Set(["a"]) });
  } catch (error) {
    refused = (error as Error).message; // names the place; nothing was recorded
  }
  return { date, none, refused };
});
// #endregion

await onStage({ activities: [echo], orchestrations: [copies] }, async (stage) => {
  const result = await stage.finish(await stage.client.start(copies, { input: "2026-01-02" }));
  equal(result.date, "2026-01-02T00:00:00.000Z");
  equal(result.none, null);
  match(result.refused, /^input of activity "echo": tags .*array/);
});

/** The smallest validator of its kind; zod, valibot and arktype bring theirs. */
function schemaOf<Parsed>(
  vendor: string,
  parse: (value: unknown) => Parsed,
): StandardSchema<unknown, Parsed> {
  return {
    "~standard": {
      version: 1,
      vendor,
      validate: (value) => {
        try {
          return { value: parse(value) };
        } catch (error) {
          return { issues: [{ message: (error as Error).message }] };
        }
      },
    },
  };
}

interface Order {
  readonly id: string;
  readonly cents: number;
}

const Order = schemaOf("example", (value): Order => {
  const { id, cents } = value as Partial<Order>;
  if (typeof id !== "string") throw new Error("id must be a text");
  return { id, cents: Number(cents) };
});
const Yes = schemaOf("example", (value): boolean => {
  if (typeof value !== "boolean") throw new Error("must be true or false");
  return value;
});

// #region schema
const price = activity("price", { input: Order }, async (_ctx, order) => order.cents + 1); // order: Order
const approved = event("approved", { schema: Yes }); // EventDefinition<boolean>

const buy = orchestration("buy", { input: Order }, async (ctx, order) => {
  const cents = await ctx.scheduleActivity(price, order);
  return (await ctx.waitForEvent(approved)) ? cents : 0;
});
// #endregion

await onStage({ activities: [price], orchestrations: [buy] }, async (stage) => {
  const { client } = stage;
  const refused = await client.start(buy, { input: { cents: 1 } }).catch((error: Error) => error);
  equal(refused instanceof InvalidInputError, true);
  const good = await client.start(buy, { input: { id: "o", cents: "41" } });
  await stage.settle();
  await good.raise(approved, true);
  equal(await stage.finish(good), 42);
});

// #region codec
const withBigints: PayloadCodec = {
  name: "json-with-bigints",
  encode: (value) =>
    JSON.stringify(value, (_key, it) => (typeof it === "bigint" ? { $bigint: it.toString() } : it)) ?? "null",
  decode: (text) => JSON.parse(text, (_key, it) => (it?.$bigint === undefined ? it : BigInt(it.$bigint))),
};
// #endregion

const Big = schemaOf("example", (value): bigint => {
  if (typeof value !== "bigint") throw new Error("must be a bigint");
  return value;
});

// #region result
const next = activity("next", { result: Big }, async (_ctx, n: bigint) => n + 1n);
const counts = orchestration("counts", { result: Big }, async (ctx, n: bigint) =>
  ctx.scheduleActivity(next, n),
);
// #endregion
await onStage({ activities: [next], orchestrations: [counts], codec: withBigints }, async (stage) => {
  equal(await stage.finish(await stage.client.start(counts, { input: 2n ** 70n })), 2n ** 70n + 1n);
});

// #region result-date
const DateOfText = schemaOf("example", (value) => new Date(String(value)));
const due = activity("due", { result: DateOfText }, async (_ctx, day: string) => new Date(day));
const raw = activity("raw", async (_ctx, day: string) => new Date(day));

const plans = orchestration("plans", async (ctx, day: string) => {
  const date = await ctx.scheduleActivity(due, day); // Date, made of the text in the history
  const text = await ctx.scheduleActivity(raw, day); // string: what JSON makes of a Date
  return `${date.getUTCFullYear()} ${text.length}`;
});
// #endregion

await onStage({ activities: [due, raw], orchestrations: [plans] }, async (stage) => {
  equal(await stage.finish(await stage.client.start(plans, { input: "2026-01-02" })), "2026 24");
});

// #region rust
const caption = orchestration("caption", async (ctx, film: string) => {
  const lines = await ctx.scheduleActivity("transcribe", film, { tag: "rust" }); // unknown: lives elsewhere
  if (!Array.isArray(lines)) throw new Error("transcribe gave no list");
  return lines.length;
});
// #endregion

const transcribe = activity("transcribe", async (_ctx, film: string) => [film, "the end"]);
await onStage(
  { activities: [transcribe], orchestrations: [caption], workerTagFilter: { kind: "tags", tags: ["rust"] } },
  async (stage) => {
    equal(await stage.finish(await stage.client.start(caption, { input: "film" })), 2);
  },
);

// #region stored
const stored = [jsonCodec, rustTypedCodec].map((codec) => [codec.encode("5"), codec.encode({ b: 1, a: 2 })]);
// JSON:       '"5"' and '{"b":1,"a":2}'
// Rust typed: '5'   and '{"a":2,"b":1}'
// #endregion
deepEqual(stored, [
  ['"5"', '{"b":1,"a":2}'],
  ["5", '{"a":2,"b":1}'],
]);
throws(() => jsonCodec.encode({ prices: [1, Number.NaN] }), /^PayloadError: prices\[1\]/);
