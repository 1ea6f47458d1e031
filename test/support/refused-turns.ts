/** Stands before a store and refuses fused turns by chance, as if another process had been faster each time. */
import type { Provider } from "@duroxide-ts/core";
import { SeededRandom } from "./seeded-random.ts";

export class RefusedTurns {
  readonly #random: SeededRandom;
  readonly #share: number;
  #offered = 0;

  /** `share` of them, from 0 to 1. */
  constructor(seed: number, share: number) {
    this.#random = new SeededRandom(seed);
    this.#share = share;
  }

  /** How many fused turns the runtime has offered. */
  get offered(): number {
    return this.#offered;
  }

  readonly wrap = (provider: Provider): Provider =>
    new Proxy(provider, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        if (property !== "ackFusedTurn") return value.bind(target);
        return async (...args: unknown[]): Promise<unknown> => {
          this.#offered++;
          if (this.#random.next() < this.#share) return { kind: "overtaken" };
          return Reflect.apply(value, target, args);
        };
      },
    });
}
