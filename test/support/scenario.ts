/**
 * Tests of whole programs: on which stores they run, and in which modes. Executions that are kept in memory between
 * turns and executions that are replayed from history at every turn must not differ, so the histories that both modes
 * store are compared, event for event. What is kept in memory is also committed together with activities
 * (docs/decisions/activities.md); of the scenarios that have such turns a part by the seed, and in the deep run
 * each, runs a third time, with some of them refused.
 */
import { expect, it } from "vitest";
import { isChosen } from "./effort.ts";
import {
  type Environment,
  type EnvironmentOptions,
  NeedsVirtualTime,
  startEnvironment,
} from "./environment.ts";
import { RefusedTurns } from "./refused-turns.ts";
import { cosmos } from "./stores/cosmos.ts";
import { sqlite } from "./stores/sqlite.ts";
import type { StoreKind } from "./stores/store.ts";

/** Starts the environment of the running mode, on the running store. */
export type Start = (options: EnvironmentOptions) => Promise<Environment>;

type Body = (start: Start) => Promise<void>;

const MODES = { "kept in memory": 1_000, "fused turns refused": 1_000, "replayed at every turn": 0 };

/**
 * Share of the fused turns that is refused in the second mode. More than a tenth, so that short scenarios meet some.
 */
const REFUSED_SHARE = 0.4;

/**
 * Runs in all modes on SQLite, and in the first one on Cosmos DB: half of them by the seed, on an account all of them.
 */
export function scenario(statement: string, body: Body): void {
  engineScenario(statement, body);
  if (cosmos.time === "real" || isChosen(statement, 0.5)) onCosmos(statement, body);
}

/** Runs in all modes, on one store: for what no store can change. */
export function engineScenario(statement: string, body: Body): void {
  it(statement, async () => {
    const none = new RefusedTurns(1, 0);
    const kept = await run(sqlite, "kept in memory", body, none);
    const replayed = await run(sqlite, "replayed at every turn", body);
    expect(replayed, "the histories of the two modes").toEqual(kept);
    if (none.offered === 0 || !isChosen(statement)) return;
    const some = new RefusedTurns(statement.length, REFUSED_SHARE);
    const refused = await run(sqlite, "fused turns refused", body, some);
    expect(refused, "the histories with fused turns refused").toEqual(kept);
  });
}

/** Runs in the mode that the test itself chooses, on every store. */
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
async function run(
  store: StoreKind,
  mode: keyof typeof MODES,
  body: Body,
  refused?: RefusedTurns,
): Promise<readonly unknown[]> {
  const started: Environment[] = [];
  const start: Start = async (options) => {
    const environment = await startEnvironment({
      store,
      ...options,
      ...(refused && { wrap: (provider) => (options.wrap ?? ((same) => same))(refused.wrap(provider)) }),
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
