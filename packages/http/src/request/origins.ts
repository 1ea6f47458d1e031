/**
 * Pages of other origins. A browser sends its cookies with what such a page asks for, and `authorize` may go by them.
 *
 * - origins.OR1: A page of another origin changes nothing, unless its origin is one of those given. Browsers say where a
 *   request comes from in `Sec-Fetch-Site`, older ones in `Origin`; programs say nothing, and pass.
 * - origins.OR2: It reads nothing either: only for origins that are given, the answer lets the browser show it.
 */
import { isOwnOrigin, Refused } from "@duroxide-ts/core/web";

type Origins = ReadonlySet<string>;

/** Refuses a change that a page of another origin asks for (origins.OR1). */
export function checkOrigin(request: Request, origins: Origins): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return;
  if (origin !== null && origins.has(origin)) return;
  const isPage = site !== null || origin !== null;
  if (!isPage || (site === null && origin !== null && isOwnOrigin(origin, request))) return;
  throw new Refused(
    403,
    "wrong-origin",
    "a page of another origin asked for this; name its origin in the option origins, if it may",
  );
}

/** The answer to the question of a browser whether it may send a request; `undefined` for what is no such question. */
export function preflight(request: Request, origins: Origins): Response | undefined {
  const { headers, method } = request;
  if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
  const origin = headers.get("origin");
  if (origin === null || !origins.has(origin)) {
    return new Response(null, { status: 204, headers: { vary: "origin" } });
  }
  const answer = new Response(null, { status: 204 });
  answer.headers.set("access-control-allow-methods", "GET, HEAD, POST");
  answer.headers.set("access-control-allow-headers", headers.get("access-control-request-headers") ?? "");
  answer.headers.set("access-control-max-age", "600");
  return answer;
}

/** The answer with what lets the page read it (origins.OR2). */
export function shared(response: Response, { headers }: Request, origins: Origins): Response {
  const origin = headers.get("origin");
  if (origin === null || !origins.has(origin)) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-allow-credentials", "true");
  response.headers.set("access-control-expose-headers", "location, retry-after");
  response.headers.append("vary", "origin");
  return response;
}
