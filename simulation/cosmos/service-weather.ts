/** The faults of the service and of the way there that last as long as the bad time of a run does. */
import type { FaultRule, InProcessEndpoint } from "@duroxide-ts/cosmos-emulator";
import type { Fault } from "../faults/fault.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { Settings } from "../run/settings.ts";
import type { Chance } from "../world/chance.ts";
import { CALM_LINK, type LinkWeather } from "./link.ts";

/** Rules of the endpoint by fault; the rates are those of a seed with the usual strength. */
const RULES: Readonly<Partial<Record<Fault, readonly Omit<FaultRule, "match">[]>>> = {
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
  "short-pages": [{ rate: 0.2, effect: { kind: "shortPage" } }],
};

export class ServiceWeather {
  readonly calm: LinkWeather = CALM_LINK;
  readonly ofLinks: LinkWeather;
  readonly #endpoint: InProcessEndpoint;
  readonly #faults: ReadonlySet<Fault>;
  readonly #log: FaultLog;
  readonly #strength: number;
  readonly #names = new Map<number, Fault>();

  constructor(endpoint: InProcessEndpoint, { faults }: Settings, log: FaultLog, chance: Chance) {
    this.#endpoint = endpoint;
    this.#faults = faults;
    this.#log = log;
    this.#strength = chance.pick([0.5, 1, 3]);
    const rate = (fault: Fault, most: number): number =>
      faults.has(fault) ? Math.min(0.4, most * this.#strength) : 0;
    this.ofLinks = {
      quickMs: chance.pick([3, 10, 40]),
      slowMs: chance.pick([500, 3_000, 20_000]),
      slowRate: rate("slow", 0.02),
      lostRequests: rate("lost-requests", 0.01),
      lostAnswers: rate("lost-answers", 0.01),
      resets: rate("resets", 0.03),
    };
  }

  rise(): void {
    for (const fault of this.#faults) {
      for (const rule of RULES[fault] ?? []) this.#add(fault, rule);
    }
    if (this.#faults.has("stale-reads")) {
      this.#add("stale-reads", {
        match: { operation: "read" },
        rate: 0.1,
        effect: { kind: "staleRead", writesBehind: 10 },
      });
    }
  }

  settle(): void {
    const { faults } = this.#endpoint;
    for (const { id, hits } of faults.list()) {
      const name = this.#names.get(id);
      if (name !== undefined && hits > 0) this.#log.add(name, hits);
    }
    faults.clear();
  }

  #add(fault: Fault, rule: FaultRule): void {
    const rate = Math.min(0.5, (rule.rate ?? 1) * this.#strength);
    this.#names.set(this.#endpoint.faults.add({ ...rule, rate }), fault);
  }
}
