/** Chooses the cases of the kit for each store (effort.ts says when all of them run). */
import { type ProviderCase, providerCases } from "@duroxide-ts/provider-tests";
import { IS_DEEP, SEED, sample, smallSample } from "./effort.ts";
import { SeededRandom } from "./seeded-random.ts";

const random = providerCases.filter(({ group }) => group === "model");
const exposed = providerCases.filter(({ group }) => group === "faults");

function isChosenFrom({ group }: ProviderCase): boolean {
  return group === "model" || group === "faults";
}

/** Chooses for a store: every behaviour, in one of the ways in which calls can fail, and a part of the random calls. */
export function casesOfStore(): readonly ProviderCase[] {
  const chosen = new Set([...sample(random), ...oneOfEach(exposed)]);
  return providerCases.filter((each) => !isChosenFrom(each) || chosen.has(each));
}

/** Chooses for a variant of a store, whose behaviours run elsewhere too: a part of them, and of some groups all. */
export function casesOfVariant(whole: readonly string[] = []): readonly ProviderCase[] {
  const chosen = new Set(sample(casesOfStore()));
  return providerCases.filter((each) => chosen.has(each) || whole.includes(each.group));
}

/** Chooses for the variant whose cases take the longest, because each of their requests goes through a socket. */
export function casesOfSlowVariant(): readonly ProviderCase[] {
  return smallSample(casesOfStore());
}

/** Under faults the same operation fails at each of its calls, which makes these cases the longest. */
function oneOfEach(cases: readonly ProviderCase[]): readonly ProviderCase[] {
  if (IS_DEEP) return cases;
  const random = new SeededRandom(SEED);
  const ways = Map.groupBy(cases, ({ name }) => name.replace(/, when .*/, "")).values();
  return [...ways].map((same) => random.shuffled(same)[0]).filter((each) => each !== undefined);
}
