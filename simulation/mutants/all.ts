/** All mutants. */
import { coreMutants } from "./core.ts";
import { cosmosMutants } from "./cosmos.ts";
import type { Mutant } from "./mutant.ts";
import { sqliteMutants } from "./sqlite.ts";

export const MUTANTS: readonly Mutant[] = [...cosmosMutants, ...sqliteMutants, ...coreMutants];
