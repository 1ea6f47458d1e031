/** The error of a store that has no such instance. */
import { ProviderError } from "@duroxide-ts/core";

export function isNotFound(error: unknown): boolean {
  return ProviderError.is(error) && error.code === "instance-not-found";
}
