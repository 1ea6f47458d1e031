/**
 * Orchestrations over HTTP, as one function from a Request to a Response.
 *
 * - http.HT1: Nothing of the store or of the orchestrations is read before `authorize` has named a user with a role that
 *   exists; whatever else it returns names nobody.
 * - http.HT2: Nothing is changed by a GET, by a viewer, or by a page of another origin that is not one of `origins`.
 * - http.HT3: The handler never rejects. An unexpected error is logged; its message does not leave the server.
 */
import { pathBelow, Refused, refusal, userOf, type WebHandler } from "@duroxide-ts/core/web";
import { errorAnswer } from "./error-answer.ts";
import { type HttpOptions, readOptions, type Settings } from "./http-options.ts";
import { checkOrigin, preflight, shared } from "./request/origins.ts";
import { type Found, find } from "./routes/routes.ts";

/**
 * The routes of orchestrations for a server of yours. ConfigurationError for options that do not fit.
 *
 * @example
 * ```ts
 * import { http } from "@duroxide-ts/http";
 *
 * const handler = http({
 *   client,
 *   orchestrations: [checkout],
 *   authorize: ({ headers }) =>
 *     headers.get("authorization") === `Bearer ${process.env["API_TOKEN"]}`
 *       ? { user: "shop", role: "operator" }
 *       : undefined,
 * });
 * const response = await handler(request);
 * ```
 */
export function http(options: HttpOptions): WebHandler {
  const settings = readOptions(options);
  const tell = (error: unknown, request: Request): Response => {
    try {
      return errorAnswer(error, request, settings);
    } catch (second) {
      // A failure whose details cannot be written as JSON.
      settings.logger.error({ event: "http_failed", error: second }, "a request failed");
      return refusal(500, "internal", "the request failed; the log of the server has the reason");
    }
  };
  return async (request) => {
    const response = await answer(request, settings).catch((error: unknown) => tell(error, request));
    const sent = request.method === "HEAD" ? await withoutBody(response) : response;
    return shared(sent, request, settings.origins);
  };
}

async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel().catch(() => {});
  return new Response(null, response);
}

async function answer(request: Request, settings: Settings): Promise<Response> {
  const url = new URL(request.url);
  const path = pathBelow(url.pathname, settings.basePath);
  if (path === undefined)
    throw new Refused(404, "not-found", "there is nothing here; check the base path of the address");
  const asked = preflight(request, settings.origins);
  if (asked !== undefined) return asked;
  const user = await userOf(settings.authorize, request, (message) =>
    settings.warnings.write("http_no_user", message),
  );
  if (user === undefined)
    throw new Refused(401, "not-signed-in", "the sender of the request is not known; sign in");
  const found = find(path, (name) => settings.orchestrations.some((one) => one.name === name));
  if (found === undefined) {
    throw new Refused(404, "not-found", "there is no such route or orchestration; check the address");
  }
  const isRead = request.method === "GET" || request.method === "HEAD";
  const route = isRead ? found.get : request.method === "POST" ? found.post : undefined;
  if (route === undefined) return wrongMethod(found);
  if (!isRead) {
    checkOrigin(request, settings.origins);
    if (user.role !== "operator" && found.onlyReads !== true)
      throw new Refused(403, "wrong-role", "viewers may only read; ask an operator");
  }
  return route({ request, url, settings, user, segments: found.segments });
}

function wrongMethod({ get, post }: Found): Response {
  const allow = [...(get === undefined ? [] : ["GET", "HEAD"]), ...(post === undefined ? [] : ["POST"])].join(
    ", ",
  );
  const response = refusal(405, "wrong-method", `this address answers ${allow}`);
  response.headers.set("allow", allow);
  return response;
}
