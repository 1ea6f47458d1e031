/**
 * A saga of five steps whose process is killed before a statement of its transactions, or after a commit: each step that is
 * recorded as done is undone once, with its recorded outcome, the last one first.
 */
import { type HistoryEvent, orchestration } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { SqliteProvider } from "../src/index.ts";
import { killsOf } from "./support/killed-verb.ts";
import { runProgram } from "./support/run-program.ts";

let runs = 0;

const STEPS = [1, 2, 3, 4, 5] as const;

/** Each run of a step has another outcome; that of an undo is what it got. */
const program = orchestration("program", async (ctx) => {
  const saga = ctx.saga();
  for (const step of STEPS)
    await saga.run(
      `step ${step}`,
      () => `run ${++runs}`,
      (outcome) => outcome,
    );
  throw new Error("after all steps");
});

const run = (provider: SqliteProvider, clock: VirtualClock): Promise<string> =>
  runProgram(provider, clock, program).then(
    () => "completed",
    (error: Error) => error.message,
  );

/** The outcomes by name, in their order; undefined where there is more than one. */
async function outcomesIn(provider: SqliteProvider): Promise<readonly (readonly [string, string])[]> {
  const events: readonly HistoryEvent[] = await provider.readHistory("i").catch(() => []);
  const names = new Map(
    events.flatMap((event) =>
      event.type === "ActivityScheduled" ? [[event.event_id, event.name] as const] : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === "ActivityCompleted"
      ? [[names.get(event.source_event_id ?? 0) ?? "", event.result] as const]
      : [],
  );
}

it("a saga that is killed at any statement undoes each recorded outcome once, the last one first", async () => {
  const clock = new VirtualClock();
  await using kills = await killsOf(
    clock,
    async () => {},
    (provider) => run(provider, clock),
  );
  expect(kills.commits).toBeGreaterThanOrEqual(2 * STEPS.length);
  for (const { path, before, commits } of kills.left) {
    const where = `${commits} commits, before ${before}`;
    await using provider = await SqliteProvider.open(path, { clock });
    const recorded = await outcomesIn(provider);
    expect(await run(provider, clock), where).toBe("after all steps");
    const all = await outcomesIn(provider);
    expect(all.slice(0, recorded.length), where).toEqual(recorded);
    const done = all.slice(0, STEPS.length);
    expect(
      done.map(([name]) => name),
      where,
    ).toEqual(STEPS.map((step) => `step ${step}`));
    const undone = done.map(([name, outcome]) => [`undo ${name}`, outcome]).toReversed();
    expect(all.slice(STEPS.length), where).toEqual(undone);
  }
});
