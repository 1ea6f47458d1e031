/** A provider whose calls wait while it is frozen, as those of a process that is stopped with SIGSTOP. */
import type { Provider } from "@duroxide-ts/core";

export class Freezer {
  #thawed: PromiseWithResolvers<void> | undefined;

  freeze(): void {
    this.#thawed ??= Promise.withResolvers();
  }

  thaw(): void {
    this.#thawed?.resolve();
    this.#thawed = undefined;
  }

  wrap(provider: Provider): Provider {
    return new Proxy(provider, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const call = (): unknown => Reflect.apply(value, target, args);
          return this.#thawed === undefined ? call() : this.#thawed.promise.then(call);
        };
      },
    });
  }
}
