/** The rules of the endpoint, each of which belongs to a fault, and which requests they hit. */
import type { FaultRule, InProcessEndpoint, InProcessRequest } from "@duroxide-ts/cosmos-emulator";
import type { CosmosFault } from "../faults/fault.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import { kindOf } from "./request-kind.ts";

interface Rule {
  readonly fault: CosmosFault;
  hits: number;
}

export class Rules {
  readonly #endpoint: InProcessEndpoint;
  readonly #log: FaultLog;
  readonly #rules = new Map<number, Rule>();

  constructor(endpoint: InProcessEndpoint, log: FaultLog) {
    this.#endpoint = endpoint;
    this.#log = log;
  }

  add(fault: CosmosFault, rule: FaultRule): number {
    const id = this.#endpoint.faults.add(rule);
    this.#rules.set(id, { fault, hits: 0 });
    return id;
  }

  remove(id: number): void {
    this.#endpoint.faults.remove(id);
    this.#rules.delete(id);
  }

  /** After the endpoint has taken a request: whatever was hit since the last call was hit by this one. */
  taken(request: InProcessRequest): void {
    if (this.#rules.size === 0) return;
    for (const { id, hits } of this.#endpoint.faults.list()) {
      const rule = this.#rules.get(id);
      if (rule === undefined || rule.hits === hits) continue;
      rule.hits = hits;
      this.#log.add(rule.fault, kindOf(request));
    }
  }

  clear(): void {
    this.#endpoint.faults.clear();
    this.#rules.clear();
  }
}
