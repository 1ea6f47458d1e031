/** All behaviours: those of the catalogue, those that go beyond it, and random calls. */
import { beyondTheCatalogue } from "./beyond/index.ts";
import type { ProviderCase } from "./case.ts";
import { catalogue } from "./catalogue/index.ts";
import { model } from "./model/index.ts";

/** Every case of the kit. */
export const providerCases: readonly ProviderCase[] = [...catalogue, ...beyondTheCatalogue, ...model];
