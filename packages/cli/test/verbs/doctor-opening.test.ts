/** The findings of `duroxide doctor` when it opens a store. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expectStatus, RawClient } from "@duroxide-ts/cosmos-emulator/conformance";
import { describe, expect, it } from "vitest";
import { Desk } from "../support/desk.ts";
import { runHere } from "../support/run-here.ts";

interface Found {
  readonly level: string;
  readonly text: string;
}

describe("a SQLite file", () => {
  async function doctorOn(userVersion: number): Promise<{ readonly code: number; readonly found: Found[] }> {
    await using desk = await Desk.open("sqlite", { empty: true });
    await desk.provider[Symbol.asyncDispose]();
    const file = new DatabaseSync(path.join(desk.folder, "store.db"));
    file.exec(`PRAGMA user_version = ${userVersion}`);
    file.close();
    const { code, stdout } = await desk.cli(["doctor", "-o", "json"]);
    return { code: code ?? -1, found: JSON.parse(stdout) as Found[] };
  }

  it("of a version before the first release is a finding that says to choose another path", async () => {
    const { code, found } = await doctorOn(5);
    expect(code).toBe(3);
    expect(found).toEqual([
      { level: "red", text: expect.stringMatching(/before the first release.*choose another path/) },
    ]);
  });

  it("of a newer version is a finding that says to update", async () => {
    const { code, found } = await doctorOn(999);
    expect(code).toBe(3);
    expect(found).toEqual([{ level: "red", text: expect.stringMatching(/newer version .*update/) }]);
  });

  it("that does not exist is a finding", async () => {
    const { code, stdout } = await runHere(["doctor", "--store", "sqlite:absent.db", "-o", "json"]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual([
      { level: "red", text: expect.stringMatching(/absent\.db does not exist/) },
    ]);
  });
});

describe("a container of Cosmos DB", () => {
  const doctor = async (emulator: CosmosEmulator, form: readonly string[] = ["-o", "json"]) => {
    const store = `cosmos:${new URL(emulator.endpoint).origin}/duroxide/duroxide`;
    return runHere(["doctor", "--store", store, ...form], { env: { COSMOSDB_KEY: emulator.key } });
  };

  /** Creates a container without an index that the provider needs. */
  async function createContainer(emulator: CosmosEmulator, without = "/tag/?"): Promise<void> {
    const raw = new RawClient(new URL(emulator.endpoint), emulator.key);
    const post = (link: string, body: object) => raw.send({ method: "POST", link, body });
    expectStatus(await post("dbs", { id: "duroxide" }), 201);
    const partitionKey = { paths: ["/instanceId"], kind: "Hash", version: 2 };
    const indexingPolicy = { includedPaths: [{ path: "/*" }], excludedPaths: [{ path: without }] };
    const container = { id: "duroxide", partitionKey, defaultTtl: -1, indexingPolicy };
    expectStatus(await post("dbs/duroxide/colls", container), 201);
    raw.close();
  }

  it("whose indexing policy lacks what is needed is a red finding, with the command that mends it", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    await createContainer(emulator);
    const { code, stdout, stderr } = await doctor(emulator);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual({
      level: "red",
      text: expect.stringMatching(/lacks indexes on \/tag .*\naz cosmosdb sql container update /s),
    });
    expect(stderr).not.toContain("lacks");
    const table = await doctor(emulator, []);
    expect(table.stdout).toMatch(/^RED {3}the indexing policy .*\n {6}az cosmosdb sql container update /m);
  });

  it("without the index of lists by name is a warning of doctor only, with the command that mends it", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    await createContainer(emulator, "/orchestrationName/?");
    const { stdout } = await doctor(emulator);
    expect(JSON.parse(stdout)).toContainEqual({
      level: "warn",
      text: expect.stringMatching(
        /lacks indexes on \/orchestrationName .*\naz cosmosdb sql container update /s,
      ),
    });
    const store = `cosmos:${new URL(emulator.endpoint).origin}/duroxide/duroxide`;
    const env = { COSMOSDB_KEY: emulator.key };
    const list = await runHere(["list", "-o", "ids", "--store", store], { env });
    expect(list.stderr).not.toContain("listing instances by name");
  });

  it("whose clock differs from that of this machine is a red finding", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    await createContainer(emulator);
    emulator.faults.clockSkewMs = 60_000;
    const { code, stdout } = await doctor(emulator);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual({
      level: "red",
      text: expect.stringMatching(/^this machine's clock is \d+ seconds behind the service's/),
    });
  });
});
