/** The faults of the service and of the way there that last as long as the bad time of a run does. */
import type { FaultRule } from "@duroxide-ts/cosmos-emulator";
import { COSMOS_FAULTS, type CosmosFault, type Fault } from "../faults/fault.ts";
import type { Settings } from "../settings.ts";
import type { Role } from "../store/simulated-store.ts";
import type { Chance } from "../world/chance.ts";
import { CALM_LINK, type LinkWeather } from "./link.ts";
import type { Rules } from "./rules.ts";

/** Rules of the endpoint by fault; the rates are those of a seed with the usual strength. */
const RULES: Readonly<Partial<Record<CosmosFault, readonly FaultRule[]>>> = {
  refusals: [
    { rate: 0.02, effect: { kind: "error", status: 429, retryAfterMs: 30 } },
    { rate: 0.01, effect: { kind: "error", status: 449 } },
    { rate: 0.02, effect: { kind: "error", status: 503 } },
    { rate: 0.005, effect: { kind: "error", status: 408 } },
  ],
  "operation-refusals": [
    { rate: 0.03, effect: { kind: "operationError", status: 449 } },
    { rate: 0.03, effect: { kind: "operationError", status: 429, retryAfterMs: 20 } },
  ],
  "stale-reads": [
    { match: { operation: "read" }, rate: 0.1, effect: { kind: "staleRead", writesBehind: 10 } },
  ],
  "short-pages": [{ rate: 0.2, effect: { kind: "shortPage" } }],
};

const TIMES_FOR_CLIENTS = 4;
const MOST_LOST = 0.25;

export class ServiceWeather {
  readonly #ofLinks: LinkWeather;
  readonly #rules: Rules;
  readonly #faults: ReadonlySet<Fault>;
  readonly #strength: number;
  /** Items of a short page: 0 to 3, or so many, which is a part of most partitions of an instance. */
  readonly #pageItems: number | undefined;

  constructor(rules: Rules, { faults }: Settings, chance: Chance) {
    this.#rules = rules;
    this.#faults = faults;
    this.#strength = chance.pick([0.5, 1, 3]);
    const rate = (fault: Fault, most: number): number =>
      faults.has(fault) ? Math.min(0.4, most * this.#strength) : 0;
    this.#ofLinks = {
      quickMs: chance.pick([3, 10, 40]),
      slowMs: chance.pick([500, 3_000, 20_000]),
      slowRate: rate("slow", 0.02),
      lostRequests: rate("lost-requests", 0.01),
      lostAnswers: rate("lost-answers", 0.01),
      resets: rate("resets", 0.03),
    };
    this.#pageItems = chance.pick([undefined, 6, 15]);
  }

  /**
   * Clients send few requests, and a caller waits for each of them, so more of them are lost. Their connections are
   * reset at all times, because operators change most instances after the bad time.
   */
  ofLink(role: Role, isBad: boolean): LinkWeather {
    if (role === "server") return isBad ? this.#ofLinks : CALM_LINK;
    const { lostRequests, lostAnswers, resets } = this.#ofLinks;
    const more = (rate: number): number => Math.min(MOST_LOST, rate * TIMES_FOR_CLIENTS);
    if (!isBad) return { ...CALM_LINK, resets: more(resets) };
    return {
      ...this.#ofLinks,
      lostRequests: more(lostRequests),
      lostAnswers: more(lostAnswers),
      resets: more(resets),
    };
  }

  rise(): void {
    for (const fault of COSMOS_FAULTS) {
      if (!this.#faults.has(fault)) continue;
      for (const rule of RULES[fault] ?? []) {
        const rate = Math.min(0.5, (rule.rate ?? 1) * this.#strength);
        this.#rules.add(fault, { ...rule, rate, effect: this.#effectOf(rule) });
      }
    }
  }

  #effectOf({ effect }: FaultRule): FaultRule["effect"] {
    const items = this.#pageItems;
    return effect.kind === "shortPage" && items !== undefined ? { kind: "shortPage", items } : effect;
  }

  settle(): void {
    this.#rules.clear();
  }
}
