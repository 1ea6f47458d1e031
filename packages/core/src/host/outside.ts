/**
 * Calls outside all async contexts (`AsyncLocalStorage`) of the program: what runs for longer than the request that
 * began it, or for the work of others, must not see the data of that request (docs/decisions/observers.md).
 */
import { AsyncResource } from "node:async_hooks";
import { shared } from "./shared.ts";

/**
 * Runs `call` in the context in which the package was loaded first. What the call enters itself ends with it, where
 * `AsyncLocalStorage.run` would restore only its own storage. Each call has a resource of its own, because Node 22 keeps
 * there what a call enters: `AsyncLocalStorage.snapshot` would show it to all later calls.
 */
export const outside: <T>(call: () => T) => T = shared("outside.1", () => {
  const loaded = new AsyncResource("duroxide");
  return <T>(call: () => T): T =>
    loaded.runInAsyncScope(() =>
      new AsyncResource("duroxide", { requireManualDestroy: true }).runInAsyncScope(call),
    );
});
