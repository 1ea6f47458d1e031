/** The command as a process of its own: what only a real process shows. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseCommand } from "../../src/cli-arguments.ts";
import { CONTAINER, keyOf } from "./support/fixture.ts";
import { RawClient } from "./support/raw-client.ts";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

type Child = ChildProcessByStdio<null, Readable, Readable>;

function run(...args: string[]): Child {
  const options = ["--conditions=@duroxide-ts/source", "--no-warnings", CLI];
  return spawn(process.execPath, [...options, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

/** Resolves when it says that it is ready. */
async function start(...args: string[]): Promise<{ child: Child; client: RawClient; lines: string[] }> {
  const child = run("--port", "0", ...args);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith("Key")) break;
  }
  const [endpoint = "", key = ""] = lines.map((line) => line.split(/\s+/)[1] ?? "");
  return { child, client: new RawClient({ endpoint, key }), lines };
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "cosmos-emulator-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

describe("the flags", () => {
  it("become options", () => {
    const flags =
      "--port 0 --host 0.0.0.0 --file x.db --key AAAA --https --lenient --partitions 3 --aad --seed 7";
    const switches = ["--atomic-batches", "--enforce-throughput", "--no-explorer"];
    const names = ["--allow-host", "cosmos", "--allow-host", "localhost:9000"];
    expect(parseCommand([...flags.split(" "), ...switches, ...names])).toEqual({
      kind: "start",
      certificateFile: undefined,
      hasExplorer: false,
      options: {
        port: 0,
        host: "0.0.0.0",
        allowedHosts: ["cosmos", "localhost:9000"],
        path: "x.db",
        key: "AAAA",
        https: true,
        lenient: true,
        physicalPartitions: 3,
        aad: true,
        seed: 7,
        treatBatchesAsAtomic: true,
        enforceThroughput: true,
      },
    });
  });

  it.each([
    [["--prot", "1"], /--prot/],
    [["--port"], /--port/],
    [["--port", "many"], /--port is "many": give a whole number/],
    [["start"], /start/],
    [["--certificate", "x.pem"], /--certificate needs --https/],
  ])("%j are refused with what to do", (args, message) => {
    const command = parseCommand(args);
    expect(command).toMatchObject({ kind: "mistake", message: expect.stringMatching(message) });
    expect(command).toMatchObject({ message: expect.stringContaining("--help") });
  });
});

describe("the command", () => {
  it("prints endpoint, key and explorer once it is ready, and stops when asked to", async () => {
    const { child, client, lines } = await start();
    using _closed = client;
    expect(lines[0]).toMatch(/^Endpoint {2}http:\/\/127\.0\.0\.1:\d+\/$/);
    expect((await client.signed("GET", { link: "", feed: "dbs" })).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("exports its certificate", async () => {
    await using temporary = await temporaryFolder();
    const file = path.join(temporary.folder, "certificate.pem");
    const { child } = await start("--https", "--certificate", file);
    expect(await readFile(file, "utf8")).toMatch(/^-----BEGIN CERTIFICATE-----/);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("explains itself, and says what is wrong on the command line and at the start", async () => {
    const help = run("--help");
    expect(await textOf(help.stdout)).toContain("--lenient");
    const version = run("--version");
    expect(await textOf(version.stdout)).toMatch(/^\d+\.\d+\.\d+\n$/);
    const mistake = run("--nonsense");
    const [said, exited] = await Promise.all([textOf(mistake.stderr), once(mistake, "exit")]);
    expect([said, exited]).toEqual([expect.stringContaining("--nonsense"), [2, null]]);
    const bad = run("--port", "0", "--key", "not base64");
    const [reason, ended] = await Promise.all([textOf(bad.stderr), once(bad, "exit")]);
    expect([reason, ended]).toEqual([expect.stringContaining("key is not base64"), [1, null]]);
  });
});

describe("a file whose process is killed in the middle of batches", () => {
  const WIDTH = 5;

  /** Writes batches over several connections until the process is gone; returns those that were acknowledged. */
  async function writeUntilKilled(
    child: Child,
    client: RawClient,
    run: number,
    after: number,
  ): Promise<string[]> {
    const acknowledged: string[] = [];
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; ; n += 1) {
        const batch = `${run}-${writer}-${n}`;
        const operations = Array.from({ length: WIDTH }, (_, part) => ({
          operationType: "Create",
          resourceBody: { id: `${batch}-${part}`, pk: "p", batch },
        }));
        const flags = { "x-ms-cosmos-is-batch-request": "true", "x-ms-cosmos-batch-atomic": "true" };
        const headers = { ...keyOf("p"), ...flags };
        const body = JSON.stringify(operations);
        await client.signed("POST", { link: CONTAINER, feed: "docs" }, { body, headers });
        acknowledged.push(batch);
        if (acknowledged.length === after) child.kill("SIGKILL");
      }
    };
    await Promise.allSettled([0, 1, 2, 3].map(write));
    return acknowledged;
  }

  it("opens again with every acknowledged batch, and each batch whole or not at all", async () => {
    await using temporary = await temporaryFolder();
    const file = path.join(temporary.folder, "store.db");
    const acknowledged: string[] = [];
    for (const [index, after] of [10, 60, 150].entries()) {
      const { child, client } = await start("--file", file);
      using _closed = client;
      await client.signed("POST", { link: "", feed: "dbs" }, { body: '{"id":"db"}' });
      const container = { id: "items", partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 } };
      await client.signed("POST", { link: "dbs/db", feed: "colls" }, { body: JSON.stringify(container) });
      const exited = once(child, "exit");
      acknowledged.push(...(await writeUntilKilled(child, client, index, after)));
      expect(await exited).toEqual([null, "SIGKILL"]);
    }
    const { child, client } = await start("--file", file);
    using _closed = client;
    const headers = {
      ...keyOf("p"),
      "x-ms-documentdb-isquery": "true",
      "content-type": "application/query+json",
    };
    const query = JSON.stringify({ query: "SELECT c.batch, COUNT(1) AS n FROM c GROUP BY c.batch" });
    const found = await client.signed("POST", { link: CONTAINER, feed: "docs" }, { body: query, headers });
    const sizes = new Map<string, number>(
      found.json.Documents.map(({ batch, n }: { batch: string; n: number }) => [batch, n]),
    );
    expect(new Set(sizes.values())).toEqual(new Set([WIDTH]));
    expect([...sizes.keys()]).toEqual(expect.arrayContaining(acknowledged));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
