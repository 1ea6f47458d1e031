/** Which cases of the kit run on which store (effort.ts says when all of them do). */
import { type ProviderCase, providerCases } from "@duroxide-ts/provider-tests";
import { sample } from "./effort.ts";

const random = providerCases.filter(({ group }) => group === "model");

/** Of a store: every behaviour, and a part of the random calls. */
export function casesOfStore(): readonly ProviderCase[] {
  const chosen = new Set(sample(random));
  return providerCases.filter((each) => each.group !== "model" || chosen.has(each));
}

/** Of a store in another place, where the behaviours have been seen elsewhere: a part of them. */
export function casesOfVariant(): readonly ProviderCase[] {
  return sample(providerCases);
}
