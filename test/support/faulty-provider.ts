/** A provider whose single methods can be made to fail or to wait, in front of one that works. */
import { type Provider, ProviderError, type ProviderErrorCode } from "@duroxide-ts/core";

/** Called before the store is; what it throws is the outcome. `call` counts from 1. */
export type Fault = (call: number, args: readonly unknown[]) => void | Promise<void>;

export type FaultyMethod = {
  [K in keyof Provider]-?: NonNullable<Provider[K]> extends (...args: never[]) => Promise<unknown>
    ? K
    : never;
}[keyof Provider];

export class Faults {
  readonly #faults = new Map<string, Fault>();
  readonly #calls = new Map<string, number>();

  /** Adds a fault from now on; it replaces an earlier one of the method. */
  on(method: FaultyMethod, fault: Fault): void {
    this.#faults.set(method, fault);
    this.#calls.set(method, 0);
  }

  off(method: FaultyMethod): void {
    this.#faults.delete(method);
  }

  readonly wrap = (provider: Provider): Provider =>
    new Proxy(provider, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const result = (): unknown => Reflect.apply(value, target, args);
          const fault = typeof property === "string" ? this.#faults.get(property) : undefined;
          return fault === undefined ? result() : this.#fail(property as string, fault, args, result);
        };
      },
    });

  async #fail(
    method: string,
    fault: Fault,
    args: readonly unknown[],
    result: () => unknown,
  ): Promise<unknown> {
    const call = (this.#calls.get(method) ?? 0) + 1;
    this.#calls.set(method, call);
    await fault(call, args);
    return result();
  }
}

export function fault(operation: FaultyMethod, code: ProviderErrorCode): ProviderError {
  return new ProviderError({ code, operation, message: "as the test wants it" });
}
