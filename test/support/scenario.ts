/**
 * Tests of whole programs: on which stores they run, and in which modes. Executions that are kept in memory between
 * turns and such as are replayed from history at every turn are to be the same for everybody, so the histories that
 * both modes store are compared, event for event.
 */
import { expect, it } from "vitest";
import {
  type Environment,
  type EnvironmentOptions,
  NeedsVirtualTime,
  startEnvironment,
} from "./environment.ts";
import { cosmos } from "./stores/cosmos.ts";
import { sqlite } from "./stores/sqlite.ts";
import type { StoreKind } from "./stores/store.ts";

/** Starts the environment of the running mode, on the running store. */
export type Start = (options: EnvironmentOptions) => Promise<Environment>;

type Body = (start: Start) => Promise<void>;

const MODES = { "kept in memory": 1_000, "replayed at every turn": 0 };

/** In both modes on SQLite, and in the first one on Cosmos DB. */
export function scenario(statement: string, body: Body): void {
  engineScenario(statement, body);
  onCosmos(statement, body);
}

/** In both modes, on one store: for what no store can change. */
export function engineScenario(statement: string, body: Body): void {
  it(statement, async () => {
    const kept = await run(sqlite, "kept in memory", body);
    const replayed = await run(sqlite, "replayed at every turn", body);
    expect(replayed, "the histories of the two modes").toEqual(kept);
  });
}

/** In the mode that the test itself chooses, on every store. */
export function onEveryStore(statement: string, body: Body): void {
  it(statement, async () => {
    await run(sqlite, "kept in memory", body);
  });
  onCosmos(statement, body);
}

/** How answers meet there differs from run to run, and with it the order of events: there is nothing to compare. */
function onCosmos(statement: string, body: Body): void {
  it(`${statement}, on ${cosmos.name}`, async ({ skip }) => {
    await run(cosmos, "kept in memory", body).catch((error: unknown) => {
      if (!(error instanceof NeedsVirtualTime)) throw error;
      // The reporter has no room for reasons.
      process.stdout.write(`skipped: "${statement}, on ${cosmos.name}": ${error.message}\n`);
      skip(error.message);
    });
  });
}

/** Resolves to the histories of all environments that the body started. */
async function run(store: StoreKind, mode: keyof typeof MODES, body: Body): Promise<readonly unknown[]> {
  const started: Environment[] = [];
  const start: Start = async (options) => {
    const environment = await startEnvironment({
      store,
      ...options,
      options: { liveExecutions: MODES[mode], ...options.options },
    });
    started.push(environment);
    return environment;
  };
  try {
    await body(start);
    return await Promise.all(started.map((environment) => environment.allHistories()));
  } catch (error) {
    if (error instanceof Error && !(error instanceof NeedsVirtualTime))
      error.message = `[${mode}] ${error.message}`;
    throw error;
  } finally {
    for (const environment of started) await environment[Symbol.asyncDispose]();
  }
}
