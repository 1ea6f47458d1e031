/** Errors of a store that has no such instance, and of a server that does not serve the store as a whole. */
import { ProviderError } from "@duroxide-ts/core/client";

export function isNotFound(error: unknown): boolean {
  return ProviderError.is(error) && error.code === "instance-not-found";
}

export function isUnserved(error: unknown): boolean {
  return ProviderError.is(error) && error.code === "unsupported";
}
