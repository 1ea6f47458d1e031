/**
 * A test that runs twice: with executions kept in memory between turns, and replayed from history at every turn.
 * Nobody may be able to tell the difference, so the stored histories must be the same, event for event.
 */
import { expect, it } from "vitest";
import { type Environment, type EnvironmentOptions, startEnvironment } from "./environment.ts";

/** Starts the environment of the running mode. */
export type Start = (options: EnvironmentOptions) => Promise<Environment>;

const MODES = { "kept in memory": 1_000, "replayed at every turn": 0 };

export function scenario(statement: string, body: (start: Start) => Promise<void>): void {
  it(statement, { timeout: 30_000 }, async () => {
    const [kept, replayed] = [await run("kept in memory", body), await run("replayed at every turn", body)];
    expect(replayed, "the histories of the two modes").toEqual(kept);
  });
}

async function run(
  mode: keyof typeof MODES,
  body: (start: Start) => Promise<void>,
): Promise<readonly unknown[]> {
  const started: Environment[] = [];
  const start: Start = async (options) => {
    const environment = await startEnvironment({
      ...options,
      options: { ...options.options, liveExecutions: MODES[mode] },
    });
    started.push(environment);
    return environment;
  };
  try {
    await body(start);
    return await Promise.all(started.map((environment) => environment.allHistories()));
  } catch (error) {
    if (error instanceof Error) error.message = `[${mode}] ${error.message}`;
    throw error;
  } finally {
    for (const environment of started) await environment[Symbol.asyncDispose]();
  }
}
