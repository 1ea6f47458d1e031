/** Random numbers of a seed. A fork has numbers of its own, so that one part of a run does not move those of another. */
import type { Random } from "@duroxide-ts/core";
import { SeededRandom } from "../../test/support/seeded-random.ts";

const FOUR_DIGITS: readonly string[] = Array.from({ length: 0x1_0000 }, (_, value) =>
  value.toString(16).padStart(4, "0"),
);

export class Chance extends SeededRandom implements Random {
  /** A whole number between the two, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True so often, from 0 to 1. */
  happens(rate: number): boolean {
    return this.next() < rate;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  /** A version 4 UUID. */
  uuid(): string {
    const [a, b, c, d] = [this.#hex(), this.#hex(), this.#hex(), this.#hex()];
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
  }

  /** Eight digits. Ids are drawn for every request, and a table is faster than writing a number. */
  #hex(): string {
    const drawn = (this.next() * 2 ** 32) >>> 0;
    const [high, low] = [FOUR_DIGITS[drawn >>> 16] ?? "", FOUR_DIGITS[drawn & 0xffff] ?? ""];
    return high + low;
  }

  /** Depends on the seed and the label only, not on what was drawn before. */
  static of(seed: number, label: string): Chance {
    let hash = 0x811c9dc5 ^ seed;
    for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return new Chance(hash ^ (hash >>> 13) ^ Math.imul(seed, 0x9e3779b1));
  }
}
