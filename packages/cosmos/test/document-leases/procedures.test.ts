/** The stored procedures themselves: installed, kept as they are, done without. */
import { createDefaultHttpClient, createHttpHeaders, type HttpClient } from "@azure/core-rest-pipeline";
import { CosmosClient } from "@azure/cosmos";
import { DocumentLeases, type DocumentLeasesOptions } from "@duroxide-ts/cosmos/document-leases";
import { describe, expect, it } from "vitest";
import { someIdentity } from "../connection/fixture.ts";
import { callerClock, DATABASE, type Fixture, fixture, trusting } from "./fixture.ts";

const NOTHING = "function () { getContext().getResponse().setBody({ version: 0 }); }";
const LIES = 'function () { getContext().getResponse().setBody({ version: 1, outcome: "missing" }); }';
const THROWS = 'function () { throw new Error("changed"); }';

describe("the procedures", () => {
  const given = fixture();

  it("are installed by the first use, once, and not looked at again by the next", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases({ procedures: "required" });
    await leases.acquire("n1", "anna");
    expect((await stored(given())).map(({ id }) => id.replace(/-[0-9a-f]{12}$/, ""))).toEqual([
      "duroxide-lease",
      "duroxide-nextForState",
    ]);

    const mark = given().emulator.requestLog.mark();
    await leases.acquire("n1", "anna");
    const { byOperation } = given().emulator.requestLog.since(mark);
    expect([...byOperation.keys()]).toEqual(["storedProcedure.execute"]);
  });

  it("are installed by many at the same time", async () => {
    const all = Array.from({ length: 8 }, () => given().leases({ procedures: "required" }));
    const methods = await Promise.all(all.map((leases) => leases.prepare()));
    expect(new Set(methods)).toEqual(new Set(["procedures"]));
    expect(await stored(given())).toHaveLength(2);
  });

  // installed.IP1
  it("are looked at again after the first use was refused", async () => {
    const leases = given().leases({ procedures: "required" });
    const match = { operation: "storedProcedure.create" } as const;
    given().emulator.faults.add({ match, effect: { kind: "error", status: 403 } });
    await expect(leases.prepare()).rejects.toMatchObject({ code: "cannot-open" });
    given().emulator.faults.clear();
    expect(await leases.prepare()).toBe("procedures");
  });

  it("of other versions stay beside them", async () => {
    const body = "function lease() {}";
    await given().container.scripts.storedProcedures.create({ id: "duroxide-lease-000000000000", body });
    await given().leases({ procedures: "required" }).prepare();
    expect(await stored(given())).toHaveLength(3);
  });

  it("are put right after a change from outside, with a warning", async () => {
    await given().leases({}).prepare();
    const before = await stored(given());
    await replaceAll(given(), NOTHING);
    const warnings: string[] = [];

    const leases = given().leases({ procedures: "required", onWarning: (text) => warnings.push(text) });
    expect(await leases.prepare()).toBe("procedures");

    expect(await stored(given())).toEqual(before);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain("duroxide-lease-");
  });

  it.each([
    ["answer nonsense", (it: Fixture) => replaceAll(it, NOTHING)],
    ["throw", (it: Fixture) => replaceAll(it, THROWS)],
    ["are gone", (it: Fixture) => deleteAll(it)],
  ])("that %s while they are in use are put right, and the call succeeds", async (_name, spoil) => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases({ procedures: "required" });
    await leases.acquire("n1", "anna");
    await spoil(given());

    await leases.break("n1", "anna");
    await spoil(given());
    expect(await leases.nextForState("requested", { limit: 1, holder: "ben" })).toHaveLength(1);
  });

  // installed.IP1
  it("that answer as if they were ours are found out within five minutes", async () => {
    await given().put("n1");
    const clock = callerClock(0);
    const leases = given().leases({ procedures: "required", clock });
    await leases.prepare();
    await replaceAll(given(), LIES);

    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "document-not-found" });
    await clock.advance(300_000);

    expect((await leases.acquire("n1", "anna")).holder).toBe("anna");
  });

  it.each([
    ["throw", { status: 400 } as const, undefined],
    ["meet a query that the service does not know", undefined, "GetCurrentTimestampStatic"],
  ])(
    "that %s although they are as they should be are done without, or are an error",
    async (_name, fault, word) => {
      await given().put("n1", { state: "requested" });
      const warnings: string[] = [];
      const { container, dispose } = spoiling(given(), fault?.status, word);
      const required = DocumentLeases.on(container, { procedures: "required" });
      const auto = DocumentLeases.on(container, { onWarning: (text) => warnings.push(text) });

      const failure = { name: "ProviderError", code: "cannot-open" };
      await expect(required.acquire("n1", "anna")).rejects.toMatchObject(failure);
      const next = { limit: 1, holder: "anna", partitionKey: "n1" };
      await expect(required.nextForState("requested", next)).rejects.toMatchObject(failure);
      await auto.acquire("n1", "anna");
      await auto.break("n1", "anna");
      expect(await auto.nextForState("requested", next)).toHaveLength(1);

      expect(warnings).toHaveLength(3);
      expect(warnings[0]).toContain("fails");
      dispose();
    },
  );
});

