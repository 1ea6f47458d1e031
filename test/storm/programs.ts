/** Real orchestrations that a storm passes over, each of its own kind, with the result that it must have. */
import {
  type AnyActivity,
  type AnyOrchestration,
  activity,
  event,
  key,
  orchestration,
  queue,
} from "@duroxide-ts/core";

const add = activity("add", async (_ctx, [a, b]: readonly [number, number]) => a + b);

const STEPS = 5;

const sequence = orchestration("sequence", async (ctx, from: number) => {
  let sum = from;
  for (let step = 1; step <= STEPS; step++) sum = await ctx.scheduleActivity(add, [sum, step] as const);
  return sum;
});

/** The same with its code in place. */
const inPlace = orchestration("inPlace", async (ctx, from: number) => {
  let sum = from;
  for (let step = 1; step <= STEPS; step++) {
    const before = sum;
    sum = await ctx.run("add", () => before + step);
  }
  return sum;
});

const fanOut = orchestration("fanOut", async (ctx, width: number) => {
  const parts = Array.from({ length: width }, (_, index) => ctx.scheduleActivity(add, [index, 1] as const));
  return (await ctx.all(parts)).reduce((sum, part) => sum + part, 0);
});

const CHILDREN = 3;

const parent = orchestration("parent", async (ctx, from: number) => {
  const numbers = Array.from({ length: CHILDREN }, (_, index) => from + index);
  return ctx.all(numbers.map((number) => ctx.scheduleSubOrchestration(sequence, number)));
});

const timers = orchestration("timers", async (ctx, ms: number) => {
  for (let timer = 0; timer < 3; timer++) await ctx.scheduleTimer({ ms });
  return ctx.scheduleActivity(add, [ms, 0] as const);
});

export const letters = queue<number | "end">("letters");

const mailbox = orchestration("mailbox", async (ctx) => {
  const received: number[] = [];
  for (;;) {
    const letter = await ctx.dequeue(letters);
    if (letter === "end") return received;
    received.push(letter);
  }
});

export const go = event<number>("go");

const signal = orchestration("signal", async (ctx) => {
  const wait = ctx.waitForEvent(go);
  ctx.setCustomStatus("waiting");
  return ctx.scheduleActivity(add, [await wait, 1] as const);
});

const LAST_ROUND = 3;
const total = key<number>("total");

const eternal = orchestration("eternal", async (ctx, round: number): Promise<number> => {
  ctx.kv.set(total, await ctx.scheduleActivity(add, [ctx.kv.get(total) ?? 0, round] as const));
  if (round < LAST_ROUND) return ctx.continueAsNew(eternal, round + 1);
  return ctx.kv.get(total) ?? 0;
});

const lengthOf = activity("lengthOf", async (_ctx, text: string) => text.length);

/** The inputs, which a commit stores once, are 2.4 MB together: more than one batch, in several pieces. */
const LARGE_WIDTH = 40;
const LARGE_BYTES = 60_000;

const large = orchestration("large", async (ctx, bytes: number) => {
  const texts = Array.from({ length: LARGE_WIDTH }, () => "x".repeat(bytes));
  const lengths = await ctx.all(texts.map((text) => ctx.scheduleActivity(lengthOf, text)));
  return lengths.reduce((sum, length) => sum + length, 0);
});

export const activities: readonly AnyActivity[] = [add, lengthOf];

export const orchestrations: readonly AnyOrchestration[] = [
  sequence,
  inPlace,
  fanOut,
  parent,
  timers,
  mailbox,
  signal,
  eternal,
  large,
];

export interface Program {
  readonly name: string;
  /** Input of the `number`th instance. */
  readonly input: (number: number) => number | undefined;
  readonly result: (number: number) => unknown;
  /** Messages that the lane has to send to the instance. */
  readonly needs?: "letters" | "go";
}

export const LETTERS = [1, 2, 3];

/** A sum of 1 to STEPS on top. */
const afterSequence = (from: number): number => from + (STEPS * (STEPS + 1)) / 2;

/** More than a batch holds: each activity is an event and a row. */
const WIDE = 70;

const widthOf = (number: number): number => (number % 3 === 0 ? WIDE : 10);

export const PROGRAMS: readonly Program[] = [
  { name: "sequence", input: (number) => number, result: afterSequence },
  { name: "inPlace", input: (number) => number, result: afterSequence },
  { name: "fanOut", input: widthOf, result: (number) => (widthOf(number) * (widthOf(number) + 1)) / 2 },
  {
    name: "parent",
    input: (number) => number,
    result: (number) => Array.from({ length: CHILDREN }, (_, index) => afterSequence(number + index)),
  },
  { name: "timers", input: (number) => 50 + (number % 100), result: (number) => 50 + (number % 100) },
  { name: "mailbox", input: () => undefined, result: () => LETTERS, needs: "letters" },
  { name: "signal", input: () => undefined, result: (number) => number + 1, needs: "go" },
  { name: "eternal", input: () => 1, result: () => 6 },
];

/** Programs for a store whose throughput matters: a turn of one takes several seconds of it. */
export const WITH_LARGE_TURNS: readonly Program[] = [
  ...PROGRAMS,
  { name: "large", input: () => LARGE_BYTES, result: () => LARGE_WIDTH * LARGE_BYTES },
];
