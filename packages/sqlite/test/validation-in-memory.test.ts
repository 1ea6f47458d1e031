/** The behaviours of the contract in a database in memory, which nobody else can open and whose waits need no polling. */
import { providerCases } from "@duroxide-ts/provider-tests";
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { sqliteInMemory } from "./support/factory.ts";

/** Random calls do not find more here than on files: every statement is the same. */
const cases = providerCases.filter(({ group }) => group !== "model");

validateProvider(sqliteInMemory, cases);
