import type { Clock } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { type ProviderFactory, StorageFaults } from "@duroxide-ts/provider-tests";

interface Options {
  readonly clock: Clock;
  readonly send: (request: Request) => Promise<Response>;
}

/** Stands for a provider that sends requests to a service. */
class MyProvider extends MemoryProvider {
  readonly send: Options["send"];

  constructor({ clock, send }: Options) {
    super({ clock });
    this.send = send;
  }
}

export const remote: Pick<ProviderFactory, "open"> = {
  // #region faults
  async open({ clock }) {
    const faults = new StorageFaults();
    const send = (request: Request) =>
      faults.call(
        () => fetch(request),
        () => new TypeError("fetch failed"), // what a broken connection looks like to your provider
      );
    const provider = new MyProvider({ send, clock });
    return {
      provider,
      failStorageCall: faults.failStorageCall,
      [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
    };
  },
  // #endregion
};
