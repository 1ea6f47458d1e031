import { myStore } from "./factory.ts";

export const report: string[] = [];

// #region any-runner
import { providerCases, runCase } from "@duroxide-ts/provider-tests";

for (const each of providerCases.filter(({ group }) => group === "long_polling")) {
  const outcome = await runCase(each, myStore); // throws where the store does not behave
  report.push(`${each.name}: ${outcome.kind === "skipped" ? outcome.reason : outcome.kind}`);
}
// #endregion
