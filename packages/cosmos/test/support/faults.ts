/**
 * Stands between a provider and the network: counts requests, and makes one of them fail, before or after it is carried
 * out.
 */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import type { ArmedFault } from "@duroxide-ts/provider-tests";
import { Requests as Traffic } from "../../../../test/support/stores/requests.ts";

type Next = (request: PipelineRequest) => Promise<PipelineResponse>;

class Armed implements ArmedFault {
  fired = false;
  remaining: number;
  readonly when: "before" | "after";
  #disarmed = false;

  constructor(nth: number, when: "before" | "after") {
    this.remaining = nth;
    this.when = when;
  }

  disarm(): void {
    this.#disarmed = true;
  }

  /** Whether this request is the one. */
  hits(): boolean {
    if (this.#disarmed || this.fired) return false;
    this.remaining--;
    if (this.remaining > 0) return false;
    this.fired = true;
    return true;
  }
}

export class Faults {
  #armed: Armed | undefined;
  readonly #traffic = new Traffic();

  arm(nth: number, when: "before" | "after"): ArmedFault {
    this.#armed = new Armed(nth, when);
    return this.#armed;
  }

  async pass(request: PipelineRequest, next: Next): Promise<PipelineResponse> {
    const fault = this.#armed?.hits() === true ? this.#armed : undefined;
    if (fault?.when === "before") throw cut();
    const response = await this.#traffic.await(next(request));
    if (fault !== undefined) throw cut();
    return response;
  }

  /** Resolves when nothing is on its way. */
  idle(): Promise<void> {
    return this.#traffic.idle();
  }
}

function cut(): Error {
  return Object.assign(new Error("the connection was cut"), { code: "ECONNRESET" });
}
