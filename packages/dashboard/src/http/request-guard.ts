/**
 * Conditions of a request, checked before its sender is asked for.
 *
 * 1. Where hosts are given, the Host names one of them: a name of another's domain that resolves to this machine
 *    reaches nothing (DNS rebinding).
 * 2. A POST comes from a page of this origin. Browsers send Origin with each POST; a request without it is refused.
 * 3. A POST has a header that forms cannot send and that other origins may send only after a preflight, which is
 *    never granted; and its body is declared as JSON.
 */
import { isOwnOrigin, Refused } from "@duroxide-ts/core/web";

/** The header of rule 3. */
export const ACTION_HEADER = "x-duroxide-action";

export interface GuardSettings {
  /** Host names without port, in lower case. Absent: any. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** Further origins of this page, where a proxy changes the host. */
  readonly origins: ReadonlySet<string>;
}

export function checkHost(request: Request, url: URL, { hosts }: GuardSettings): void {
  if (hosts === undefined) return;
  const named = request.headers.get("host");
  const host = named === null ? url.hostname : hostnameOf(named);
  if (host !== undefined && hosts.has(host)) return;
  throw new Refused(421, "wrong-host", "this server does not answer for this host name");
}

export function checkAction(request: Request, { origins }: GuardSettings): void {
  const origin = request.headers.get("origin");
  if (origin === null || !(origins.has(origin) || isOwnOrigin(origin, request))) {
    throw new Refused(403, "wrong-origin", "an action must come from a page of this server");
  }
  if (request.headers.get("sec-fetch-site") === "cross-site") {
    throw new Refused(403, "wrong-origin", "an action must come from a page of this server");
  }
  if (request.headers.get(ACTION_HEADER) !== "1") {
    throw new Refused(403, "missing-header", `an action needs the header ${ACTION_HEADER}: 1`);
  }
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refused(415, "not-json", "the body of an action is application/json");
  }
}

function hostnameOf(host: string): string | undefined {
  const text = `http://${host}`;
  return URL.canParse(text) ? new URL(text).hostname : undefined;
}
