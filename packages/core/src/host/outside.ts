/**
 * Calls outside all async contexts (`AsyncLocalStorage`) of the program: what runs for longer than the request that
 * began it, or for the work of others, must not see the data of that request (docs/decisions/observers.md).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { shared } from "./shared.ts";

/**
 * Runs `call` in the context in which the package was loaded first. What the call enters itself ends with it, where
 * `AsyncLocalStorage.run` would restore only its own storage.
 */
export const outside: <T>(call: () => T) => T = shared("outside.1", () => AsyncLocalStorage.snapshot());
