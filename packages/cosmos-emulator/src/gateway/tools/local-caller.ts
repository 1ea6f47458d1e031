/**
 * Restricts the endpoint's own routes, which need no signature, to programs and pages of this machine and to callers
 * with the account's key. A browser on this machine must not let a page of another site reach them, neither directly
 * nor by a host name that resolves to this machine.
 */
import { timingSafeEqual } from "node:crypto";
import { textHeader } from "../headers/headers.ts";
import { isLoopbackName } from "../requests/called-host.ts";
import { forbidden } from "../requests/refusals.ts";
import type { GatewayRequest } from "../requests/request.ts";

/** The header in which other machines show the account's key. */
export const KEY_HEADER = "x-emulator-key";

/** Throws 403 for any other caller. */
export function requireLocalCaller(request: GatewayRequest, key: string): void {
  if (showsKey(request, key)) return;
  if (!request.fromLoopback || !isLoopbackName(new URL(request.origin).hostname)) {
    throw forbidden(
      `Only this machine may use ${request.rawPath} as it is: send the account's key in ${KEY_HEADER}.`,
    );
  }
  if (isFromAnotherSite(request)) {
    throw forbidden("A page of another site may not use the endpoint's own routes.");
  }
}

function showsKey(request: GatewayRequest, key: string): boolean {
  const shown = Buffer.from(textHeader(request.headers, KEY_HEADER) ?? "");
  const expected = Buffer.from(key);
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}

/** Browsers say in these headers where a request comes from; programs do not send them. */
function isFromAnotherSite(request: GatewayRequest): boolean {
  const { "sec-fetch-site": site, origin } = request.headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  return origin !== undefined && origin !== request.origin;
}
