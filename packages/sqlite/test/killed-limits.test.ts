/**
 * Limited work whose process is killed before a statement of its transactions, or after a commit: another process takes
 * the rest over, no more than the limit runs at a time, and no permit is left behind.
 */
import { Client, orchestration } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { SqliteProvider } from "../src/index.ts";
import { killsOf } from "./support/killed-verb.ts";
import { runProgram } from "./support/run-program.ts";

let running = 0;
let most = 0;

const program = orchestration("program", async (ctx) => {
  const step = async (): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    return running--;
  };
  await ctx.all([1, 2, 3].map((n) => ctx.run(`step ${n}`, step, { limit: n === 3 ? "k/b" : "k/a" })));
  return "done";
});

const OPTIONS = { limit: "k/a" } as const;

it("limited work that is killed at any statement goes on within its limit, and its permits end", async () => {
  const clock = new VirtualClock();
  await using kills = await killsOf(
    clock,
    async (provider) => {
      await new Client(provider, { clock }).limits.set("k", { concurrency: 2 });
    },
    async (provider) => void (await runProgram(provider, clock, program, undefined, OPTIONS)),
  );
  expect(kills.commits).toBeGreaterThanOrEqual(3);
  for (const { path, before, commits } of kills.left) {
    const where = `${commits} commits, before ${before}`;
    most = 0;
    running = 0;
    await using provider = await SqliteProvider.open(path, { clock });
    expect(await runProgram(provider, clock, program, undefined, OPTIONS), where).toBe("done");
    expect(most, where).toBeLessThanOrEqual(1);
    const { limits } = new Client(provider, { clock });
    expect(await limits.get("k"), where).toMatchObject({ running: 0, waiting: 0 });
  }
});
