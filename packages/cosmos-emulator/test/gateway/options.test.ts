import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { CosmosEmulator, type CosmosEmulatorOptions, WELL_KNOWN_KEY } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { Fixture } from "./support/fixture.ts";
import { authorization } from "./support/raw-client.ts";

/** A path that is not in use yet; what was made there is removed at the end. */
function temporaryPath(): AsyncDisposable & { readonly path: string } {
  const folder = path.join(tmpdir(), `cosmos-emulator-${randomUUID()}`);
  return {
    path: path.join(folder, "store.db"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

describe("options", () => {
  it.each([
    [{ port: 70_000 }, /port/],
    [{ port: -1 }, /port/],
    [{ physicalPartitions: 0 }, /physicalPartitions/],
    [{ requestLogSize: 1.5 }, /requestLogSize/],
    [{ seed: -1 }, /seed/],
    [{ key: "no base64!" }, /key/],
    [{ path: "" }, /path/],
    [{ allowedHosts: [""] }, /allowedHosts/],
    [{ allowedHosts: ["http://cosmos:8081"] }, /allowedHosts/],
    [{ allowedHosts: ["*"] }, /allowedHosts/],
    [{ allowedHosts: ["a~b.example"] }, /allowedHosts/],
    [{ allowedHosts: ["cosmos:99999"] }, /allowedHosts/],
  ] satisfies [CosmosEmulatorOptions, RegExp][])(
    "that make no sense are refused by name: %j",
    async (options, name) => {
      await expect(CosmosEmulator.start({ port: 0, ...options })).rejects.toThrow(name);
    },
  );

  it.each<[object, string]>([
    [{ prot: 0 }, 'There is no option "prot". Did you mean "port"?'],
    [{ physicalPartition: 2 }, 'Did you mean "physicalPartitions"?'],
    [{ database: "orders" }, 'There is no option "database". The options are host,'],
  ])("that do not exist are refused with the nearest one: %j", async (options, message) => {
    await expect(CosmosEmulator.start({ port: 0, ...options })).rejects.toThrow(message);
  });

  it("give a connection string for SDKs, and the well-known key unless told otherwise", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    expect(emulator.key).toBe(WELL_KNOWN_KEY);
    expect(emulator.connectionString).toBe(
      `AccountEndpoint=${emulator.endpoint};AccountKey=${WELL_KNOWN_KEY};`,
    );
  });

  it("with a port that is taken are refused with what to do", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    const port = Number(new URL(emulator.endpoint).port);
    await expect(CosmosEmulator.start({ port })).rejects.toThrow(/something listens there already/);
  });

  it("with a host that this machine does not have are refused with what to do", async () => {
    await expect(CosmosEmulator.start({ port: 0, host: "203.0.113.7" })).rejects.toThrow(/no such address/);
  });
});

describe("a file", () => {
  it("keeps everything across a restart", async () => {
    await using file = temporaryPath();
    {
      await using fixture = await Fixture.start({ path: file.path });
      expect((await fixture.create({ id: "a", pk: "p", n: 1 })).status).toBe(201);
    }
    await using again = await Fixture.start({ path: file.path });
    expect((await again.item("GET", "p", "a")).json.n).toBe(1);
    const created = await again.create({ id: "b", pk: "p" });
    expect(created.headers["x-ms-session-token"]).toBe("0:-1#3");
  });

  it("that is in use is refused with what to do, and the port stays free", async () => {
    await using file = temporaryPath();
    await using fixture = await Fixture.start({ path: file.path });
    await expect(CosmosEmulator.start({ port: 0, path: file.path })).rejects.toThrow(
      /another process has it open/,
    );
    expect((await fixture.create({ id: "a", pk: "p" })).status).toBe(201);
  });
});

describe("HTTPS", () => {
  /** Trusts nothing but the certificate. */
  function get(
    url: string,
    ca: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number | undefined; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { ca, agent: false, headers }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, text });
      });
      sent.on("error", reject).end();
    });
  }

  it("is served with a certificate that a client can import, for all names of loopback", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0, https: true });
    const { certificate = "", endpoint } = emulator;
    expect(endpoint).toMatch(/^https:/);
    const exported = await get(`${endpoint}_emulator/certificate.pem`, certificate);
    expect(exported).toEqual({ status: 200, text: certificate });
    const byName = endpoint.replace("127.0.0.1", "localhost");
    expect((await get(`${byName}ready`, certificate)).status).toBe(200);
    expect((await get(endpoint, certificate)).status).toBe(401);
  });

  it("keeps its certificate beside the file, so that it is trusted after a restart", async () => {
    await using file = temporaryPath();
    const certificates: (string | undefined)[] = [];
    for (let run = 0; run < 2; run += 1) {
      await using emulator = await CosmosEmulator.start({ port: 0, https: true, path: file.path });
      certificates.push(emulator.certificate);
    }
    expect(certificates[0]).toContain("BEGIN CERTIFICATE");
    expect(certificates[1]).toBe(certificates[0]);
  });

  it("ends connections for faults too", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0, https: true });
    emulator.faults.add({ effect: { kind: "reset" } });
    const date = new Date().toUTCString();
    const signed = { "x-ms-date": date, authorization: authorization(emulator.key, "GET", "dbs", "", date) };
    const answer = get(`${emulator.endpoint}dbs`, emulator.certificate ?? "", signed);
    await expect(answer).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});
