/** A gate in front of a store: calls pass, wait, or fail, as the test says. */
import { type Provider, ProviderError } from "@duroxide-ts/core";

type Call = () => unknown;

export class StoreGate {
  #pass: (call: Call) => unknown = (call) => call();
  #waiting: Call[] = [];

  /** Calls wait from now on. */
  hold(): void {
    this.#pass = (call) => new Promise((resolve) => this.#waiting.push(() => resolve(call())));
  }

  /** Calls fail from now on, as those of a store that cannot be reached. */
  fail(message: string): void {
    this.#pass = () => Promise.reject(new ProviderError({ code: "unavailable", operation: "read", message }));
  }

  /** Calls pass again, those first that have waited. */
  open(): void {
    this.#pass = (call) => call();
    for (const call of this.#waiting.splice(0)) call();
  }

  /** The store, and its administration behind the gate. */
  readonly wrap = (provider: Provider): Provider => this.#wrap(provider);

  #wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value === "function") {
          return (...args: unknown[]) => this.#pass(() => Reflect.apply(value, target, args));
        }
        return property === "admin" && typeof value === "object" && value !== null
          ? this.#wrap(value)
          : value;
      },
    });
  }
}
