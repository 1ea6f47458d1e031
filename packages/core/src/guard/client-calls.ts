/**
 * Clients in orchestration code. A store in the same process may answer within the turn, so that the wait for it is not
 * noticed as one for something that is not durable; a replay would read, or send, again.
 *
 * Imports nothing, because programs that only have a client load it too.
 */

/** While a runtime uses the guard. */
let check: (() => void) | undefined;

/** Returns a function that ends the checks. */
export function checkClientCalls(checkCall: () => void): () => void {
  check = checkCall;
  return () => {
    check = undefined;
  };
}

/** The same object for all other code; in orchestration code the use of a method is checked. */
export function outsideOrchestrations<T extends object>(provider: T): T {
  return new Proxy(provider, {
    get(target, key) {
      check?.();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
