/**
 * A program that writes to a stream, killed before a statement of its transactions, or after a commit: another process
 * takes the rest over, and the stream has every value once, in its order, from any offset on.
 */
import { Client, orchestration, type StreamItem } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { SqliteProvider } from "../src/index.ts";
import { killsOf } from "./support/killed-verb.ts";
import { runProgram } from "./support/run-program.ts";

const program = orchestration("program", async (ctx, round: number): Promise<unknown> => {
  ctx.stream("talk").write(`begin ${round}`);
  await ctx.run(
    "say",
    async (step) => {
      for (const word of ["a", "b"]) {
        await step.stream("talk").write(`${word} ${round}`);
        await step.stream("talk").flush();
        step.progress({ message: word });
      }
    },
    { retry: { maxAttempts: 2 } },
  );
  ctx.stream("talk").write(`end ${round}`);
  if (round === 1) return ctx.continueAsNew(program, 2);
  ctx.stream("talk").close();
  return "done";
});

const run = (provider: SqliteProvider, clock: VirtualClock): Promise<string> =>
  runProgram(provider, clock, program, 1);

const EXPECTED = [1, 2].flatMap((round) => ["begin", "a", "b", "end"].map((word) => `${word} ${round}`));

async function itemsOf(
  provider: SqliteProvider,
  clock: VirtualClock,
  options: { readonly from?: number; readonly all?: boolean } = {},
): Promise<readonly StreamItem<string>[]> {
  const handle = new Client(provider, { clock }).handle(program, "i");
  const items: StreamItem<string>[] = [];
  try {
    for await (const item of handle.stream<string>("talk", { ...options, wait: false })) items.push(item);
  } catch (error) {
    if ((error as { code?: string }).code !== "not-found") throw error;
  }
  return items;
}

const textsIn = (items: readonly StreamItem<string>[]): readonly unknown[] =>
  items.flatMap(({ value }) => (value === undefined ? [] : [value]));

it("a stream that is killed at any statement has each value once and in order, from any offset on", async () => {
  const clock = new VirtualClock();
  await using kills = await killsOf(
    clock,
    async () => {},
    (provider) => run(provider, clock),
  );
  expect(kills.commits).toBeGreaterThanOrEqual(8);
  for (const { path, before, commits } of kills.left) {
    const where = `${commits} commits, before ${before}`;
    await using provider = await SqliteProvider.open(path, { clock });
    const stored = await itemsOf(provider, clock, { all: true });
    expect(await run(provider, clock), where).toBe("done");
    const all = await itemsOf(provider, clock, { all: true });
    expect(all.slice(0, stored.length), `what was stored, ${where}`).toEqual(stored);
    const offsets = all.flatMap(({ offset }) => (offset === undefined ? [] : [offset]));
    expect(offsets, where).toEqual(offsets.map((_, index) => index));
    const items = await itemsOf(provider, clock);
    expect(textsIn(items), where).toEqual(EXPECTED);
    for (const from of offsets) {
      const rest = items.filter(({ offset = -1 }) => offset >= from);
      expect(textsIn(await itemsOf(provider, clock, { from })), `from ${from}, ${where}`).toEqual(
        textsIn(rest),
      );
    }
  }
});
