/** A small deterministic generator for `ctx.random()`. Not for secrets. */

/** The same numbers in [0, 1) for the same seed text, in every process. */
export function seededRandom(seed: string): () => number {
  // Most code draws no number.
  let state: number | undefined;
  return () => {
    // splitmix32: https://doi.org/10.1145/2660193.2660195, with 32-bit constants
    state = ((state ?? fnv1a(seed)) + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}
