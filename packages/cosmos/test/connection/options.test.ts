/** Tests which options are taken and which are refused, before anything is sent. */
import { ProviderError } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { describe, expect, it, vi } from "vitest";
import { optionsFromEnvironment, withEnvironment } from "../../src/connection/environment.ts";
import { type CosmosProviderOptions, toSettings } from "../../src/connection/options.ts";
import { toLeaseSettings } from "../../src/document-leases/settings.ts";

const KEY = "c2VjcmV0IGtleQ==";
const ENDPOINT = "https://shop.documents.azure.com";
const credential = { getToken: async () => null };
const keyed = { endpoint: ENDPOINT, key: KEY };

function refusal(options: unknown): ProviderError {
  try {
    toSettings(options as CosmosProviderOptions);
  } catch (error) {
    if (ProviderError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("settings", () => {
  it("send warnings to stderr where no listener is given", () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    toSettings(keyed).onWarning("a message was put aside", { instanceId: "order-42" });
    toLeaseSettings({}).onWarning("a procedure was changed");
    const printed = print.mock.calls.map(([text]) => String(text));
    print.mockRestore();
    expect(printed).toEqual([
      expect.stringMatching(/WARN {2}duroxide: a message was put aside .*instance_id=order-42$/),
      expect.stringMatching(/WARN {2}duroxide: a procedure was changed/),
    ]);
  });

  it("have defaults for all but the account", () => {
    expect(toSettings(keyed)).toMatchObject({
      access: { kind: "key", key: KEY },
      database: "duroxide",
      container: "duroxide",
      createIfMissing: true,
      throughput: undefined,
      reconcilerIntervalMs: 2_000,
      reconcilerAgeMs: 2_000,
      pollIntervalMs: { min: 20, max: 1_000 },
      membership: { beatMs: 9_000, leaseMs: 30_000 },
      requestTimeoutMs: 10_000,
      acceptSelfSignedCertificate: false,
      preferredLocations: [],
    });
  });

  it("take endpoint and key from a connection string", () => {
    const { endpoint, access } = toSettings({
      connectionString: `AccountEndpoint=${ENDPOINT}:443/;AccountKey=${KEY};`,
    });
    expect([endpoint.href, access]).toEqual([`${ENDPOINT}/`, { kind: "key", key: KEY }]);
  });

  it.each(["\n", "\r\n", "  ", "\ufeff"])("leave out %j around keys and connection strings", (blank) => {
    const around = (text: string): string => `${blank}${text}${blank}`;
    const account = { access: { kind: "key", key: KEY }, endpoint: new URL(ENDPOINT) };
    expect(toSettings({ endpoint: around(ENDPOINT), key: around(KEY) })).toMatchObject(account);
    const parts = [`AccountEndpoint=${around(ENDPOINT)}`, `AccountKey=${around(KEY)}`].map(around).join(";");
    expect(toSettings({ connectionString: around(parts) })).toMatchObject(account);
  });

  it("mean Microsoft Entra ID when there is no key, and then create nothing", () => {
    const { access, createIfMissing } = toSettings({ endpoint: ENDPOINT });
    expect([access, createIfMissing]).toEqual([{ kind: "entra", credential: undefined }, false]);
    expect(toSettings({ endpoint: ENDPOINT, credential }).access).toEqual({ kind: "entra", credential });
  });

  it.each(["http://localhost:8081", "http://127.0.0.1:1/", "http://[::1]:8081", "http://cosmos.localhost"])(
    "let %s do without TLS or with any certificate, because it is this machine",
    (endpoint) => {
      const { acceptSelfSignedCertificate } = toSettings({
        endpoint,
        key: KEY,
        acceptSelfSignedCertificate: true,
      });
      expect(acceptSelfSignedCertificate).toBe(true);
    },
  );

  it("do not need the whole poll interval", () => {
    const { pollIntervalMs } = toSettings({ ...keyed, pollIntervalMs: { max: 200 } });
    expect(pollIntervalMs).toEqual({ min: 20, max: 200 });
  });

  it("refuse the former name of membership, and say the new one", () => {
    const { code, message } = refusal({ ...keyed, slotLeases: false });
    expect(code).toBe("invalid-input");
    expect(message).toMatch(/slotLeases is called membership now; give the same value under that name/);
  });

  it("make a lease three beats long, and three seconds more", () => {
    const leasesFor = (membership: object) => toSettings({ ...keyed, membership }).membership;
    expect(leasesFor({})).toEqual({ beatMs: 9_000, leaseMs: 30_000 });
    expect(leasesFor({ beatMs: 4_000 })).toEqual({ beatMs: 4_000, leaseMs: 15_000 });
    expect(leasesFor({ leaseMs: 40_000 })).toEqual({ beatMs: 9_000, leaseMs: 40_000 });
  });
});

describe("an option that makes no sense is refused:", () => {
  it.each<[string, object | undefined, RegExp]>([
    ["no account", {}, /give one, such as https/],
    ["an endpoint that is no URL", { endpoint: "shop", key: KEY }, /not a URL/],
    ["another protocol", { endpoint: "ftp://shop", key: KEY }, /no web address/],
    ["an endpoint with a path", { endpoint: `${ENDPOINT}/dbs/shop`, key: KEY }, /only those/],
    ["an endpoint with a user", { endpoint: "https://me:you@shop.example", key: KEY }, /only those/],
    ["http to another machine", { endpoint: "http://cosmos.example:8081", key: KEY }, /https endpoint/],
    [
      "http to a host that only looks local",
      { endpoint: "http://127.0.0.1.example", key: KEY },
      /https endpoint/,
    ],
    ["http with Entra ID", { endpoint: "http://localhost:8081", credential }, /only be sent over https/],
    ["a key that is not base64", { endpoint: ENDPOINT, key: "secret!" }, /copy it again/],
    [
      "a key with a line end within",
      { endpoint: ENDPOINT, key: "c2VjcmV0\nIGtleQ==" },
      /blank or a line end/,
    ],
    ["an empty key", { endpoint: ENDPOINT, key: "" }, /copy it again/],
    ["key and credential", { ...keyed, credential }, /give one of them/],
    ["a credential that is none", { endpoint: ENDPOINT, credential: {} }, /TokenCredential/],
    ["no options", undefined, /endpoint/],
    ["half a connection string", { connectionString: `AccountEndpoint=${ENDPOINT};` }, /copy it from/],
    ["a connection string and more", { connectionString: "x", endpoint: ENDPOINT }, /leave those out/],
    ["a database without a name", { ...keyed, database: "" }, /1 to 255 characters/],
    ["a container whose name has a slash", { ...keyed, container: "a/b" }, /without/],
    ["a name that ends in a space", { ...keyed, container: "a " }, /space at its end/],
    ["creating with Entra ID", { endpoint: ENDPOINT, createIfMissing: true }, /create them with az/],
    ["creating perhaps", { ...keyed, createIfMissing: "yes" }, /true or false/],
    ["too little throughput", { ...keyed, throughput: 300 }, /from 400 in steps of 100/],
    ["throughput between steps", { ...keyed, throughput: 450 }, /steps of 100/],
    ["autoscale without a number", { ...keyed, throughput: {} }, /autoscaleMaxRu is undefined/],
    ["autoscale between steps", { ...keyed, throughput: { autoscaleMaxRu: 1_500 } }, /steps of 1000/],
    ["no time between reconciliations", { ...keyed, reconcilerIntervalMs: 0 }, /from 1/],
    ["a negative age", { ...keyed, reconcilerAgeMs: -1 }, /from 0/],
    ["a poll interval of nothing", { ...keyed, pollIntervalMs: { min: 0 } }, /pollIntervalMs.min is 0/],
    ["a longest interval below the shortest", { ...keyed, pollIntervalMs: { min: 50, max: 49 } }, /from 50/],
    ["membership perhaps", { ...keyed, membership: true }, /give false, or \{\}/],
    ["beats without end", { ...keyed, membership: { beatMs: 0 } }, /membership.beatMs is 0/],
    ["a lease of two beats", { ...keyed, membership: { leaseMs: 18_000 } }, /from 27000/],
    ["no time for a request", { ...keyed, requestTimeoutMs: Number.NaN }, /whole number/],
    ["more time than a timer can wait", { ...keyed, requestTimeoutMs: 2 ** 31 }, /to 2147483647/],
    [
      "any certificate of another machine",
      { ...keyed, acceptSelfSignedCertificate: true },
      /NODE_EXTRA_CA_CERTS/,
    ],
    ["a region instead of a list", { ...keyed, preferredLocations: "West Europe" }, /list of region names/],
    ["a region without a name", { ...keyed, preferredLocations: [""] }, /list of region names/],
    ["a hook that is no function", { ...keyed, onRequest: 1 }, /onRequest is not a function/],
    ["a listener that is no function", { ...keyed, onWarning: "log" }, /onWarning is not a function/],
  ])("%s", (_, options, advice) => {
    const { code, operation, detail } = refusal(options);
    expect([code, operation]).toEqual(["invalid-input", "connect"]);
    expect(detail).toMatch(advice);
  });

  it.each([
    ["a key", { endpoint: ENDPOINT, key: "sec-ret" }],
    ["a key as the endpoint", { endpoint: "sec-ret" }],
    ["a connection string as the endpoint", { endpoint: "AccountEndpoint=https://x;AccountKey=sec-ret" }],
    ["a key that looks like a protocol", { endpoint: "sec-ret:abc", key: KEY }],
    ["a connection string", { connectionString: "AccountKey=sec-ret" }],
    [
      "the key in a connection string",
      { connectionString: `AccountEndpoint=${ENDPOINT};AccountKey=sec-ret` },
    ],
  ])("but the message does not repeat %s", (_, options) => {
    expect(refusal(options).message).not.toContain("sec-ret");
  });
});

describe("the environment", () => {
  it("names account, database and container", () => {
    const env = {
      COSMOSDB_ENDPOINT: ENDPOINT,
      COSMOSDB_KEY: KEY,
      COSMOSDB_DATABASE: "db",
      COSMOSDB_CONTAINER: "c",
    };
    expect(optionsFromEnvironment(env)).toEqual({
      endpoint: ENDPOINT,
      key: KEY,
      database: "db",
      container: "c",
    });
    expect(optionsFromEnvironment({ COSMOSDB_CONNECTION_STRING: "x", PATH: "/bin" })).toEqual({
      connectionString: "x",
    });
  });

  it("counts what is empty as absent", () => {
    expect(
      optionsFromEnvironment({ COSMOSDB_ENDPOINT: ENDPOINT, COSMOSDB_KEY: " ", COSMOSDB_DATABASE: "" }),
    ).toEqual({
      endpoint: ENDPOINT,
    });
  });
});

describe("an environment without an account", () => {
  it("is refused with the names of the variables", () => {
    expect(() => withEnvironment({}, {})).toThrow(/COSMOSDB_ENDPOINT.*COSMOSDB_CONNECTION_STRING/);
  });

  it("is told apart from one with the names of the Rust provider", () => {
    const env = { COSMOS_ENDPOINT: ENDPOINT, COSMOS_KEY: KEY };
    expect(() => withEnvironment(env, {})).toThrow(/COSMOS_ENDPOINT, COSMOS_KEY are not read/);
  });

  it("is fine where the options name the account", () => {
    expect(withEnvironment({ COSMOSDB_DATABASE: "db" }, keyed)).toEqual({ ...keyed, database: "db" });
  });
});

describe("options that do not exist", () => {
  it.each<[object, RegExp]>([
    [{ ...keyed, endpiont: ENDPOINT }, /no option "endpiont"; did you mean "endpoint"\?/],
    [{ ...keyed, pollIntervalMs: { minimum: 5 } }, /pollIntervalMs: there is no option "minimum".*min, max/],
    [{ ...keyed, membership: { lease: 5 } }, /membership: .*did you mean "leaseMs"\?/],
    [ENDPOINT.split("/"), /must be an object with endpoint/],
    [null as unknown as object, /must be an object with endpoint.*got null/],
  ])("are refused with the nearest one: %j", (options, message) => {
    const error = refusal(options);
    expect(error.code).toBe("invalid-input");
    expect(error.message).toMatch(message);
  });
});

it("a provider is opened with CosmosProvider.connect, not with new", () => {
  const Untyped = CosmosProvider as unknown as new (options: object) => CosmosProvider;
  expect(() => new Untyped(keyed)).toThrow(/await CosmosProvider\.connect\(/);
});
