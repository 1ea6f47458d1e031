/** Walks docs/operate/going-to-production.md: its worker runs as a process of its own, is asked, backed up and replaced. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../support/run-program.ts";
import { read } from "../tidy/repository.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = read("docs/operate/going-to-production.md");
const CLI = "packages/cli/src/main.ts";
const ORIGIN = "https://ops.example.com";
const SOON = { timeout: 120_000 };

it("the page is short, and shows the worker as it is", () => {
  expect(PAGE.split(/\s+/).length).toBeLessThanOrEqual(1_200);
  expect(PAGE).toContain(
    `<!-- worker.ts -->\n\`\`\`ts\n${bodyOf(read("examples/production/worker.ts"))}\`\`\``,
  );
});

/** The program without the comment at its head. */
function bodyOf(source: string): string {
  return source.slice(source.indexOf("import "));
}

interface Worker {
  readonly process: ChildProcess;
  readonly address: string;
  readonly lines: string[];
}

const workers: Worker[] = [];

/** Starts the command of the Dockerfile, from the sources. */
async function startWorker(env: Readonly<Record<string, string>>): Promise<Worker> {
  const [, command] = /^CMD \[.*"(.*)"\]$/m.exec(PAGE) ?? [];
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning", String(command)],
    {
      cwd: path.join(ROOT, "examples/production"),
      env: { ...process.env, PORT: String(port), PUBLIC_ORIGIN: ORIGIN, ...env },
    },
  );
  const lines: string[] = [];
  const collect = (text: unknown): void => void lines.push(...String(text).split("\n").filter(Boolean));
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const worker = { process: child, address: `http://127.0.0.1:${port}`, lines };
  workers.push(worker);
  await expect
    .poll(
      () =>
        fetch(`${worker.address}/live`).then(
          ({ status }) => status,
          () => lines.join("\n"),
        ),
      SOON,
    )
    .toBe(200);
  return worker;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}

/** Ends it as the platform does. Resolves to its exit code. */
async function stop({ process: child }: Worker): Promise<unknown> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await ended;
  return code;
}

function start({ address }: Worker, id: string): Promise<Response> {
  return fetch(`${address}/checkouts/${id}`, { method: "PUT", body: "4200" });
}

/** A proxy as in the page: it names its own host, and replaces the header with the user. */
async function proxyTo(upstream: string): Promise<{ readonly address: string; close(): void }> {
  const { hostname, port, host } = new URL(upstream);
  const server = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming;
    const passed = { ...headers, host, "x-forwarded-user": "ada@example.com" };
    const request = httpRequest({ hostname, port, method, path: url, headers: passed }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(request);
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  return { address, close: () => void server.close() };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "going-to-production-"));
  file = path.join(folder, "shop.db");
});

afterEach(async () => {
  for (const { process: child } of workers.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that a probe, a scraper and a caller asks. */
async function askWorker(worker: Worker, id: string): Promise<void> {
  for (let repeated = 0; repeated < 2; repeated++) expect((await start(worker, id)).status).toBe(202);
  const state = async (): Promise<unknown> => {
    const answer = await fetch(`${worker.address}/ops/api/instance?id=${id}`, { headers: AS_ADA });
    return ((await answer.json()) as { readonly state?: string }).state;
  };
  await expect.poll(state, SOON).toBe("completed");
  const health = await fetch(`${worker.address}/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { store: { ok: true }, blocked: 0 }]);
  const metrics = await (await fetch(`${worker.address}/metrics`)).text();
  for (const name of ["duroxide_blocked_work 0", "duroxide_oldest_due_seconds 0", "duroxide_dead_letters 0"])
    expect(metrics).toContain(`\n${name}\n`);
}

const AS_ADA = { "x-forwarded-user": "ada@example.com" };

describe("the worker on a SQLite file", () => {
  it("answers probes, scrapers and callers, and ends with 0 at SIGTERM", async () => {
    const worker = await startWorker({ STORE_FILE: file });
    await askWorker(worker, "first");
    expect(await stop(worker)).toBe(0);
    const entries = worker.lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(entries.find(({ msg }) => msg === "stopping")).toMatchObject({ signal: "SIGTERM" });
  });

  it("is a dashboard for people whom the proxy names, and for nobody else", async () => {
    const worker = await startWorker({ STORE_FILE: file });
    expect((await fetch(`${worker.address}/ops/api/session`)).status).toBe(401);
    const proxy = await proxyTo(worker.address);
    const session = await fetch(`${proxy.address}/ops/api/session`, {
      headers: { "x-forwarded-user": "eve" },
    });
    expect(await session.json()).toMatchObject({ user: "ada@example.com", role: "operator" });
    expect((await fetch(`${proxy.address}/ops/instances/first`)).status).toBe(200);
    await start(worker, "first");
    const act = (origin: string): Promise<Response> =>
      fetch(`${proxy.address}/ops/api/act`, {
        method: "POST",
        headers: { origin, "x-duroxide-action": "1", "content-type": "application/json" },
        body: JSON.stringify({ verb: "cancel", id: "first", reason: "sold out" }),
      });
    expect((await act("https://elsewhere.example.com")).status).toBe(403);
    expect((await act(ORIGIN)).status).not.toBe(403);
    proxy.close();
  });

  it("is backed up while it runs, and goes on from the copy", async () => {
    const worker = await startWorker({ STORE_FILE: file });
    await askWorker(worker, "first");
    const copy = path.join(folder, "copy.db");
    const backup = [CLI, "backup", copy, "--store", `sqlite:${file}`];
    expect(await runProgram(backup)).toMatchObject({ exitCode: 0 });
    expect(await runProgram(backup)).not.toMatchObject({ exitCode: 0 });
    const restored = await startWorker({ STORE_FILE: copy });
    await askWorker(restored, "second");
    expect(await runProgram([CLI, "doctor", "--store", `sqlite:${copy}`])).toMatchObject({ exitCode: 0 });
    const listed = await runProgram([CLI, "list", "-o", "ids", "--store", `sqlite:${copy}`]);
    expect(listed.output.trim().split("\n")).toEqual(["second", "first"]);
  });

  it("is replaced by a new one while it runs, and nothing waits", async () => {
    const before = await startWorker({ STORE_FILE: file });
    await start(before, "first");
    const after = await startWorker({ STORE_FILE: file });
    expect(await stop(before)).toBe(0);
    await start(after, "second");
    await using provider = await SqliteProvider.open(file);
    const client = new Client(provider);
    for (const id of ["first", "second"])
      expect(await client.handle("checkout", id).result({ timeout: SOON.timeout })).toBe(
        "charged 4200 cents",
      );
  });
});

it("the worker is the same on Cosmos DB, where its environment names the account", async () => {
  await using endpoint = await CosmosEmulator.start({ port: 0 });
  const { key } = endpoint;
  const worker = await startWorker({ COSMOSDB_ENDPOINT: endpoint.endpoint, COSMOSDB_KEY: `${key}\n` });
  await askWorker(worker, "first");
  expect(await stop(worker)).toBe(0);
});
