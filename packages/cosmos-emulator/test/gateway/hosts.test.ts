/**
 * The names to which the endpoint answers, over raw sockets. A page of another site that points a name of its own at
 * this machine (DNS rebinding) sends that name as the Host: it must get nothing from any route.
 */
import { describe, expect, it } from "vitest";
import { explorerFile } from "../../src/explorer/index.ts";
import { exchange } from "./support/exchange.ts";
import { Fixture, withFixture } from "./support/fixture.ts";
import { authorization } from "./support/raw-client.ts";

const DATA_PLANE = "/dbs";
const ROUTES = [
  DATA_PLANE,
  "/",
  "/nonsense",
  "/alive",
  "/ready",
  "/_emulator/requests",
  "/_emulator/certificate.pem",
  "/_explorer/",
  "/_explorer/api/dbs",
];

interface Sent {
  readonly target?: string;
  readonly version?: string;
  /** Hosts, each of which becomes a header of its own. */
  readonly hosts: readonly string[];
}

/** The status and the text of the answer to a request that is signed, so that nothing but its host can be wrong. */
async function ask(fixture: Fixture, { target = DATA_PLANE, version = "1.1", hosts }: Sent): Promise<Answer> {
  const date = new Date().toUTCString();
  const signature = authorization(fixture.emulator.key, "GET", target === "/" ? "" : "dbs", "", date);
  const head = [
    `GET ${target} HTTP/${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    `x-ms-date: ${date}`,
    "x-ms-version: 2020-07-15",
    `authorization: ${signature}`,
    "sec-fetch-site: same-origin",
    "connection: close",
  ];
  const text = await exchange(fixture.emulator.endpoint, `${head.join("\r\n")}\r\n\r\n`);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function portOf(fixture: Fixture): string {
  return new URL(fixture.emulator.endpoint).port;
}

describe("an endpoint on loopback", () => {
  it.each(["localhost", "LocalHost", "127.0.0.1", "127.0.0.2", "127.255.255.254", "[::1]"])(
    "answers to %s with its port",
    async (name) => {
      await using fixture = await Fixture.start();
      expect((await ask(fixture, { hosts: [`${name}:${portOf(fixture)}`] })).status).toBe(200);
    },
  );

  it.each(ROUTES)("gives nothing of %s to other names, and says which option allows one", async (target) => {
    await using fixture = await Fixture.start({ explorer: explorerFile });
    for (const name of ["evil.com", "a~b.evil.com", "a!b.evil.com", "a$b.evil.com"]) {
      const { status, text } = await ask(fixture, { target, hosts: [`${name}:${portOf(fixture)}`] });
      expect([name, status]).toEqual([name, 403]);
      expect(text).toContain("allowedHosts");
      expect(text).toContain("--allow-host");
    }
  });

  it.each([
    ["no name", ""],
    ["no name, only a port", ":PORT"],
    ["another port", "localhost:1"],
    ["no port", "localhost"],
    ["an empty port", "localhost:"],
    ["a port that is no number", "localhost:PORTx"],
    ["a port with a leading zero", "localhost:0PORT"],
    ["two ports", "localhost:PORT:PORT"],
    ["user information", "user@localhost:PORT"],
    ["a name and user information of loopback", "localhost:PORT@evil.com"],
    ["a path", "localhost:PORT/"],
    ["a query", "localhost:PORT?"],
    ["a fragment", "evil.com#localhost:PORT"],
    ["a scheme", "http://localhost:PORT"],
    ["a trailing dot", "localhost.:PORT"],
    ["an address with a trailing dot", "127.0.0.1.:PORT"],
    ["a name below localhost", "evil.localhost:PORT"],
    ["a name that begins like loopback", "127.0.0.1.evil.com:PORT"],
    ["a name that ends like loopback", "evil-localhost:PORT"],
    ["an address of three parts", "127.0.1:PORT"],
    ["a part beyond 255", "127.0.0.256:PORT"],
    ["an octal part", "127.0.0.01:PORT"],
    ["a hexadecimal address", "0x7f000001:PORT"],
    ["a decimal address", "2130706433:PORT"],
    ["all addresses", "0.0.0.0:PORT"],
    ["all addresses of IPv6", "[::]:PORT"],
    ["another machine", "192.168.1.5:PORT"],
    ["an IPv4-mapped address", "[::ffff:127.0.0.1]:PORT"],
    ["an IPv4-mapped address in hexadecimal", "[::ffff:7f00:1]:PORT"],
    ["the long form of ::1", "[0:0:0:0:0:0:0:1]:PORT"],
    ["::1 with a zone", "[::1%25lo]:PORT"],
    ["::1 without brackets", "::1:PORT"],
    ["an open bracket", "["],
    ["a percent sign", "localhos%74:PORT"],
    ["a space", "localhost :PORT"],
    ["a list", "localhost:PORT, evil.com"],
    ["letters beyond ASCII", "loc\u00e4lhost:PORT"],
    ["wide letters that normalise to localhost", "\u00ef\u00bd\u008cocalhost:PORT"],
  ])("refuses a Host with %s: %s", async (_, host) => {
    await using fixture = await Fixture.start();
    const { status } = await ask(fixture, { hosts: [host.replaceAll("PORT", portOf(fixture))] });
    expect(status).toBe(403);
  });

  it.each(["1.0", "1.1"])("refuses a request of HTTP/%s without a Host", async (version) => {
    await using fixture = await Fixture.start();
    for (const target of ROUTES)
      expect((await ask(fixture, { target, version, hosts: [] })).status).toBe(403);
  });

  withFixture("refuses two Host headers, also where both are its own", async (fixture) => {
    const own = `localhost:${portOf(fixture)}`;
    for (const hosts of [
      [own, "evil.com"],
      ["evil.com", own],
      [own, own],
    ]) {
      expect((await ask(fixture, { hosts })).status).toBe(403);
    }
  });

  it("refuses an absolute target that is not its own, whatever the Host, and serves one that is", async () => {
    await using fixture = await Fixture.start();
    const own = `localhost:${portOf(fixture)}`;
    const ofTarget = async (target: string, host: string) =>
      (await ask(fixture, { target, hosts: [host] })).status;
    expect(await ofTarget(`http://${own}/dbs`, own)).toBe(200);
    expect(await ofTarget("http://evil.com/dbs", own)).toBe(403);
    expect(await ofTarget("http://evil.com/dbs", "evil.com")).toBe(403);
    expect(await ofTarget(`http://${own}/dbs`, "evil.com")).toBe(403);
    expect(await ofTarget(`http://evil.com@${own}/dbs`, own)).toBe(403);
    expect(await ofTarget(`http://${own}@evil.com/dbs`, own)).toBe(403);
    expect(await ofTarget("http:///dbs", own)).not.toBe(200);
    expect(await ofTarget("http://evil.com/_emulator/requests", own)).toBe(403);
  });

  withFixture("refuses before it looks at the body or its size", async (fixture) => {
    const body = Buffer.alloc(3 * 1024 * 1024, " ");
    const sent = { method: "POST", path: "/dbs", headers: { host: "evil.com" }, body };
    expect((await fixture.client.send(sent)).status).toBe(403);
  });

  withFixture("keeps a refused request in its log", async (fixture) => {
    await ask(fixture, { hosts: ["evil.com"] });
    expect(fixture.emulator.requestLog.entries().at(-1)).toMatchObject({ path: "/dbs", status: 403 });
  });

  it("answers to the names that it was given, with any port or with the given one", async () => {
    await using fixture = await Fixture.start({ allowedHosts: ["Cosmos", "db.example:9000", "[fd00::1]"] });
    const statusOf = async (host: string) => (await ask(fixture, { hosts: [host] })).status;
    for (const host of ["cosmos", "COSMOS:8081", "cosmos:1", "db.example:9000", "[fd00::1]:8081"]) {
      expect([host, await statusOf(host)]).toEqual([host, 200]);
    }
    for (const host of ["db.example", "db.example:9001", "x.cosmos", "cosmos.", "cosmos:x", "u@cosmos"]) {
      expect([host, await statusOf(host)]).toEqual([host, 403]);
    }
    expect(await statusOf(`localhost:${portOf(fixture)}`)).toBe(200);
  });

  it("keeps its own routes to loopback, also where the name is allowed", async () => {
    await using fixture = await Fixture.start({ allowedHosts: ["cosmos"], explorer: explorerFile });
    expect((await ask(fixture, { target: "/_emulator/requests", hosts: ["cosmos"] })).status).toBe(403);
    expect((await ask(fixture, { target: "/_explorer/api/dbs", hosts: ["cosmos"] })).status).toBe(403);
    expect((await ask(fixture, { target: "/ready", hosts: ["cosmos"] })).status).toBe(200);
  });
});

describe("an endpoint that other machines reach", () => {
  it("answers to addresses, to loopback with any port, and to the names that it was given", async () => {
    await using fixture = await Fixture.start({ host: "0.0.0.0", allowedHosts: ["cosmos"] });
    const statusOf = async (host: string) => (await ask(fixture, { hosts: [host] })).status;
    for (const host of ["192.168.1.5:9000", "10.0.0.7", "[fd00::1]:8081", "localhost:9000", "cosmos:8081"]) {
      expect([host, await statusOf(host)]).toEqual([host, 200]);
    }
    for (const host of ["evil.com", "a~b.evil.com:8081", "192.168.1.256", "1.2.3", "[fd00::1%25x]", ""]) {
      expect([host, await statusOf(host)]).toEqual([host, 403]);
    }
  });

  it("keeps its own routes to callers and names of loopback", async () => {
    await using fixture = await Fixture.start({ host: "0.0.0.0", explorer: explorerFile });
    const target = "/_explorer/api/dbs";
    expect((await ask(fixture, { target, hosts: [`localhost:${portOf(fixture)}`] })).status).toBe(200);
    expect((await ask(fixture, { target, hosts: ["192.168.1.5:8081"] })).status).toBe(403);
  });
});
