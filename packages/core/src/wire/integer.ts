/**
 * An unsigned 64-bit integer as Rust writes it. Real ids and times are far below 2^53 and are plain numbers;
 * a larger one is kept as a `bigint`, so that reading and writing it again never rounds it.
 */
export type U64 = number | bigint;

export const MAX_U64: bigint = (1n << 64n) - 1n;

/** Whether the value is a whole number from 0 to 2^64-1 that is kept exactly. */
export function isU64(value: unknown): value is U64 {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0;
  return typeof value === "bigint" && value >= 0n && value <= MAX_U64;
}

/** The value as a number, saturated at `Number.MAX_SAFE_INTEGER`. For times, where "never" is as good as exact. */
export function saturatedNumber(value: U64): number {
  if (typeof value === "number") return value;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
