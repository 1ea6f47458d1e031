/** The stress scenarios from a command line: what a provider's author puts into a script of three lines. */
import { stdout } from "node:process";
import { parseArgs } from "node:util";
import { systemClock, systemRandom } from "@duroxide-ts/core";
import type { ProviderFactory } from "../factory.ts";
import { stressLargePayload } from "./large-payload.ts";
import type { ParallelOptions } from "./options.ts";
import { stressParallelOrchestrations } from "./parallel.ts";
import { compareResults, describeResult, type StressResult } from "./report.ts";

const FLAGS = {
  scenario: { type: "string", default: "all" },
  seconds: { type: "string" },
  orchestrations: { type: "string" },
  "max-concurrent": { type: "string" },
  tasks: { type: "string" },
  "activity-delay-ms": { type: "string" },
  "orchestration-concurrency": { type: "string" },
  "worker-concurrency": { type: "string" },
  "wait-timeout-ms": { type: "string" },
} as const;

const SCENARIOS = {
  parallel: [stressParallelOrchestrations],
  large: [stressLargePayload],
  all: [stressParallelOrchestrations, stressLargePayload],
} as const;

/**
 * Runs what the flags say, each scenario on a fresh store in real time, prints the reports, and resolves to an exit
 * code: 0 where everything completed and every invariant held. `process.exitCode = await stressFromFlags(factory,
 * process.argv.slice(2))`. Unknown flags are a TypeError that names them.
 */
export async function stressFromFlags(
  factory: ProviderFactory,
  argv: readonly string[],
  print: (text: string) => void = (text) => stdout.write(`${text}\n`),
): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: FLAGS });
  const options = optionsOf(values);
  const results: StressResult[] = [];
  for (const stress of SCENARIOS[scenarioOf(values.scenario)]) {
    const storeId = `stress-${systemRandom.uuid().slice(0, 13)}`;
    await using store = await factory.open({ clock: systemClock, storeId });
    const result = await stress(store.provider, options);
    print(describeResult(result));
    results.push(result);
  }
  if (results.length > 1) print(`\n${compareResults(results)}`);
  return results.every(isRight) ? 0 : 1;
}

function isRight({ launched, completed, violations }: StressResult): boolean {
  return completed === launched && violations.length === 0;
}

function scenarioOf(name: string): keyof typeof SCENARIOS {
  if (Object.hasOwn(SCENARIOS, name)) return name as keyof typeof SCENARIOS;
  throw new TypeError(`--scenario is "${name}"; it must be parallel, large or all`);
}

function optionsOf(values: { readonly [flag: string]: string | undefined }): ParallelOptions {
  const number = (flag: keyof typeof FLAGS, scale = 1): number | undefined => {
    const text = values[flag];
    if (text === undefined) return undefined;
    if (/^\d+$/.test(text)) return Number(text) * scale;
    throw new TypeError(`--${flag} is "${text}"; it must be a whole number`);
  };
  const given = {
    durationMs: number("seconds", 1_000),
    orchestrations: number("orchestrations"),
    maxConcurrent: number("max-concurrent"),
    tasks: number("tasks"),
    activityDelayMs: number("activity-delay-ms"),
    orchestrationConcurrency: number("orchestration-concurrency"),
    workerConcurrency: number("worker-concurrency"),
    waitTimeoutMs: number("wait-timeout-ms"),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
