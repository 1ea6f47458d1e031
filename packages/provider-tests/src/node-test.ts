/**
 * The kit in Node's own test runner: `validateProvider(factory)` in a file run by `node --test`.
 *
 * @module @duroxide-ts/provider-tests/node-test
 */
import { describe, test } from "node:test";
import type { ProviderCase } from "./case.ts";
import type { ProviderFactory } from "./factory.ts";
import { providerCases } from "./provider-cases.ts";
import { runCase } from "./run-case.ts";

/** Registers every case, or those given, as tests that run side by side; a case that cannot apply is skipped with its reason. */
export function validateProvider(
  factory: ProviderFactory,
  cases: readonly ProviderCase[] = providerCases,
): void {
  for (const [group, members] of Map.groupBy(cases, (each) => each.group)) {
    describe(`${factory.name}: ${group}`, { concurrency: true }, () => {
      for (const each of members) {
        test(each.name, async (t) => {
          const outcome = await runCase(each, factory);
          if (outcome.kind === "skipped") t.skip(outcome.reason);
        });
      }
    });
  }
}
