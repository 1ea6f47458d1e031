/** The dashboard as one function from a Request to a Response, for a server that exists already. */
import { ConfigurationError } from "@duroxide-ts/core";
import { type DashboardOptions, readOptions } from "./dashboard-options.ts";
import { Site } from "./site.ts";

/** Answers requests below its base path. It never rejects. */
export type DashboardHandler = (request: Request) => Promise<Response>;

/**
 * The dashboard for a server of yours. ConfigurationError for options that do not fit.
 *
 * @example
 * ```ts
 * import { dashboard } from "@duroxide-ts/dashboard";
 *
 * const handler = dashboard({
 *   client,
 *   basePath: "/duroxide",
 *   authorize: (request) =>
 *     request.headers.get("x-forwarded-user") === "ada" ? { user: "ada", role: "operator" } : undefined,
 * });
 * const response = await handler(request);
 * ```
 */
export function dashboard(options: DashboardOptions): DashboardHandler {
  if (typeof options?.authorize !== "function") {
    throw new ConfigurationError(
      "dashboard: give authorize, a function that names the user of a request; there is no default",
    );
  }
  const site = new Site(readOptions(options), options.authorize);
  return (request) => site.answer(request);
}
