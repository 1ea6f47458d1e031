/** MurmurHash3 in the two forms from which the service computes where a partition key lies. */

const MASK_64 = 0xffff_ffff_ffff_ffffn;
const C1_64 = 0x87c3_7b91_1142_53d5n;
const C2_64 = 0x4cf5_ad43_2745_937fn;

/** Computes the 32-bit hash, seed 0. */
export function murmurHash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = bytes.length >>> 2;
  let hash = 0;
  for (let block = 0; block < blocks; block++) {
    hash ^= scramble32(view.getUint32(block * 4, true));
    hash = (Math.imul(rotate32(hash, 13), 5) + 0xe654_6b64) | 0;
  }
  let tail = 0;
  for (let index = bytes.length - 1; index >= blocks * 4; index--) tail = (tail << 8) | (bytes[index] ?? 0);
  hash ^= scramble32(tail) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Computes the 128-bit hash for 64-bit machines, seed 0, as its two halves. */
export function murmurHash128(bytes: Uint8Array): readonly [first: bigint, second: bigint] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - (bytes.length % 16);
  let first = 0n;
  let second = 0n;
  for (let offset = 0; offset < end; offset += 16) {
    first ^= scrambleFirst(view.getBigUint64(offset, true));
    first = (((rotate64(first, 27n) + second) & MASK_64) * 5n + 0x52dc_e729n) & MASK_64;
    second ^= scrambleSecond(view.getBigUint64(offset + 8, true));
    second = (((rotate64(second, 31n) + first) & MASK_64) * 5n + 0x3849_5ab5n) & MASK_64;
  }
  first ^= scrambleFirst(littleEndian(bytes, end, Math.min(end + 8, bytes.length)));
  second ^= scrambleSecond(littleEndian(bytes, end + 8, bytes.length));
  first ^= BigInt(bytes.length);
  second ^= BigInt(bytes.length);
  first = (first + second) & MASK_64;
  second = (second + first) & MASK_64;
  first = finish64(first);
  second = finish64(second);
  first = (first + second) & MASK_64;
  return [first, (second + first) & MASK_64];
}

function scramble32(block: number): number {
  return Math.imul(rotate32(Math.imul(block, 0xcc9e_2d51), 15), 0x1b87_3593);
}

function rotate32(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function scrambleFirst(block: bigint): bigint {
  return (rotate64((block * C1_64) & MASK_64, 31n) * C2_64) & MASK_64;
}

function scrambleSecond(block: bigint): bigint {
  return (rotate64((block * C2_64) & MASK_64, 33n) * C1_64) & MASK_64;
}

function rotate64(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK_64;
}

function finish64(hash: bigint): bigint {
  const once = ((hash ^ (hash >> 33n)) * 0xff51_afd7_ed55_8ccdn) & MASK_64;
  const twice = ((once ^ (once >> 33n)) * 0xc4ce_b9fe_1a85_ec53n) & MASK_64;
  return twice ^ (twice >> 33n);
}

function littleEndian(bytes: Uint8Array, start: number, end: number): bigint {
  let value = 0n;
  for (let index = end - 1; index >= start; index--) value = (value << 8n) | BigInt(bytes[index] ?? 0);
  return value;
}
