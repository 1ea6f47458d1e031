/**
 * The kit in Vitest: `validateProvider(factory)` in a test file makes one test of each case.
 *
 * @module @duroxide-ts/provider-tests/vitest
 */
import { afterAll, describe, test } from "vitest";
import type { ProviderCase } from "./case.ts";
import type { ProviderFactory } from "./factory.ts";
import { providerCases } from "./provider-cases.ts";
import { runCase } from "./run-case.ts";

/** Time limit of one case, ms: only one that hangs takes so long, also on a machine with ten times the load. */
const TIMEOUT_MS = 900_000;

/**
 * Registers every case, or those given, as tests that run side by side; a case that cannot apply is skipped with its
 * reason.
 */
export function validateProvider(
  factory: ProviderFactory,
  cases: readonly ProviderCase[] = providerCases,
): void {
  const skipped = new Map<string, number>();
  for (const [group, members] of Map.groupBy(cases, (each) => each.group)) {
    describe(`${factory.name}: ${group}`, () => {
      for (const each of members) {
        test.concurrent(each.name, { timeout: TIMEOUT_MS }, async ({ skip }) => {
          const outcome = await runCase(each, factory);
          if (outcome.kind !== "skipped") return;
          skipped.set(outcome.reason, (skipped.get(outcome.reason) ?? 0) + 1);
          skip(outcome.reason);
        });
      }
    });
  }
  afterAll(() => report(factory.name, skipped));
}

/** Prints the reasons of skipped cases, because most reporters of Vitest print only their number. */
function report(store: string, skipped: ReadonlyMap<string, number>): void {
  const lines = [...skipped].map(
    ([reason, count]) => `${store}: ${count} ${count === 1 ? "case" : "cases"} skipped: ${reason}\n`,
  );
  // A reporter may stand in the middle of a line.
  if (lines.length > 0) process.stdout.write(`\n${lines.join("")}`);
}
