/** The due times of a stored definition, computed without the product's code. */

/** Times of a schedule, as they are stored. */
export interface StoredTimes {
  readonly every?: { readonly ms: number };
  readonly offset?: { readonly ms: number };
  readonly cron?: string;
  readonly at?: readonly number[];
}

const EVERY_SECONDS = /^\*\/(\d+) \* \* \* \* \*$/;

/** Returns those after one instant and up to another, ms since the epoch. */
export function dueBetween(times: StoredTimes, afterMs: number, toMs: number): readonly number[] {
  const { at, every, offset, cron } = times;
  if (at !== undefined) return at.filter((ms) => ms > afterMs && ms <= toMs);
  const seconds = EVERY_SECONDS.exec(cron ?? "")?.[1];
  const periodMs = every?.ms ?? 1_000 * Number(seconds);
  const shiftMs = offset?.ms ?? 0;
  const found: number[] = [];
  let ms = (Math.floor((afterMs - shiftMs) / periodMs) + 1) * periodMs + shiftMs;
  for (; ms <= toMs; ms += periodMs) found.push(ms);
  return found;
}
