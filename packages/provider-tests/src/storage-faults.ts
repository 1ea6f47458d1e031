/** The counting that every hook `failStorageCall` needs: which call fails, and whether before or after. */
import type { ArmedFault } from "./factory.ts";

interface Armed {
  callsLeft: number;
  readonly when: "before" | "after";
  fired: boolean;
}

/**
 * Makes one of the storage calls that go through `call` fail. For providers with several storage calls for an
 * operation: send each request through it, and hand `failStorageCall` to the kit.
 */
export class StorageFaults {
  #armed: Armed | undefined;

  /** The hook of `TestStore`. */
  readonly failStorageCall = (nth: number, when: "before" | "after"): ArmedFault => {
    const fault: Armed = { callsLeft: nth, when, fired: false };
    this.#armed = fault;
    return {
      get fired() {
        return fault.fired;
      },
      disarm: () => {
        if (this.#armed === fault) this.#armed = undefined;
      },
    };
  };

  /** Sends the request. Where it is its turn to fail, throws what `lost` makes: an error as a broken connection has. */
  async call<T>(send: () => T | Promise<T>, lost: () => Error): Promise<T> {
    const fault = this.#next();
    if (fault?.when === "before") throw lost();
    const response = await send();
    if (fault?.when === "after") throw lost();
    return response;
  }

  /** Whether this call is the one that fails, and how. */
  #next(): Armed | undefined {
    const fault = this.#armed;
    if (fault === undefined || fault.fired) return undefined;
    fault.callsLeft--;
    if (fault.callsLeft > 0) return undefined;
    fault.fired = true;
    return fault;
  }
}
