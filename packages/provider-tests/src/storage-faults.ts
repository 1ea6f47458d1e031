/** Counts storage calls for the hook `failStorageCall`, and makes one fail before or after its execution. */
import type { ArmedFault } from "./factory.ts";

interface Armed {
  callsLeft: number;
  readonly when: "before" | "after";
  fired: boolean;
}

/**
 * Makes one of the storage calls that go through `call` fail. For providers with several storage calls for an
 * operation: send each request through it, and pass `failStorageCall` to the kit.
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

  /** Sends the request. If it must fail, throws the error of `lost`, such as that of a broken connection. */
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