/** The container, for a client whose executions of procedures are refused or contain an unknown word. */
function spoiling(
  { emulator, container: { id } }: Fixture,
  status: number | undefined,
  word: string | undefined,
) {
  const httpClient: HttpClient = {
    async sendRequest(request) {
      request.allowInsecureConnection = true;
      const isExecution = request.method === "POST" && /\/sprocs\/./.test(request.url);
      if (isExecution && word !== undefined) {
        request.body = String(request.body).replaceAll(word, `${word}Unheard`);
      }
      if (!isExecution || status === undefined) return createDefaultHttpClient().sendRequest(request);
      const bodyAsText = JSON.stringify({ code: "BadRequest", message: "refused" });
      return { request, status, headers: createHttpHeaders(), bodyAsText };
    },
  };
  const client = new CosmosClient({ connectionString: emulator.connectionString, httpClient });
  return { container: client.database(DATABASE).container(id), dispose: () => client.dispose() };
}

describe("without the right to create procedures", () => {
  // Tokens are sent over https only.
  const given = fixture({ aad: true, https: true });

  // document-leases.DL2
  it("leases are written by batches, and a warning says why", async () => {
    await given().put("n1", { state: "requested" });
    using identity = entraLeases(given());
    const warnings: string[] = [];
    const leases = identity.leases({ onWarning: (text) => warnings.push(text) });

    expect(await leases.prepare()).toBe("batches");
    await leases.acquire("n1", "anna");

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/is not installed, and this identity may neither read nor create it/);
    expect(await stored(given())).toEqual([]);
  });

  it("it is an error to require them", async () => {
    using identity = entraLeases(given());
    const leases = identity.leases({ procedures: "required" });
    await expect(leases.prepare()).rejects.toMatchObject({ name: "ProviderError", code: "cannot-open" });
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "cannot-open" });
  });

  // installed.IP2
  it("those that another client installed are used", async () => {
    await given().put("n1", { state: "requested" });
    await given().leases({}).prepare();
    using identity = entraLeases(given());
    const leases = identity.leases({ procedures: "required" });
    expect(await leases.prepare()).toBe("procedures");
    const mark = given().emulator.requestLog.mark();
    await leases.acquire("n1", "anna");
    const { byOperation } = given().emulator.requestLog.since(mark);
    expect([...byOperation.keys()]).toEqual(["storedProcedure.execute"]);
  });

  it("those are found in a container with several partition keys", async () => {
    const { database } = given().container;
    const paths = { paths: ["/tenant", "/id"], kind: "MultiHash" as never, version: 2 };
    const { container } = await database.containers.create({ id: "hierarchical", partitionKey: paths });
    await DocumentLeases.on(container).prepare();
    using identity = entraLeases({ ...given(), container });
    expect(await identity.leases({ procedures: "required" }).prepare()).toBe("procedures");
  });

  it("those that were changed from outside are not used", async () => {
    await given().put("n1", { state: "requested" });
    await given().leases({}).prepare();
    await replaceAll(given(), NOTHING);
    using identity = entraLeases(given());
    const warnings: string[] = [];

    expect(await identity.leases({ onWarning: (text) => warnings.push(text) }).prepare()).toBe("batches");
    expect(warnings.join("\n")).toContain("was changed");
    await expect(identity.leases({ procedures: "required" }).prepare()).rejects.toMatchObject({
      code: "cannot-open",
    });
  });

  it("with a key of an account that lets no key create them, the error says what to do", async () => {
    const message =
      "Operation 'POST' on resource 'sprocs' is not allowed through Azure Cosmos DB endpoint. Please switch on such operations";
    const match = { operation: "storedProcedure.create" } as const;
    given().emulator.faults.add({ match, effect: { kind: "error", status: 403, message } });
    await expect(given().leases({ procedures: "required" }).prepare()).rejects.toMatchObject({
      code: "cannot-open",
      message: expect.stringContaining("disableKeyBasedMetadataWriteAccess"),
    });
  });

  it("to execute them, the error names the action", async () => {
    await given().leases({}).prepare();
    const match = { operation: "storedProcedure.execute" } as const;
    given().emulator.faults.add({ match, effect: { kind: "error", status: 403 } });
    using identity = entraLeases(given());
    await expect(identity.leases({ procedures: "required" }).prepare()).rejects.toMatchObject({
      code: "cannot-open",
      message: expect.stringContaining("containers/executeStoredProcedure"),
    });
  });

  // document-leases.DL2
  it.each([403, 405])("to execute them (%i), a call goes on by batches", async (status) => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases({});
    expect(await leases.prepare()).toBe("procedures");
    const match = { operation: "storedProcedure.execute" } as const;
    given().emulator.faults.add({ match, effect: { kind: "error", status } });

    await leases.acquire("n1", "anna");

    expect(await leases.prepare()).toBe("batches");
  });

  it("both ways serve one container at the same time", async () => {
    for (let n = 0; n < 40; n++) await given().put(`n${n}`, { state: "requested" });
    const ways = [{}, { procedures: "never" }, {}, { procedures: "never" }] as const;
    const taken = await Promise.all(
      ways.map(async (way, index) => {
        const leases = given().leases(way);
        const mine: string[] = [];
        for (;;) {
          const some = await leases.nextForState("requested", { limit: 3, holder: `h${index}` });
          if (some.length === 0) return mine;
          mine.push(...some.map(({ id }) => id));
        }
      }),
    );
    expect(taken.flat()).toHaveLength(40);
    expect(new Set(taken.flat()).size).toBe(40);
  });
});

async function stored({
  container,
}: Fixture): Promise<readonly { readonly id: string; readonly body: unknown }[]> {
  const { resources } = await container.scripts.storedProcedures.readAll().fetchAll();
  return resources.map(({ id, body }) => ({ id: String(id), body })).sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function replaceAll(it: Fixture, body: string): Promise<void> {
  for (const { id } of await stored(it)) await it.container.scripts.storedProcedure(id).replace({ id, body });
}

async function deleteAll(it: Fixture): Promise<void> {
  for (const { id } of await stored(it)) await it.container.scripts.storedProcedure(id).delete();
}

/** Signed in with Entra ID, whose roles for data include no definitions of procedures. */
function entraLeases({ emulator, container }: Pick<Fixture, "emulator" | "container">) {
  const { endpoint } = emulator;
  const client = new CosmosClient({ endpoint, aadCredentials: someIdentity, ...trusting(emulator) });
  const mine = client.database(DATABASE).container(container.id);
  return {
    leases: (options: DocumentLeasesOptions) => DocumentLeases.on(mine, options),
    [Symbol.dispose]: () => client.dispose(),
  };
}
