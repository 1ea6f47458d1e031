/**
 * An unsigned 64-bit integer as Rust writes it. Real ids and times are far below 2^53 and are plain numbers;
 * a larger one is kept as a `bigint`, so that reading and writing it again never rounds it.
 */
export type U64 = number | bigint;

export const MAX_U64: bigint = (1n << 64n) - 1n;

/** The value as a number, at most `Number.MAX_SAFE_INTEGER`. For times, because a larger time is never reached. */
export function saturatedNumber(value: U64): number {
  if (typeof value === "number") return value;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
