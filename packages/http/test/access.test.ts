/** Who may do what, which pages of browsers may, and what is at no address. */
import { InvalidInputError } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type HttpOptions, http, type User } from "../src/index.ts";
import { openShop, withShop } from "./support/shop.ts";

const READS = ["/instances/a", "/instances/a/result", "/openapi.json"];
const CHANGES = [
  "/echo",
  "/instances/a/cancel",
  "/instances/a/events/x",
  "/instances/a/queues/x",
  "/instances/a/ask/x",
];

describe("authorize", () => {
  it.each([
    ["undefined", undefined],
    ["null", null],
    ["false", false],
    ["true", true],
    ["an object", {}],
    ["a name", "ada"],
    ["a user without a role", { user: "ada" }],
    ["an unknown role", { user: "ada", role: "admin" }],
    ["no name", { user: "", role: "operator" }],
    ["an array", [{ user: "ada", role: "operator" }]],
  ])("that returns %s lets nobody in: 401 for every address, and nothing is stored", async (_, returned) => {
    await using shop = await openShop({ authorize: () => returned as User });
    for (const path of [...READS, "/", "/none"]) expect((await shop.send("GET", path)).status).toBe(401);
    for (const path of CHANGES) expect((await shop.send("POST", path, {})).status).toBe(401);
    expect((await shop.client.admin.queueDepths()).orchestratorQueue).toBe(0);
  });

  it("that rejects lets nobody in, and its message does not leave the server", async () => {
    await using shop = await openShop({
      authorize: () => Promise.reject(new Error("secret of the session")),
    });
    const { status, body } = await shop.send("GET", "/instances/a");
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining("secret")]);
  });

  it("that rejects with an error of duroxide does so too: it is not that of the request", async () => {
    await using shop = await openShop({
      authorize: () => Promise.reject(new InvalidInputError("secret of the session")),
    });
    const { status, body } = await shop.send("GET", "/instances/a");
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining("secret")]);
  });

  it("may name a viewer, who only reads (403)", async () => {
    await using shop = await openShop({ authorize: () => ({ user: "eve", role: "viewer" }) });
    await shop.client.start("echo", { instanceId: "a" });
    for (const path of READS) expect((await shop.send("GET", path)).status).toBeLessThan(300);
    for (const path of CHANGES) expect((await shop.send("POST", path, {})).status).toBe(403);
  });

  it("must be given, and options must exist", async () => {
    const { client } = await openShop({ works: false });
    const given = { client, orchestrations: [], authorize: () => undefined };
    const wrong: readonly object[] = [
      { ...given, authorize: undefined },
      { ...given, authorize: { user: "ada", role: "operator" } },
      { ...given, client: undefined },
      { ...given, orchestrations: ["checkout"] },
      { ...given, orchestrations: undefined },
      { ...given, authorise: () => undefined },
      { ...given, basePath: "/api/" },
      { ...given, origins: ["https://shop.example/"] },
      { ...given, maxBodyBytes: 0 },
      { ...given, verify: true },
    ];
    expect(() => http(undefined as never)).toThrow(expect.objectContaining({ code: "configuration" }));
    for (const options of wrong)
      expect(() => http(options as HttpOptions)).toThrow(expect.objectContaining({ code: "configuration" }));
  });
});

describe("a page of another origin", () => {
  const headers = (given: Record<string, string>) => ({ host: "shop.example", ...given });
  const post = async (given: Record<string, string>, options: Partial<HttpOptions> = {}) => {
    await using shop = await openShop({ ...options, works: false });
    return (await shop.send("POST", "/echo", 1, { headers: headers(given) })).status;
  };

  it("starts nothing, whatever its content type, and a program and a page of this origin do", async () => {
    expect(await post({ "sec-fetch-site": "cross-site", origin: "https://evil.example" })).toBe(403);
    expect(await post({ "sec-fetch-site": "same-site", origin: "https://other.shop.example" })).toBe(403);
    expect(await post({ origin: "https://evil.example", "content-type": "text/plain" })).toBe(403);
    expect(await post({ origin: "null" })).toBe(403);
    expect(await post({})).toBe(202);
    expect(await post({ origin: "https://shop.example" })).toBe(202);
    // Proxies write the usual port into the Host.
    expect(await post({ host: "shop.example:443", origin: "https://shop.example" })).toBe(202);
    expect(await post({ host: "shop.example:443", origin: "http://shop.example" })).toBe(403);
    expect(await post({ "sec-fetch-site": "same-origin", origin: "https://behind-proxy.example" })).toBe(202);
  });

  it("does, and reads the answers, where its origin is given", async () => {
    const origins = ["https://front.example"];
    const given = { "sec-fetch-site": "cross-site", origin: "https://front.example" };
    expect(await post(given, { origins })).toBe(202);
    await using shop = await openShop({ origins, works: false });
    const allowed = async (origin: string) => {
      const { headers: answered } = await shop.send("GET", "/instances/none", undefined, {
        headers: { origin },
      });
      return answered.get("access-control-allow-origin");
    };
    expect(await allowed("https://front.example")).toBe("https://front.example");
    expect(await allowed("https://evil.example")).toBe(null);
  });

  it("may ask first, without a user", async () => {
    await using shop = await openShop({ origins: ["https://front.example"], authorize: () => undefined });
    const ask = (origin: string) =>
      shop.send("OPTIONS", "/echo", undefined, {
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type,idempotency-key",
        },
      });
    const { status, headers: answered } = await ask("https://front.example");
    expect([status, answered.get("access-control-allow-headers")]).toEqual([
      204,
      "content-type,idempotency-key",
    ]);
    expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBe(null);
  });
});

