/** `ctx.map`: one branch for each item of a list. */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";

/** The options of `ctx.map`. */
export interface MapOptions {
  /** The most branches that run at a time; all by default. */
  readonly concurrency?: number;
  /** Ends the map at this many successes, and drops the rest. */
  readonly minSuccessful?: number;
  /** Rejects with the failure after this many failures, and drops the rest. */
  readonly toleratedFailures?: number;
  /** Resolves with outcomes, as `allSettled`. */
  readonly settled?: boolean;
}

/** Options with which a map may end before all items have settled. */
export type EarlyEnd = { readonly minSuccessful: number } | { readonly toleratedFailures: number };

const MAP: OptionList = optionList<MapOptions>({
  concurrency: true,
  minSuccessful: true,
  toleratedFailures: true,
  settled: true,
});

/** Throws InvalidInputError. */
export function checkMap(items: unknown, each: unknown, options: MapOptions): void {
  if (!Array.isArray(items))
    throw new InvalidInputError(`map: the items must be an array; got ${shown(items)}`);
  if (typeof each !== "function")
    throw new InvalidInputError(`map: give a function of (branch, item, index); got ${shown(each)}`);
  checkOptions("map", options, MAP);
  const { concurrency, minSuccessful, toleratedFailures, settled } = options;
  checkCount("concurrency", concurrency, 1);
  checkCount("minSuccessful", minSuccessful, 0);
  checkCount("toleratedFailures", toleratedFailures, 0);
  if (minSuccessful !== undefined && minSuccessful > items.length) {
    throw new InvalidInputError(`map: ${items.length} items cannot have ${minSuccessful} successes`);
  }
  if (settled === undefined || typeof settled === "boolean") return;
  throw new InvalidInputError(`map: settled must be true or false; got ${shown(settled)}`);
}

function checkCount(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw new InvalidInputError(`map: ${name} must be a whole number of ${least} or more; got ${shown(value)}`);
}
