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

/** Called wherever a client is about to use its store. In orchestration code it throws, or warns. */
export function checkClientCall(): void {
  check?.();
}
