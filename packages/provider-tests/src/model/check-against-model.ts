/** Random scripts of provider calls, in lock step with the in-memory provider. */
import fc from "fast-check";
import type { ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import type { ProviderFactory } from "../factory.ts";
import { runCase } from "../run-case.ts";
import { Disagreement } from "./disagreement.ts";
import { REAL_DURATIONS, VIRTUAL_DURATIONS } from "./durations.ts";
import { aMove } from "./moves.ts";
import { play } from "./play.ts";

/** The number and length of scripts. The same options run the same scripts. */
export interface ModelOptions {
  /** Scripts, each on a fresh store; 100 by default. */
  readonly runs?: number;
  /** 1 by default. */
  readonly seed?: number;
  /** Lines of a script at most; 50 by default. */
  readonly maxCommands?: number;
  /** Path of the one script that failed, as its failure printed it. */
  readonly path?: string;
}

/**
 * Makes random calls of two callers, and compares each result with that of the in-memory provider. The error for a store
 * that differs from it has the shortest failing script found, and the options that run it again.
 */
export async function checkAgainstModel(factory: ProviderFactory, options: ModelOptions = {}): Promise<void> {
  await runCase(modelCase("random calls", options, factory.name), factory);
}

/** The same as a case. */
export function modelCase(name: string, options: ModelOptions, providerName = "factory"): ProviderCase {
  return { group: "model", name, needs: [], run: (context) => compare(context, options, providerName) };
}

async function compare(context: CaseContext, options: ModelOptions, providerName: string): Promise<void> {
  const { runs = 100, seed = 1, maxCommands = 50, path } = options;
  const durations = context.capabilities.clock === "virtual" ? VIRTUAL_DURATIONS : REAL_DURATIONS;
  const script = fc.array(aMove(durations), { minLength: 1, maxLength: maxCommands, size: "max" });
  const property = fc.asyncProperty(script, async (moves) => {
    await using fresh = await context.openStore();
    await play(fresh, moves, durations);
  });
  // Without its bias fast-check draws scripts of all lengths, not mostly short ones.
  const parameters = { numRuns: runs, seed, unbiased: true };
  const result = await fc.check(property, path === undefined ? parameters : { ...parameters, path });
  if (!result.failed) return;
  const { errorInstance, counterexamplePath, numRuns, numShrinks } = result;
  if (!(errorInstance instanceof Disagreement)) throw errorInstance;
  const again = `{ seed: ${seed}, path: "${counterexamplePath}", maxCommands: ${maxCommands} }`;
  throw new Error(
    [
      `The store and the in-memory provider differ (seed ${seed}, script ${numRuns}, shortened ${numShrinks} times):`,
      "",
      ...errorInstance.script.map((line) => `  ${line}`),
      "",
      `To the last line the in-memory provider answers: ${errorInstance.wanted}`,
      "",
      `To play it again: await checkAgainstModel(${providerName}, ${again})`,
    ].join("\n"),
    { cause: errorInstance },
  );
}
