/** Other callers write between the query and the write of a batch: their writes decide, and no lease is overwritten. */
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import { CosmosClient } from "@azure/cosmos";
import { DocumentLeases, type DocumentLeasesOptions } from "@duroxide-ts/cosmos/document-leases";
import { describe, expect, it } from "vitest";
import { DATABASE, type Fixture, fixture, LEASE_MS } from "./fixture.ts";

/** Leases by batches, and something that happens just before the first batch. */
function interrupted(
  { emulator, container }: Pick<Fixture, "emulator" | "container">,
  happens: () => Promise<unknown>,
  options: DocumentLeasesOptions = {},
): DocumentLeases {
  let isFirst = true;
  const httpClient: HttpClient = {
    async sendRequest(request) {
      request.allowInsecureConnection = true;
      const isBatch = request.headers.get("x-ms-cosmos-is-batch-request")?.toLowerCase() === "true";
      if (isBatch && isFirst) {
        isFirst = false;
        await happens();
      }
      return createDefaultHttpClient().sendRequest(request);
    },
  };
  const client = new CosmosClient({ connectionString: emulator.connectionString, httpClient });
  return DocumentLeases.on(client.database(DATABASE).container(container.id), {
    ...options,
    procedures: "never",
  });
}

describe("between question and write", () => {
  const given = fixture();

  it("a first lease of another caller is respected", async () => {
    await given().put("n1", { state: "requested" });
    const others = given().leases({});
    const leases = interrupted(given(), () => others.acquire("n1", "ben"));
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "held", heldBy: "ben" });
  });

  it("a new lease after one that had expired is respected", async () => {
    await given().put("n1", { state: "requested" });
    const others = given().leases({});
    await others.acquire("n1", "gone");
    given().passTime(LEASE_MS);
    const leases = interrupted(given(), () => others.acquire("n1", "ben"));
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "held", heldBy: "ben" });
  });

  it("a renewal is not undone by a caller that saw the lease expire", async () => {
    await given().put("n1", { state: "requested" });
    const others = given().leases({});
    await others.acquire("n1", "ben");
    given().passTime(LEASE_MS);
    const leases = interrupted(given(), async () => {
      given().passTime(-LEASE_MS);
      await others.acquire("n1", "ben");
    });
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "held", heldBy: "ben" });
  });

  it("a document that goes to another state is not handed out in the old one", async () => {
    await given().put("n1", { state: "requested" });
    const leases = interrupted(given(), () => given().put("n1", { state: "offered" }));
    expect(await leases.nextForState("requested", { limit: 1, holder: "anna" })).toEqual([]);
    expect((await given().read("n1"))["lease"]).toBeUndefined();
  });

  it("one of many that is taken leaves the others to be had", async () => {
    const container = await given().newContainer(["/tenant"]);
    for (const id of ["a", "b", "c", "d"])
      await container.items.create({ id, tenant: "t", state: "requested" });
    const others = DocumentLeases.on(container);
    const happens = () => others.acquire({ id: "b", partitionKey: "t" }, "ben");
    const { emulator } = given();
    const leases = interrupted({ emulator, container }, happens);
    const mark = emulator.requestLog.mark();

    const taken = await leases.nextForState("requested", { limit: 4, holder: "anna", partitionKey: "t" });

    expect(taken.map(({ id }) => id).sort()).toEqual(["a", "c", "d"]);
    expect(emulator.requestLog.since(mark).byOperation.get("item.batch")?.requests).toBe(2);
  });

  it("all that were found may be taken: then others are looked for", async () => {
    const { emulator } = given();
    const container = await given().newContainer(["/tenant"]);
    for (const [at, id] of ["a", "b", "c", "d"].entries()) {
      await container.items.create({ id, tenant: "t", state: "requested", at });
    }
    const others = DocumentLeases.on(container, { orderBy: "at" });
    const happens = () => others.nextForState("requested", { limit: 2, holder: "ben" });
    const leases = interrupted({ emulator, container }, happens, { orderBy: "at" });

    const taken = await leases.nextForState("requested", { limit: 2, holder: "anna" });

    expect(taken.map(({ id }) => id).sort()).toEqual(["c", "d"]);
  });

  it("a document that is deleted is no document any more", async () => {
    await given().put("n1", { state: "requested" });
    const leases = interrupted(given(), () => given().container.item("n1", "n1").delete());
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "document-not-found" });
  });
});
