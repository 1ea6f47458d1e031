/** Attempts that are refused, one a row: without authorization nothing is readable, and nothing changes. */
import { Client, ConfigurationError, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { type DashboardHandler, type DashboardUser, dashboard, startDashboard } from "../../src/index.ts";

const HOST = "ops.example.com";
const ROOT = `https://${HOST}/duroxide`;

interface Attempt {
  readonly what: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

const SIGNED_IN = { "x-user": "ada", "x-role": "operator" };
const ACTION = {
  ...SIGNED_IN,
  origin: `https://${HOST}`,
  "content-type": "application/json",
  "x-duroxide-action": "1",
};
const CANCEL = {
  path: "/api/act",
  method: "POST",
  body: '{"verb":"cancel","id":"order-1","reason":"x"}',
} as const;

const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(ACTION).filter(([key]) => key !== name));

const ATTEMPTS: readonly Attempt[] = [
  { what: "the page without a user", path: "", status: 401 },
  { what: "a place of the page without a user", path: "/instances", status: 401 },
  { what: "the list without a user", path: "/api/instances", status: 401 },
  { what: "an unknown route without a user", path: "/api/nothing", status: 401 },
  { what: "an action without a user", ...CANCEL, headers: without("x-user"), status: 401 },
  { what: "an action by a viewer", ...CANCEL, headers: { ...ACTION, "x-role": "viewer" }, status: 403 },
  { what: "an action by an unknown role", ...CANCEL, headers: { ...ACTION, "x-role": "admin" }, status: 401 },
  {
    what: "an action from another origin",
    ...CANCEL,
    headers: { ...ACTION, origin: "https://evil.example" },
    status: 403,
  },
  {
    what: "an action from another port",
    ...CANCEL,
    headers: { ...ACTION, origin: `https://${HOST}:8443` },
    status: 403,
  },
  { what: "an action from no origin", ...CANCEL, headers: without("origin"), status: 403 },
  { what: "an action from an opaque origin", ...CANCEL, headers: { ...ACTION, origin: "null" }, status: 403 },
  {
    what: "an action that the browser calls cross-site",
    ...CANCEL,
    headers: { ...ACTION, "sec-fetch-site": "cross-site" },
    status: 403,
  },
  { what: "an action without the header", ...CANCEL, headers: without("x-duroxide-action"), status: 403 },
  {
    what: "an action as a form",
    ...CANCEL,
    headers: { ...ACTION, "content-type": "text/plain" },
    status: 415,
  },
  { what: "an action by GET", path: "/api/act?verb=cancel&id=order-1", headers: SIGNED_IN, status: 404 },
  { what: "an action by PUT", ...CANCEL, method: "PUT", headers: ACTION, status: 405 },
  {
    what: "a preflight",
    path: "/api/act",
    method: "OPTIONS",
    headers: { ...SIGNED_IN, origin: "https://evil.example" },
    status: 405,
  },
  {
    what: "an unknown action",
    ...CANCEL,
    headers: ACTION,
    body: '{"verb":"constructor","id":"order-1"}',
    status: 400,
  },
  { what: "a body that is no JSON", ...CANCEL, headers: ACTION, body: "verb=cancel", status: 400 },
  { what: "a body that is no object", ...CANCEL, headers: ACTION, body: "[]", status: 400 },
  {
    what: "a huge body",
    ...CANCEL,
    headers: ACTION,
    body: `{"verb":"${"x".repeat(4_100_000)}"}`,
    status: 413,
  },
  {
    what: "another host",
    path: "/api/instances",
    headers: { ...SIGNED_IN, host: "evil.example" },
    status: 421,
  },
  {
    what: "another host, for an asset",
    path: "/assets/x/style.css",
    headers: { host: "evil.example:80" },
    status: 421,
  },
  { what: "a path beside the base", path: "-not/api/instances", headers: SIGNED_IN, status: 404 },
  { what: "a path that climbs", path: "/assets/../../api/instances", headers: SIGNED_IN, status: 404 },
  {
    what: "an encoded path that climbs",
    path: "/assets/x/..%2f..%2f..%2fpackage.json",
    headers: SIGNED_IN,
    status: 404,
  },
  { what: "an asset that is gone", path: "/assets/0/page/gone.ts", headers: SIGNED_IN, status: 404 },
  { what: "a file name", path: "/package.json", headers: SIGNED_IN, status: 404 },
  { what: "a path with two slashes", path: "//evil.example", headers: SIGNED_IN, status: 404 },
  { what: "a name of every object as a route", path: "/api/__proto__", headers: SIGNED_IN, status: 404 },
  { what: "a missing parameter", path: "/api/instance", headers: SIGNED_IN, status: 400 },
  {
    what: "a number that is none",
    path: "/api/timeline?id=order-1&execution=-1",
    headers: SIGNED_IN,
    status: 400,
  },
];

function handlerOf(provider: MemoryProvider, more: { readonly readOnly?: boolean } = {}): DashboardHandler {
  return dashboard({
    provider,
    basePath: "/duroxide",
    hosts: [HOST],
    logger: silentLogger,
    authorize(request): DashboardUser | undefined {
      const user = request.headers.get("x-user");
      const role = request.headers.get("x-role") as "viewer" | "operator";
      return user === null ? undefined : { user, role };
    },
    ...more,
  });
}

function send(
  handler: DashboardHandler,
  { path, method = "GET", headers = {}, body }: Omit<Attempt, "what" | "status">,
): Promise<Response> {
  return handler(new Request(`${ROOT}${path}`, { method, headers, ...(body !== undefined && { body }) }));
}

describe("a refused attempt", () => {
  const provider = new MemoryProvider();
  const handler = handlerOf(provider);
  beforeAll(async () => {
    await new Client(provider, { logger: silentLogger }).start("checkout", { instanceId: "order-1" });
  });

  it.each(ATTEMPTS)("$what: $status", async ({ status, ...attempt }) => {
    const before = await new Client(provider).admin.queueDepths();
    const response = await send(handler, attempt);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(await response.text()).not.toContain("checkout");
    expect(await new Client(provider).admin.queueDepths()).toEqual(before);
  });

  it("every action, on a dashboard that is read-only", async () => {
    const response = await send(handlerOf(provider, { readOnly: true }), { ...CANCEL, headers: ACTION });
    expect(response.status).toBe(403);
  });

  it("an unexpected error of authorize, without its message", async () => {
    const broken = dashboard({
      provider,
      logger: silentLogger,
      authorize: () => {
        throw new Error("secret of the directory");
      },
    });
    const response = await broken(new Request("https://ops.example.com/api/session"));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
  });

  it.each([
    ["https", "443", 200],
    ["http", "80", 200],
    ["http", "443", 403],
    ["https", "80", 403],
  ])(
    "an action of a page of %s where a proxy writes the port %s into the Host: %i",
    async (scheme, port, status) => {
      const headers = { ...ACTION, host: `${HOST}:${port}`, origin: `${scheme}://${HOST}` };
      const response = await send(handler, { ...CANCEL, body: '{"verb":"suspend","id":"x"}', headers });
      expect(response.status === 403 ? 403 : 200).toBe(status);
    },
  );

  it("a sender who goes within the body is no failure of the dashboard", async () => {
    const gone = new AbortController();
    const logged: string[] = [];
    const error = (_fields: unknown, message: string): void => void logged.push(message);
    const quiet = dashboard({
      provider,
      logger: { ...silentLogger, error },
      authorize: () => ({ user: "ada", role: "operator" }),
    });
    const body = new ReadableStream({
      pull(controller) {
        gone.abort();
        controller.error(new Error("aborted"));
      },
    });
    const init = { method: "POST", headers: ACTION, body, signal: gone.signal, duplex: "half" } as const;
    expect((await quiet(new Request(`https://${HOST}/api/act`, init))).status).toBe(499);
    expect(logged).toEqual([]);
  });

  it("an action that fits is done", async () => {
    const response = await send(handler, { ...CANCEL, headers: ACTION });
    expect(response.status).toBe(200);
    expect((await new Client(provider).admin.queueDepths()).orchestratorQueue).toBe(2);
  });
});

const refuseAll = (): undefined => undefined;

describe("a dashboard", () => {
  it.each([
    ["without authorize", { provider: new MemoryProvider() }],
    ["without a store", { authorize: refuseAll }],
    ["with an unknown option", { provider: new MemoryProvider(), authorize: refuseAll, basepath: "/x" }],
    ...[null, 0, "", "no"].map((readOnly): [string, object] => [
      `with ${JSON.stringify(readOnly)} for readOnly`,
      { provider: new MemoryProvider(), authorize: refuseAll, readOnly },
    ]),
    [
      "with a base path that ends with a slash",
      { provider: new MemoryProvider(), authorize: refuseAll, basePath: "/x/" },
    ],
  ])("%s is not made", (_name, options) => {
    expect(() => dashboard(options as never)).toThrow(ConfigurationError);
  });

  it("is not started on an address that others reach, without a token", async () => {
    await expect(startDashboard({ provider: new MemoryProvider(), host: "0.0.0.0" })).rejects.toThrow(
      ConfigurationError,
    );
    await expect(startDashboard({ provider: new MemoryProvider(), token: "short" })).rejects.toThrow(
      ConfigurationError,
    );
    await expect(startDashboard({ provider: new MemoryProvider(), port: 0, user: "" })).rejects.toThrow(
      ConfigurationError,
    );
  });
});
