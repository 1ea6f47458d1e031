/** Calls of a `Client` that have no route. */
import { ProviderError } from "@duroxide-ts/core/browser";

/** The error of a call that needs the store itself. */
export function unsupported(call: string): ProviderError {
  return new ProviderError({
    code: "unsupported",
    operation: call,
    message: "this needs access to the store; use a Client in a process that has it",
  });
}
