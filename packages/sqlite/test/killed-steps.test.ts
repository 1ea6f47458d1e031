/**
 * Steps whose process is killed before a statement of its transactions, or after a commit: another process takes the
 * rest over, and each outcome that was recorded is used, once.
 */
import { type HistoryEvent, orchestration } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { SqliteProvider } from "../src/index.ts";
import { killsOf } from "./support/killed-verb.ts";
import { runProgram } from "./support/run-program.ts";

let runs = 0;

/** Each run has another outcome. The second execution captures an entry that the first one has written. */
const program = orchestration(
  "program",
  async (ctx, earlier: readonly string[]): Promise<readonly string[]> => {
    const first = await ctx.run("first", () => `first ${++runs}`, { retry: { maxAttempts: 2 } });
    if (earlier.length === 0) {
      ctx.kv.set("first", first);
      return ctx.continueAsNew(program, [first]);
    }
    const entry = ctx.kv.get<string>("first");
    const both = await ctx.all([
      ctx.run("left", () => `left ${++runs} after ${entry}, ${first}`),
      ctx.run("right", () => `right ${++runs} after ${entry}, ${first}`),
    ]);
    return [...earlier, first, ...both];
  },
);

const run = (provider: SqliteProvider, clock: VirtualClock): Promise<readonly string[]> =>
  runProgram(provider, clock, program, []);

async function outcomesIn(provider: SqliteProvider): Promise<readonly string[]> {
  const executions = await provider.admin.listExecutions("i").catch(() => []);
  const histories = await Promise.all(
    executions.map(({ executionId }) => provider.readHistory("i", executionId)),
  );
  const outcome = (event: HistoryEvent): readonly string[] =>
    event.type === "ActivityCompleted" ? [JSON.parse(event.result) as string] : [];
  return histories.flat().flatMap(outcome);
}

it("a step that is killed at any statement is taken over, and no recorded outcome is lost, repeated or used twice", async () => {
  const clock = new VirtualClock();
  await using kills = await killsOf(
    clock,
    async () => {},
    (provider) => run(provider, clock),
  );
  expect(kills.commits).toBeGreaterThanOrEqual(4);
  for (const { path, before, commits } of kills.left) {
    const where = `${commits} commits, before ${before}`;
    await using provider = await SqliteProvider.open(path, { clock });
    const recorded = await outcomesIn(provider);
    const began = runs;
    const result = await run(provider, clock);
    const all = await outcomesIn(provider);
    expect(result.toSorted(), where).toEqual(all.toSorted());
    expect(all.map((text) => text.split(" ")[0]).toSorted(), where).toEqual([
      "first",
      "first",
      "left",
      "right",
    ]);
    expect(all, where).toEqual(expect.arrayContaining([...recorded]));
    expect(runs - began, `runs after ${where}`).toBe(4 - recorded.length);
    for (const text of result.slice(2)) expect(text, where).toContain(`after ${result[0]}, ${result[1]}`);
  }
});