describe("addresses", () => {
  it.each([
    ["GET", "/", 404],
    ["GET", "/none", 404],
    ["POST", "/none", 404],
    ["POST", "/instances", 404],
    ["GET", "/instances/", 404],
    ["GET", "/instances/a/none", 404],
    ["POST", "/instances/a/events", 404],
    ["POST", "/instances/a/events/", 404],
    ["POST", "/instances/a/events/x/y", 404],
    ["GET", "/instances/a/constructor", 404],
    ["GET", "/instances/%zz", 400],
    ["GET", "/echo", 405],
    ["PUT", "/echo", 405],
    ["DELETE", "/instances/a", 405],
    ["POST", "/instances/a", 405],
    ["GET", "/instances/a/cancel", 405],
    ["POST", "/openapi.json", 405],
    ["OPTIONS", "/echo", 405],
  ])("%s %s is answered with %d", async (method, path, expected) => {
    await using shop = await openShop({ works: false });
    const { status, headers } = await shop.send(method, path);
    expect(status).toBe(expected);
    expect(headers.has("allow")).toBe(expected === 405);
  });

  it("outside the base path are not there", async () => {
    await using shop = await openShop({ basePath: "/api", works: false });
    for (const path of ["/echo", "/apis/echo", "/api"])
      expect((await shop.send("POST", path, 1)).status).toBe(404);
  });

  withShop("are not kept by caches, and no browser guesses another type", async (shop) => {
    for (const path of READS) {
      const { headers } = await shop.send("GET", path);
      expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
        "no-store",
        "nosniff",
      ]);
    }
  });
});

describe("secrets", () => {
  it("that redact replaces leave in no answer", async () => {
    await using shop = await openShop({
      redact: (path, value) => (/^(output|error\.message|error\.stack|status)/.test(path) ? "•••" : value),
    });
    for (const [name, id] of [
      ["failing", "f"],
      ["echo", "e"],
      ["collect", "c"],
    ] as const)
      await shop.send("POST", `/${name}`, 4111, { headers: { "idempotency-key": id } });
    await shop.client
      .handle("failing", "f")
      .result()
      .catch(() => {});
    await shop.client.handle("echo", "e").result();
    await shop.client.handle("collect", "c").customStatus().next();
    for (const id of ["f", "e", "c"]) {
      for (const path of [`/instances/${id}`, `/instances/${id}/result`])
        expect(JSON.stringify((await shop.send("GET", path)).body)).not.toMatch(/4111|waits/);
    }
  });

  it("of which an operator has written to suspend an instance are in no refusal of a question", async () => {
    const suspended = async (options: Parameters<typeof openShop>[0]): Promise<string> => {
      await using shop = await openShop(options);
      await shop.send("POST", "/priced", undefined, { headers: { "idempotency-key": "a" } });
      await shop.send("POST", "/instances/a/ask/price", { currency: "EUR" });
      await shop.client.admin.suspend("a", { reason: "card 4111" });
      const { status, body } = await shop.send("POST", "/instances/a/ask/price", { currency: "EUR" });
      expect([status, body.error.code]).toEqual([409, "suspended"]);
      return body.error.message;
    };
    expect(await suspended({})).toContain("4111");
    expect(await suspended({ redact: () => "•••" })).not.toContain("4111");
  });

  it("in details that JSON cannot write are no rejection of the handler", async () => {
    const details = {
      Application: { kind: "OrchestrationFailed", message: "x", retryable: false, data: 1n },
    };
    await using shop = await openShop({
      client: {
        start: () => Promise.reject(new Error("no")),
        handle: () => ({
          instanceId: "a",
          status: async () => ({ status: "Failed", details, message: "x" }),
        }),
      } as never,
    });
    expect((await shop.send("GET", "/instances/a/result")).status).toBe(500);
    expect((await shop.send("GET", "/instances/a")).status).toBe(500);
  });

  it("of a store that fails stay in the log", async () => {
    const logged: unknown[] = [];
    await using shop = await openShop({
      logger: {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: ({ error }) => logged.push(error),
      },
      client: {
        start: () => Promise.reject(new Error("no")),
        handle: () => {
          throw new Error("cannot open /var/lib/secret.db");
        },
      } as never,
    });
    const { status, body } = await shop.send("GET", "/instances/a");
    expect([status, body.error.code]).toEqual([500, "internal"]);
    expect(JSON.stringify(body)).not.toContain("secret.db");
    expect(logged).toEqual([expect.objectContaining({ message: expect.stringContaining("secret.db") })]);
  });
});
