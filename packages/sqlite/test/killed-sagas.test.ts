/**
 * A saga of five steps whose process is killed before a statement of its transactions, or after a commit: each step that is
 * recorded as done is undone once, with its recorded outcome, the last one first.
 */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import {
  expectUndone,
  outcomesOf,
  REASON,
  SAGA_STEPS,
  undoneSaga,
} from "../../../test/support/undone-saga.ts";
import { SqliteProvider } from "../src/index.ts";
import { killsOf } from "./support/killed-verb.ts";
import { runProgram } from "./support/run-program.ts";

let runs = 0;

const program = undoneSaga(() => `run ${++runs}`);

const run = (provider: SqliteProvider, clock: VirtualClock): Promise<string> =>
  runProgram(provider, clock, program).then(
    () => "completed",
    (error: Error) => error.message,
  );

async function outcomesIn(provider: SqliteProvider): Promise<ReturnType<typeof outcomesOf>> {
  return outcomesOf(await provider.readHistory("i"));
}

it("a saga that is killed at any statement undoes each recorded outcome once, the last one first", async () => {
  const clock = new VirtualClock();
  await using kills = await killsOf(
    clock,
    async () => {},
    (provider) => run(provider, clock),
  );
  expect(kills.commits).toBeGreaterThanOrEqual(2 * SAGA_STEPS.length);
  for (const { path, before, commits } of kills.left) {
    const where = `${commits} commits, before ${before}`;
    await using provider = await SqliteProvider.open(path, { clock });
    const recorded = await outcomesIn(provider);
    expect(await run(provider, clock), where).toBe(REASON);
    expectUndone(await outcomesIn(provider), recorded, where);
  }
});
