/**
 * Answers the requests of the dashboard.
 *
 * 1. Nothing of the store is read before `authorize` has named a user with a role that exists; whatever else it returns
 *    names nobody. Assets are files of this package, and public; `/live` says only that the process answers.
 * 2. Nothing is changed by a GET, by a viewer, by a read-only dashboard, or by a request of another origin.
 * 3. Every answer, those of errors included, has the security headers.
 * 4. An unexpected error is logged; its message does not leave the server.
 */
import {
  type Authorize,
  GONE,
  json,
  pathBelow,
  Refused,
  refusal,
  type User,
  userOf,
} from "@duroxide-ts/core/web";
import type { Door, DoorAnswer } from "./access/door.ts";
import { Assets } from "./assets/assets.ts";
import { plainPage, shell } from "./assets/shell.ts";
import type { Settings } from "./dashboard-options.ts";
import { errorAnswer } from "./http/error-answer.ts";
import { readBody } from "./http/read-body.ts";
import { ReadTurns } from "./http/read-turns.ts";
import { checkAction, checkHost } from "./http/request-guard.ts";
import { secured } from "./http/security-headers.ts";
import { health } from "./monitoring/health.ts";
import { metrics } from "./monitoring/metrics.ts";
import type { Call } from "./routes/route.ts";
import { ACT_ROUTES, READ_ROUTES } from "./routes/routes.ts";

const NOT_SIGNED_IN =
  "<h1>Not signed in</h1><p>This server does not know you, or you may not see its dashboard.</p>";

export class Site {
  readonly #settings: Settings;
  readonly #assets: Assets;
  readonly #authorize: Authorize;
  readonly #door: Door | undefined;
  readonly #turns = new ReadTurns();

  constructor(settings: Settings, authorize: Authorize, door?: Door) {
    this.#settings = settings;
    this.#assets = Assets.read();
    this.#authorize = authorize;
    this.#door = door;
  }

  async answer(request: Request): Promise<Response> {
    try {
      return secured(await this.#route(request, new URL(request.url)));
    } catch (error) {
      if (request.signal.aborted) return secured(new Response(null, { status: GONE }));
      return secured(errorAnswer(error, this.#settings.source.redacts) ?? this.#unexpected(error));
    }
  }

  async #route(request: Request, url: URL): Promise<Response> {
    const { guard, basePath } = this.#settings;
    checkHost(request, url, guard);
    const path = pathBelow(url.pathname, basePath) ?? this.#pathBehindProxy(url.pathname);
    if (path === undefined) throw new Refused(404, "not-found", "there is nothing here");
    if (path.startsWith("assets/")) return this.#asset(path);
    if (path === "live") return json({ live: true });
    const admitted = await this.#door?.answer(request, path);
    if (admitted !== undefined) return this.#admit(admitted);
    const user = await this.#userOf(request);
    if (user === undefined) return this.#stranger(path);
    if (request.method === "GET" || request.method === "HEAD") return this.#read(request, url, path, user);
    if (request.method !== "POST") throw new Refused(405, "wrong-method", "only GET and POST are answered");
    return this.#act(request, url, path, user);
  }

  /** A dashboard with a door owns its whole server, so a proxy in front may have cut the base path off. */
  #pathBehindProxy(pathname: string): string | undefined {
    return this.#door === undefined ? undefined : pathname.slice(1);
  }

  async #userOf(request: Request): Promise<User | undefined> {
    return userOf(this.#authorize, request, (message) =>
      this.#settings.source.warnings.write("dashboard_no_user", message),
    );
  }

  async #read(request: Request, url: URL, path: string, user: User): Promise<Response> {
    const { source, meter } = this.#settings;
    if (path === "metrics") return metrics(source, meter);
    if (path === "health") return health(source);
    if (!path.startsWith("api/")) return this.#page(path);
    const route = READ_ROUTES.get(path.slice("api/".length));
    if (route === undefined) throw new Refused(404, "not-found", "there is no such route");
    const call = this.#call(request, url, user);
    const read = (): Promise<object> => route.read(call);
    const { requestUnits: before } = source.acting;
    const found = await (route.isLong ? this.#turns.run(call.signal, read) : read());
    return found instanceof Response ? found : json(priced(found, before, source.acting.requestUnits));
  }

  async #act(request: Request, url: URL, path: string, user: User): Promise<Response> {
    checkAction(request, this.#settings.guard);
    const route = path.startsWith("api/") ? ACT_ROUTES.get(path.slice("api/".length)) : undefined;
    if (route === undefined) throw new Refused(404, "not-found", "there is no such route");
    if (this.#settings.source.readOnly) throw new Refused(403, "read-only", "this dashboard is read-only");
    if (user.role !== "operator") throw new Refused(403, "wrong-role", "viewers cannot act; ask an operator");
    const body = await readBody(request);
    const done = await route.act({ ...this.#call(request, url, user), body });
    return done instanceof Response ? done : json(done);
  }

  #call(request: Request, url: URL, user: User): Call {
    const { source } = this.#settings;
    return { source, user, query: url.searchParams, body: {}, signal: request.signal };
  }

  /** Every path without a dot is a place of the page, and so is that of an instance, whatever its id. */
  #page(path: string): Response {
    if (!path.startsWith("instances/") && (path.includes(".") || path.includes("//")))
      throw new Refused(404, "not-found", "there is nothing here");
    const { basePath, source } = this.#settings;
    return html(shell(this.#assets, { basePath, title: source.title, signsOut: this.#door !== undefined }));
  }

  /**
   * Answers with the file of this version: during an update, pages of another ask for theirs here. This is no redirect,
   * because what is imported under two addresses would be two modules.
   */
  #asset(path: string): Response {
    const [, digest = "", ...rest] = path.split("/");
    const asset = this.#assets.get(rest.join("/"));
    if (asset === undefined) throw new Refused(404, "not-found", "there is no such file");
    const isOwn = digest === this.#assets.digest;
    return new Response(asset.body, {
      headers: {
        "content-type": asset.contentType,
        "cache-control": isOwn ? "public, max-age=31536000, immutable" : "no-store",
      },
    });
  }

  #stranger(path: string): Response {
    const message = "sign in first";
    if (path.startsWith("api/")) return refusal(401, "not-signed-in", message);
    const { basePath } = this.#settings;
    return html(plainPage(this.#assets, basePath, { body: this.#door?.page ?? NOT_SIGNED_IN }), 401);
  }

  #admit({ status, head, body, cookie }: DoorAnswer): Response {
    const content = head === undefined ? { body } : { head, body };
    const response = html(plainPage(this.#assets, this.#settings.basePath, content), status);
    if (cookie !== undefined) response.headers.append("set-cookie", cookie);
    return response;
  }

  #unexpected(error: unknown): Response {
    this.#settings.source.logger.error(
      { event: "dashboard_failed", error },
      "the dashboard failed to answer",
    );
    return refusal(500, "internal", "the dashboard failed to answer; its log has the reason");
  }
}

/**
 * Adds what the provider has been charged meanwhile, for the pace of the page, where the answer has no cost of its own. It
 * has the requests of others beside it, so it is an upper bound.
 */
function priced(found: object, before = 0, after = 0): object {
  if (after === before || "requestUnits" in found) return found;
  return { ...found, requestUnits: Math.round((after - before) * 100) / 100 };
}

function html(body: string, status = 200): Response {
  return new Response(body, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}
