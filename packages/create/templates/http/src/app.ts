/** The service as a function of its store, so that tests run it without a port. */
import { Client, type Provider } from "@duroxide-ts/core";
import { dashboard, healthHandler } from "@duroxide-ts/dashboard";
import { http } from "@duroxide-ts/http";
import { Hono } from "hono";
import { checkout } from "./orders.ts";

export interface AppOptions {
  readonly provider: Provider;
  /** Secret of callers and, as a password, of operators. Without one everybody may do everything. */
  readonly token?: string | undefined;
  /** Ends open waits when the service stops. */
  readonly signal?: AbortSignal;
}

export function createApp({ provider, token, signal }: AppOptions): Hono {
  const client = new Client(provider);
  const orchestrations = [checkout];
  const authorize = ({ headers }: Request) =>
    token === undefined || isToken(headers.get("authorization"), token)
      ? ({ user: "shop", role: "operator" } as const)
      : undefined;
  const orders = http({ client, orchestrations, authorize, basePath: "/api", ...(signal && { signal }) });
  const operators = dashboard({ client, orchestrations, authorize, basePath: "/ops", title: "Shop" });
  const health = healthHandler({ provider });

  const app = new Hono();
  app.get("/", (context) => context.redirect("/ops"));
  app.get("/health", (context) => health(context.req.raw));
  app.all("/api/*", (context) => orders(context.req.raw));
  app.use("/ops", askForPassword);
  app.use("/ops/*", askForPassword);
  app.all("/ops", (context) => operators(context.req.raw));
  app.all("/ops/*", (context) => operators(context.req.raw));
  return app;

  /** A browser asks for a name, which may be any, and a password. */
  async function askForPassword(
    context: { readonly req: { readonly raw: Request } },
    next: () => Promise<void>,
  ) {
    if (authorize(context.req.raw) !== undefined) return next();
    return new Response("Sign in", { status: 401, headers: { "www-authenticate": 'Basic realm="Shop"' } });
  }
}

/** `Bearer TOKEN` of programs, or `Basic` with the token as password. */
function isToken(authorization: string | null, token: string): boolean {
  const [scheme, value = ""] = (authorization ?? "").split(" ");
  if (scheme === "Bearer") return value === token;
  return scheme === "Basic" && atob(value).replace(/^[^:]*:/, "") === token;
}
