/**
 * The part of a queue to which an instance belongs: the low byte of SipHash-1-3 with a zero key over the UTF-8
 * bytes of the instance id and one byte 0xFF, as Rust's standard hasher hashes a string. Vectors and details:
 * docs/reference/wire-format.md §7.
 */
export const DISPATCH_SLOTS = 256;

/** The slot of an instance, 0 to 255; the same as in Rust. */
export function dispatchSlot(instanceId: string): number {
  return hashInstanceId(instanceId).low % DISPATCH_SLOTS;
}

/** A 64-bit hash in two halves. */
export interface Hash {
  readonly low: number;
  readonly high: number;
}

export function hashInstanceId(instanceId: string): Hash {
  const blocks = messageBlocks(instanceId);
  const state = new SipState();
  for (let at = 0; at < blocks.byteLength; at += 8) {
    state.absorb(blocks.getInt32(at, true), blocks.getInt32(at + 4, true));
  }
  return state.finish();
}

const utf8 = new TextEncoder();

/** The message in whole blocks of 8 bytes; the last byte of the last block is the length. */
function messageBlocks(instanceId: string): DataView {
  const text = utf8.encode(instanceId);
  const length = text.length + 1;
  const bytes = new Uint8Array((Math.floor(length / 8) + 1) * 8);
  bytes.set(text);
  bytes[text.length] = 0xff;
  bytes[bytes.length - 1] = length;
  return new DataView(bytes.buffer);
}

/**
 * Four 64-bit words, each as two signed 32-bit halves, because BigInts would be many times slower. The initial
 * state spells "somepseudorandomlygeneratedbytes", which a zero key leaves as it is.
 */
class SipState {
  #low0 = 0x70736575;
  #high0 = 0x736f6d65;
  #low1 = 0x6e646f6d;
  #high1 = 0x646f7261;
  #low2 = 0x6e657261;
  #high2 = 0x6c796765;
  #low3 = 0x79746573;
  #high3 = 0x74656462;

  absorb(low: number, high: number): void {
    this.#low3 ^= low;
    this.#high3 ^= high;
    this.#round();
    this.#low0 ^= low;
    this.#high0 ^= high;
  }

  finish(): Hash {
    this.#low2 ^= 0xff;
    for (let round = 0; round < 3; round += 1) this.#round();
    return {
      low: (this.#low0 ^ this.#low1 ^ this.#low2 ^ this.#low3) >>> 0,
      high: (this.#high0 ^ this.#high1 ^ this.#high2 ^ this.#high3) >>> 0,
    };
  }

  #round(): void {
    let low0 = (this.#low0 + this.#low1) | 0;
    let high0 = (this.#high0 + this.#high1 + carry(low0, this.#low1)) | 0;
    const low1 = rotated(this.#low1, this.#high1, 13) ^ low0;
    const high1 = rotated(this.#high1, this.#low1, 13) ^ high0;
    let low2 = (this.#low2 + this.#low3) | 0;
    let high2 = (this.#high2 + this.#high3 + carry(low2, this.#low3)) | 0;
    const low3 = rotated(this.#low3, this.#high3, 16) ^ low2;
    const high3 = rotated(this.#high3, this.#low3, 16) ^ high2;
    // A rotation by 32 exchanges the halves.
    [low0, high0] = [high0, low0];

    low0 = (low0 + low3) | 0;
    high0 = (high0 + high3 + carry(low0, low3)) | 0;
    this.#low3 = rotated(low3, high3, 21) ^ low0;
    this.#high3 = rotated(high3, low3, 21) ^ high0;
    low2 = (low2 + low1) | 0;
    high2 = (high2 + high1 + carry(low2, low1)) | 0;
    this.#low1 = rotated(low1, high1, 17) ^ low2;
    this.#high1 = rotated(high1, low1, 17) ^ high2;
    this.#low0 = low0;
    this.#high0 = high0;
    this.#low2 = high2;
    this.#high2 = low2;
  }
}

/** One when the unsigned sum of the low halves has wrapped around, and so is below either of them. */
function carry(sum: number, addend: number): number {
  return sum >>> 0 < addend >>> 0 ? 1 : 0;
}

/** One half of a 64-bit word rotated left by less than 32 bits. */
function rotated(half: number, otherHalf: number, bits: number): number {
  return (half << bits) | (otherHalf >>> (32 - bits));
}
