import { providerCases } from "@duroxide-ts/provider-tests";
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { myStore } from "./factory.ts";

// #region groups
const groups = new Set(["instance_creation", "instance_locking", "multi_execution"]);
validateProvider(
  myStore,
  providerCases.filter(({ group }) => groups.has(group)),
);
// #endregion
