/** The faults of a storm: of all requests so many meet one, in equal parts; and reads are stale besides. */
import type { CosmosEmulator, FaultRule } from "@duroxide-ts/cosmos-emulator";

type Effect = FaultRule["effect"];

const FAULTS: Readonly<Record<string, Effect>> = {
  429: { kind: "error", status: 429, retryAfterMs: 30 },
  449: { kind: "error", status: 449 },
  503: { kind: "error", status: 503 },
  reset: { kind: "reset" },
  "lost response": { kind: "loseResponse" },
};

const STALE_RATE = 0.1;
const WRITES_BEHIND = 10;

export class Weather {
  readonly #emulator: CosmosEmulator;
  readonly #names = new Map<number, string>();
  #hits: readonly (readonly [name: string, hits: number])[] = [];

  constructor(emulator: CosmosEmulator) {
    this.#emulator = emulator;
  }

  /**
   * `rate`: how likely a request meets any of the faults. The first rule that hits decides, so each is asked for less.
   * `isMixed`: without 449, at which Rust's workers do not start, and fail orchestrations (docs/cosmos/with-rust.md).
   */
  rise(rate: number, isMixed: boolean): void {
    const { faults } = this.#emulator;
    const names = Object.entries(FAULTS).filter(([name]) => !(isMixed && name === "449"));
    const rateOfEach = 1 - (1 - rate) ** (1 / names.length);
    for (const [name, effect] of names) this.#names.set(faults.add({ rate: rateOfEach, effect }), name);
    const effect: Effect = { kind: "staleRead", writesBehind: WRITES_BEHIND };
    this.#names.set(faults.add({ match: { operation: "read" }, rate: STALE_RATE, effect }), "stale read");
  }

  settle(): void {
    const { faults } = this.#emulator;
    this.#hits = faults
      .list()
      .filter(({ rule }) => rule.effect.kind !== "delay")
      .map(({ id, rule, hits }) => [this.#names.get(id) ?? rule.effect.kind, hits]);
    faults.clear();
  }

  /** How many of so many requests met each fault in the storm that is over. */
  describe(requests: number): string {
    return this.#hits.map(([name, hits]) => `${name} ${((100 * hits) / requests).toFixed(1)} %`).join(", ");
  }
}
