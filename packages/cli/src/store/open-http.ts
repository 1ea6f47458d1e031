/** A server with the routes of `@duroxide-ts/http`, for a machine without access to the store. */
import { type AnyClient, ProviderError } from "@duroxide-ts/core/client";
import { HttpClient } from "@duroxide-ts/http/client";

/** The token in the environment is sent as a bearer token. */
export function openHttp(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): AnyClient {
  const token = environment["DUROXIDE_TOKEN"]?.trim() ?? "";
  return new HttpClient(address, token === "" ? {} : { headers: { authorization: `Bearer ${token}` } });
}

/** The error of a verb that needs the store itself. */
export function needsStore(): ProviderError {
  return new ProviderError({
    code: "unsupported",
    operation: "open",
    message: "this verb needs the store itself; name it with --store on a machine that has access to it",
  });
}
