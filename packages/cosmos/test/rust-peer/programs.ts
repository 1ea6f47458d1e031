/**
 * The orchestrations and activities that Rust has too, in `src/programs.rs`, step by step the same: what one side
 * began, the other one replays.
 */
import {
  type AnyActivity,
  type AnyOrchestration,
  activity,
  event,
  key,
  orchestration,
  queue,
} from "@duroxide-ts/core";

const STEPS = 5;
const CHILDREN = 3;
const LAST_ROUND = 3;
const RACES = 10;

export const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}, from TypeScript`);
const add = activity("add", async (_ctx, [a, b]: readonly [number, number]) => a + b);

export const activities: readonly AnyActivity[] = [greet, add];

/** Only we know it. Its activity is for the side that serves the tag. */
export const weAsk = orchestration("weAsk", async (ctx, tag: string) =>
  ctx.scheduleActivity(greet, ctx.instanceId, { tag }),
);

/** Only we know it. Its step has the name of an activity of Rust, which has no other handler. */
export const inPlace = orchestration("inPlace", async (ctx, name: string) => [
  await ctx.scheduleActivity(greet, name),
  await ctx.run("greet", () => `Hello, ${name}, in place`),
]);

/** `pass` is called between the two steps, by every turn that comes by. */
export const relayThat = (pass: () => void) =>
  orchestration("relay", async (ctx, name: string) => {
    const first = await ctx.scheduleActivity(greet, name);
    pass();
    return [first, await ctx.scheduleActivity(greet, name)];
  });

export const relay = relayThat(() => {});

export const go = event<number>("go");
export const letters = queue<number>("letters");
export const asked = key<number>("asked");

/** Shows what it does, and goes on as messages say. */
export const conversation = orchestration("conversation", async (ctx, number: number) => {
  ctx.kv.set(asked, number);
  const wait = ctx.waitForEvent(go);
  ctx.setCustomStatus("waiting");
  const told = await wait;
  await ctx.scheduleTimer({ ms: 50 });
  const letter = await ctx.dequeue(letters);
  ctx.setCustomStatus("done");
  return ctx.scheduleActivity(add, [told, letter] as const);
});

const hello = orchestration("hello", async (ctx, name: string) => ctx.scheduleActivity(greet, name));

const sequence = orchestration("sequence", async (ctx, from: number) => {
  let sum = from;
  for (let step = 1; step <= STEPS; step++) sum = await ctx.scheduleActivity(add, [sum, step] as const);
  return sum;
});

const fanOut = orchestration("fanOut", async (ctx, width: number) => {
  const parts = Array.from({ length: width }, (_, index) => ctx.scheduleActivity(add, [index, 1] as const));
  return (await ctx.all(parts)).reduce((sum, part) => sum + part, 0);
});

const timer = orchestration("timer", async (ctx, ms: number) => {
  await ctx.scheduleTimer({ ms });
  return ctx.scheduleActivity(add, [ms, 1] as const);
});

const parent = orchestration("parent", async (ctx, from: number) => {
  const numbers = Array.from({ length: CHILDREN }, (_, index) => from + index);
  return ctx.all(numbers.map((number) => ctx.scheduleSubOrchestration(sequence, number)));
});

const total = key<number>("total");

const eternal = orchestration("eternal", async (ctx, round: number): Promise<number> => {
  const sum = await ctx.scheduleActivity(add, [ctx.kv.get(total) ?? 0, round] as const);
  ctx.kv.set(total, sum);
  if (round < LAST_ROUND) return ctx.continueAsNew(eternal, round + 1);
  return sum;
});

/** Short timers against a letter, in one execution after the other. */
export const racing = orchestration("racing", async (ctx, round: number): Promise<number> => {
  for (let race = 0; race < RACES; race++) {
    const first = await ctx.race([ctx.dequeue(letters), ctx.scheduleTimer({ ms: 10 })]);
    if (first.index === 0) return first.value;
  }
  return ctx.continueAsNew(racing, round + 1);
});

/** A session belongs to one worker. */
export const session = orchestration("session", async (ctx, name: string) => {
  const greetings: string[] = [];
  for (let step = 1; step <= STEPS; step++) {
    greetings.push(await ctx.scheduleActivity(greet, name, { session: ctx.instanceId }));
  }
  return greetings;
});

export const orchestrations: readonly AnyOrchestration[] = [
  relay,
  conversation,
  session,
  hello,
  sequence,
  fanOut,
  timer,
  parent,
  eternal,
  racing,
];

/** A sum of 1 to STEPS on top. */
const afterSequence = (from: number): number => from + (STEPS * (STEPS + 1)) / 2;

const greetingsOf = (name: string): readonly string[] => [
  `Hello, ${name}, from Rust`,
  `Hello, ${name}, from TypeScript`,
];

export interface MixedProgram {
  readonly name: string;
  readonly input: (number: number) => unknown;
  /** Outputs with which it may end; each is right. */
  readonly results: (number: number) => readonly unknown[];
}

export const MIXED_PROGRAMS: readonly MixedProgram[] = [
  {
    name: "hello",
    input: (number) => `n${number}`,
    results: (number) => greetingsOf(`n${number}`),
  },
  { name: "sequence", input: (number) => number, results: (number) => [afterSequence(number)] },
  { name: "fanOut", input: () => 10, results: () => [55] },
  { name: "timer", input: (number) => 50 + number, results: (number) => [51 + number] },
  {
    name: "parent",
    input: (number) => number,
    results: (number) => [Array.from({ length: CHILDREN }, (_, index) => afterSequence(number + index))],
  },
  { name: "eternal", input: () => 1, results: () => [6] },
];
