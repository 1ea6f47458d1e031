/** Checks that anything but a user, returned by `authorize`, is refused everywhere before the store is asked. */
import { type Provider, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { type DashboardOptions, dashboard } from "../../src/index.ts";
import { ACT_ROUTES, READ_ROUTES } from "../../src/routes/routes.ts";

class Account {
  readonly name = "ada";
  readonly role = "operator";
}

class Member {
  get user(): string {
    return "ada";
  }
  get role(): string {
    return "viewer";
  }
}

const NOBODY: readonly (readonly [string, () => unknown])[] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["false", () => false],
  ["true", () => true],
  ["0", () => 0],
  ["1", () => 1],
  ["an empty text", () => ""],
  ["a name", () => "ada"],
  ["an empty object", () => ({})],
  ["a user within a list", () => [{ user: "ada", role: "operator" }]],
  ["a list of a name and a role", () => ["ada", "operator"]],
  ["a promise of null", async () => null],
  ["a thenable of null", () => thenable(null)],
  ["a thenable of false", () => thenable(false)],
  ["a name without a role", () => ({ user: "ada" })],
  ["a role without a name", () => ({ role: "viewer" })],
  ["an unknown role", () => ({ user: "ada", role: "admin" })],
  ["a role in capitals", () => ({ user: "ada", role: "Viewer" })],
  ["a name of every object as a role", () => ({ user: "ada", role: "constructor" })],
  ["a list of roles", () => ({ user: "ada", role: ["viewer"] })],
  ["a role that is an object", () => ({ user: "ada", role: new String("operator") })],
  ["an empty name", () => ({ user: "", role: "operator" })],
  ["a name that is null", () => ({ user: null, role: "operator" })],
  ["a name that is an object", () => ({ user: { name: "ada" }, role: "operator" })],
  ["a user within a session", () => ({ user: { user: "ada", role: "viewer" } })],
  ["a name that throws", () => Object.defineProperty({ role: "viewer" }, "user", { get: fail })],
  ["a role that throws", () => Object.defineProperty({ user: "ada" }, "role", { get: fail })],
  ["an object of which nothing can be read", hostile],
  ["an object of another class", () => new Account()],
  ["a function", () => () => ({ user: "ada", role: "viewer" })],
  ["a response", () => Response.redirect("https://login.example/")],
  ["an error", () => new Error("no session")],
];

function thenable(value: unknown): object {
  // biome-ignore lint/suspicious/noThenProperty: libraries return such objects.
  return { then: (resolve: (value: unknown) => void) => resolve(value) };
}

function fail(): never {
  throw new Error("the directory does not answer");
}

function hostile(): object {
  return new Proxy({ user: "ada", role: "viewer" }, { get: (_, name) => (name === "then" ? null : fail()) });
}

/** Counts the calls of the store. */
function counted(provider: Provider): { readonly provider: Provider; calls(): number } {
  let calls = 0;
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value === "object" && value !== null) return wrap(value);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          calls++;
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  return { provider: wrap(provider), calls: () => calls };
}

const ROOT = "https://ops.example.com";
const ACTION = { origin: ROOT, "content-type": "application/json", "x-duroxide-action": "1" };

const REQUESTS: readonly Request[] = [
  ...["", "instances", "health", "metrics", "api/nothing"].map((path) => new Request(`${ROOT}/${path}`)),
  ...[...READ_ROUTES.keys()].map((path) => new Request(`${ROOT}/api/${path}?id=order-1`)),
  ...[...ACT_ROUTES.keys()].map(
    (path) => new Request(`${ROOT}/api/${path}`, { method: "POST", headers: ACTION, body: "{}" }),
  ),
];

const optionsOf = (authorize: () => unknown, more: Partial<DashboardOptions> = {}): DashboardOptions => ({
  provider: new MemoryProvider(),
  logger: silentLogger,
  ...more,
  authorize: authorize as DashboardOptions["authorize"],
});

describe("where authorize returns", () => {
  it.each(NOBODY)("%s, every route answers 401 and the store is not asked", async (_what, authorize) => {
    const { provider, calls } = counted(new MemoryProvider());
    const handler = dashboard(optionsOf(authorize, { provider, title: "orders.db" }));
    const before = calls();
    for (const request of REQUESTS) {
      const response = await handler(request.clone());
      expect([request.url, response.status]).toEqual([request.url, 401]);
      expect(await response.text()).not.toContain("orders.db");
    }
    expect(calls()).toBe(before);
  });

  it("a user of a class, whose name and role are read by getters, the user is known", async () => {
    const handler = dashboard(optionsOf(() => new Member()));
    const session = await handler(new Request(`${ROOT}/api/session`));
    expect(await session.json()).toMatchObject({ user: "ada", role: "viewer" });
  });

  it("more than a name and a role, the page gets only these", async () => {
    const handler = dashboard(optionsOf(() => ({ user: "ada", role: "viewer", password: "s3cret" })));
    expect(await (await handler(new Request(`${ROOT}/api/session`))).text()).not.toContain("s3cret");
  });

  it("a role that changes from read to read, the first one counts", async () => {
    const roles = ["viewer", "operator"];
    const user = Object.defineProperty({ user: "ada" }, "role", { get: () => roles.shift() ?? "operator" });
    const act = REQUESTS.find(({ url }) => url.endsWith("/act"));
    const response = await dashboard(optionsOf(() => user))(act?.clone() ?? new Request(ROOT));
    expect(response.status).toBe(403);
  });

  it("what is neither a user nor undefined, the log says what is expected, once a minute", async () => {
    const warnings: unknown[] = [];
    const clock = new VirtualClock();
    const logger = { ...silentLogger, warn: (fields: object) => warnings.push(fields) };
    const handler = dashboard(optionsOf(() => ({ user: "ada", role: "admin" }), { logger, clock }));
    for (let n = 0; n < 3; n++) await handler(new Request(`${ROOT}/api/session`));
    expect(warnings).toEqual([{ event: "dashboard_no_user" }]);
    await clock.advance(60_000);
    for (let n = 0; n < 3; n++) await handler(new Request(`${ROOT}/api/session`));
    expect(warnings).toHaveLength(2);
  });
});
