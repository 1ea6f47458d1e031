/** The numbers of Cosmos documents that the wire format does not have. */
import { blocks, type U64 } from "@duroxide-ts/core/stores";

const MAX_U64 = 2n ** 64n - 1n;

/** One of the 256 parts of a queue (u8). */
export const slot: blocks.Codec<number> = blocks.integer(0, 0xff);

/** Counted up by one (i32). */
export const smallCount: blocks.Codec<number> = blocks.integer(-(2 ** 31), 2 ** 31 - 1);

/** An i64 within the range of exact integers. */
export const signed: blocks.Codec<number> = blocks.integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/**
 * A time (u64). Rust stores "never" as 2^64-1, which a client library's JSON parser rounds up to 2^64. This value must
 * be readable, and must be written within the range of u64. Ids are plain `u64`s, because they must not be rounded.
 */
export const instant: blocks.Codec<U64> = {
  read: (value) => {
    if (typeof value !== "number" || value <= Number.MAX_SAFE_INTEGER) return blocks.u64.read(value);
    if (!(value <= 2 ** 64)) return blocks.u64.read(value);
    const exact = BigInt(value);
    return exact > MAX_U64 ? MAX_U64 : exact;
  },
  write: blocks.u64.write,
};
