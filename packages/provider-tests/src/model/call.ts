/** The calls of scripts. */
import type { Provider, ProviderAdmin } from "@duroxide-ts/core/stores";
import { MemoryProvider } from "@duroxide-ts/core/testing";

type Methods = Required<Omit<Provider, "admin">> & Required<ProviderAdmin>;

type Asynchronous = (...args: never) => Promise<unknown>;

export type Method = {
  [M in keyof Methods]: M extends string ? (Methods[M] extends Asynchronous ? M : never) : never;
}[keyof Methods];

type ArgumentsOf<M extends Method> = Methods[M] extends (...args: infer A) => unknown ? A : never;

/** Whether the method is one of `provider.admin`. */
export function isAdministrative(method: Method): boolean {
  return !(method in MemoryProvider.prototype);
}

export type CallerName = "one" | "two";

/** A call that is about to be made. */
export interface Call {
  readonly caller: CallerName;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** A call, with the arguments of its method. */
export function callOf<M extends Method>(caller: CallerName, method: M, ...args: ArgumentsOf<M>): Call {
  return { caller, method, args };
}
