/** Errors of a store that has no such instance, and of one that cannot do what is asked, or whose server does not. */
import { ProviderError } from "@duroxide-ts/core/client";

export function isNotFound(error: unknown): boolean {
  return ProviderError.is(error) && error.code === "instance-not-found";
}

export function isUnsupported(error: unknown): boolean {
  return ProviderError.is(error) && error.code === "unsupported";
}
