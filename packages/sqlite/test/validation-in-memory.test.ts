/**
 * The behaviours of the contract on a database in memory, which only this process can open, so waits need no polling.
 */
import { providerCases } from "@duroxide-ts/provider-tests";
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { sqliteInMemory } from "./support/factory.ts";

/** Random calls do not find more here than on files: every statement is the same. */
const cases = providerCases.filter(({ group }) => group !== "model");

validateProvider(sqliteInMemory, cases);
