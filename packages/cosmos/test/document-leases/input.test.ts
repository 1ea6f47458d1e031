/** Checks that bad input is refused before anything is sent, and so is an account on which leases are not safe. */
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import { CosmosClient } from "@azure/cosmos";
import { DocumentLeases, type DocumentLeasesOptions, type Lease } from "@duroxide-ts/cosmos/document-leases";
import { describe, expect, it } from "vitest";
import { DATABASE, fixture } from "./fixture.ts";

const given = fixture();
const INVALID = { name: "ProviderError", code: "invalid-input" };

describe("bad input", () => {
  const OPTIONS: readonly (readonly [string, object])[] = [
    ["leaseMs", { leaseMs: 0 }],
    ["leaseMs", { leaseMs: 1.5 }],
    ["leaseMs", { leaseMs: Number.MAX_SAFE_INTEGER }],
    ["timeoutMs", { timeoutMs: -1 }],
    ["procedures", { procedures: "sometimes" }],
    ["leaseProperty", { leaseProperty: "_ts" }],
    ["leaseProperty", { leaseProperty: "id" }],
    ["leaseProperty", { leaseProperty: 'a"] OR true' }],
    ["stateProperty", { stateProperty: "" }],
    ["stateProperty", { stateProperty: "order..state" }],
    ["orderBy", { orderBy: "at DESC" }],
  ];
  it.each(OPTIONS)("of the option %s is refused: %j", (name, options) => {
    expect(() => given().leases(options as DocumentLeasesOptions)).toThrow(name);
  });

  it("is an option that does not exist: the nearest one is named", async () => {
    const misspelt = { leaseMS: 5 } as DocumentLeasesOptions;
    expect(() => given().leases(misspelt)).toThrow(/no option "leaseMS"; did you mean "leaseMs"\?/);
    const next = { limits: 1, holder: "anna" } as unknown as {
      readonly limit: number;
      readonly holder: string;
    };
    await expect(given().leases({}).nextForState("requested", next)).rejects.toThrow(
      /did you mean "limit"\?/,
    );
  });

  it.each(["", "a/b", "a\\b", "a#b", "x".repeat(1_024)])("is the id %j", async (id) => {
    const leases = given().leases({});
    await expect(leases.acquire(id, "anna")).rejects.toMatchObject(INVALID);
    await expect(leases.break({ id, partitionKey: "p" }, "anna")).rejects.toMatchObject(INVALID);
  });

  it.each(["", "x".repeat(1_025)])("is the holder %j", async (holder) => {
    const leases = given().leases({});
    await expect(leases.acquire("n1", holder)).rejects.toMatchObject(INVALID);
    await expect(leases.break("n1", holder)).rejects.toMatchObject(INVALID);
    await expect(leases.nextForState("requested", { limit: 1, holder })).rejects.toMatchObject(INVALID);
  });

  it("is a limit that is no number from 1 to 1,000, or a state that is none", async () => {
    const leases = given().leases({});
    for (const limit of [0, -1, 1.5, Number.NaN, 1_001]) {
      const next = leases.nextForState("requested", { limit, holder: "anna" });
      await expect(next, `limit ${limit}`).rejects.toMatchObject(INVALID);
    }
    for (const state of ["", Number.NaN, null, {}]) {
      const next = leases.nextForState(state as string, { limit: 1, holder: "anna" });
      await expect(next, `state ${state}`).rejects.toMatchObject(INVALID);
    }
  });

  const CHANGES: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["nothing", {}],
    ["the lease", { lease: null }],
    ["the id", { id: "n2" }],
    ["the partition key", { tenant: "t2" }],
    ["what the service writes", { _etag: "x" }],
    ["undefined", { price: undefined }],
    ["a name with a slash", { "a/b": 1 }],
    ["too much", Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, n]))],
  ];
  it.each(CHANGES)("is an update of %s", async (_name, changes) => {
    const container = await given().newContainer(["/tenant"]);
    await container.items.create({ id: "n1", tenant: "t1" });
    const leases = DocumentLeases.on(container, {});
    const lease = await leases.acquire({ id: "n1", partitionKey: "t1" }, "anna");
    await expect(leases.update(lease, changes)).rejects.toMatchObject(INVALID);
  });

  it("is an id alone where it does not lead to a document", async () => {
    const container = await given().newContainer(["/tenant"]);
    await container.items.create({ id: "t1-n1", tenant: "t1" });
    await expect(DocumentLeases.on(container).acquire("t1-n1", "anna")).rejects.toMatchObject(INVALID);
    const partitionKeyOf = (id: string): string => id.slice(0, 2);
    const lease: Lease = await DocumentLeases.on(container, { partitionKeyOf }).acquire("t1-n1", "anna");
    expect(lease.partitionKey).toBe("t1");
  });
});

describe("an account", () => {
  it("that is written to in several regions is refused", async () => {
    const { emulator, container } = given();
    const { connectionString } = emulator;
    const client = new CosmosClient({ connectionString, httpClient: inSeveralRegions });
    const leases = DocumentLeases.on(client.database(DATABASE).container(container.id));
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "cannot-open" });
    client.dispose();
  });

  it("that loses the container is not one that lost a document", async () => {
    const { container } = given();
    await given().put("n1");
    const leases = given().leases({ procedures: "required" });
    const lease = await leases.acquire("n1", "anna");
    await container.delete();
    await expect(leases.update(lease, { price: 1 })).rejects.toMatchObject({ code: "internal" });
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "internal" });
  });

  it("without the container is an error, and nothing to wait for", async () => {
    const leases = DocumentLeases.on(given().client.database(DATABASE).container("none"));
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "internal" });
  });

  // document-leases.DL1
  it("that gets the container after the first use has leases from then on", async () => {
    const database = given().client.database(DATABASE);
    const leases = DocumentLeases.on(database.container("later"));
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "internal" });
    const { container } = await database.containers.create({ id: "later", partitionKey: "/id" });
    await container.items.create({ id: "n1" });
    expect((await leases.acquire("n1", "anna")).holder).toBe("anna");
  });
});

const inSeveralRegions: HttpClient = {
  async sendRequest(request) {
    request.allowInsecureConnection = true;
    const response = await createDefaultHttpClient().sendRequest(request);
    if (new URL(request.url).pathname !== "/") return response;
    const account = { ...JSON.parse(response.bodyAsText ?? "{}"), enableMultipleWriteLocations: true };
    return { ...response, bodyAsText: JSON.stringify(account) };
  },
};
