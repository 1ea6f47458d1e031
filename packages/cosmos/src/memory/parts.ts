/**
 * The two contexts of the functions of this package: `Parts` lives as long as the provider, `Work` as long as one call of a
 * contract method.
 */
import type { Clock } from "@duroxide-ts/core";
import { Call, type Service } from "../service/service.ts";
import type { Memory } from "./memory.ts";

/** Made once, by the provider. */
export interface Parts {
  readonly service: Service;
  readonly clock: Clock;
  readonly memory: Memory;
}

/** The requests of one contract method, with the parts. */
export class Work extends Call implements Parts {
  readonly memory: Memory;

  /** The requests are retried for this time from now. */
  constructor({ service, memory }: Parts, operation: string, forMs: number, signal?: AbortSignal) {
    super(service, service.deadline(operation, forMs, signal));
    this.memory = memory;
  }

  /** Other requests of the same method, which have a time of their own. */
  within(forMs: number, signal?: AbortSignal): Work {
    return new Work(this, this.operation, forMs, signal);
  }
}
