/** A store with one mistake, in front of one that works. */
import type { Provider } from "@duroxide-ts/core";
import type { ProviderFactory } from "@duroxide-ts/provider-tests";

export type Mistake = (right: Provider) => Partial<Provider>;

/** The factory's stores, with some methods replaced, and without the method that goes past them. */
export function broken(factory: ProviderFactory, mistake: Mistake): ProviderFactory {
  return {
    ...factory,
    async open(options) {
      const store = await factory.open(options);
      return {
        provider: replaced(withoutFusedTurns(store.provider), mistake(store.provider)),
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
      };
    },
  };
}

/** Outcomes and turns pass the methods that mistakes replace. */
function withoutFusedTurns(provider: Provider): Provider {
  return new Proxy(provider, {
    get(target, property) {
      if (property === "ackFusedTurn") return undefined;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

export function replaced(right: Provider, methods: Partial<Provider>): Provider {
  return new Proxy(right, {
    get(target, property) {
      if (property in methods) return Reflect.get(methods, property);
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
