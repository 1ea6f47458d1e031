/** Random numbers that are the same in every run of a test. Not for secrets. */
import type { Random } from "../contract/clock.ts";
import { seededRandom } from "../replay/code/seeded-random.ts";

/** Random numbers and UUIDs that are the same in every run of a test. Not for secrets. */
export class SeededRandom implements Random {
  readonly #next: () => number;

  /** The same numbers and UUIDs, in the same order, for the same seed. */
  constructor(seed = "test") {
    this.#next = seededRandom(seed);
  }

  next(): number {
    return this.#next();
  }

  uuid(): string {
    const digit = (options: string): string => options[Math.floor(this.#next() * options.length)] ?? "0";
    return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx"
      .replaceAll("x", () => digit("0123456789abcdef"))
      .replace("y", () => digit("89ab"));
  }
}
