/** An action on many instances whose server is killed: the page goes on where it has seen that it was. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { added, whatIsLeft } from "../src/page/screens/instances/go-on.ts";
import type { BulkProgress, BulkRequest } from "../src/page/shapes/instances.ts";

const COUNT = 300;
/** Changed at the same time. */
const PAGE = 16;
const IDS = Array.from({ length: COUNT }, (_, n) => `order-${n}`);
const TOKEN = "correct horse battery staple";
const PROGRAM = path.join(import.meta.dirname, "support", "serve-file.ts");
const FLAGS = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

let folder: string;
let provider: SqliteProvider;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "duroxide-dashboard-"));
  provider = await SqliteProvider.open(path.join(folder, "store.db"));
  const waits = orchestration("waits", async (ctx) => ctx.waitForEvent("go"));
  const runtime = await Runtime.start({ provider, orchestrations: [waits], logger: silentLogger });
  const client = new Client(provider, { logger: silentLogger });
  await Promise.all(IDS.map((instanceId) => client.start(waits, { instanceId })));
  await expect
    .poll(async () => (await client.admin.count({ status: ["Running"] })).counts[0]?.count, {
      timeout: 600_000,
    })
    .toBe(COUNT);
  await runtime.shutdown();
});

afterEach(async () => {
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

class Server implements AsyncDisposable {
  readonly address: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, address: string) {
    this.#process = process;
    this.address = address;
  }

  /** `most`: so many messages the store takes. */
  static async start(most = Number.POSITIVE_INFINITY): Promise<Server> {
    const words = [PROGRAM, path.join(folder, "store.db"), TOKEN, String(most)];
    const child = spawn(process.execPath, [...FLAGS, ...words], { stdio: ["ignore", "pipe", "inherit"] });
    const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    return new Server(child, String(line.value));
  }

  /** The last progress that was seen; the server is killed after the line for which `killAt` holds. */
  async run(request: BulkRequest, killAt: (progress: BulkProgress) => boolean): Promise<BulkProgress> {
    const response = await fetch(`${this.address}api/bulk`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-duroxide-action": "1",
        origin: new URL(this.address).origin,
        authorization: `Bearer ${TOKEN}`,
      },
      body: JSON.stringify(request),
    });
    let seen: BulkProgress | undefined;
    let rest = "";
    const text = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
    try {
      for await (const chunk of text) {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) seen = JSON.parse(line) as BulkProgress;
        if (seen !== undefined && killAt(seen)) this.#process.kill("SIGKILL");
      }
    } catch {
      // The connection ends with the server.
    }
    if (seen === undefined) throw new Error(`no progress: ${response.status}`);
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL");
    if (this.#process.exitCode === null && this.#process.signalCode === null)
      await once(this.#process, "close");
  }
}

/** How many cancellations wait. */
async function asked(): Promise<ReadonlyMap<string, number>> {
  const { admin } = new Client(provider, { logger: silentLogger });
  const counts = new Map<string, number>();
  const { work } = await admin.work({ kind: "orchestrator", limit: 1_000 });
  for (const { instanceId, item } of work)
    if (item === "CancelInstance") counts.set(instanceId, (counts.get(instanceId) ?? 0) + 1);
  return counts;
}

describe("an action on many instances", () => {
  const plain = { verb: "cancel", reason: "sold out" } as const;

  it.each([
    ["that a filter chooses", { filter: { state: "running" } }],
    ["that were selected", { ids: IDS }],
  ] as const)("goes on after its server was killed: instances %s", async (_which, targets) => {
    let progress: BulkProgress;
    {
      await using killed = await Server.start(COUNT / 2);
      progress = await killed.run({ ...plain, ...targets }, ({ succeeded }) => succeeded >= COUNT / 3);
    }
    expect(progress).toMatchObject({ total: COUNT, done: false, failed: 0 });
    expect((await asked()).size).toBeLessThan(COUNT);

    await using again = await Server.start();
    const rest = { ...plain, ...whatIsLeft(targets, progress) };
    const end = added(progress, await again.run(rest, () => false));

    expect(end).toMatchObject({ succeeded: COUNT, total: COUNT, done: true });
    const counts = await asked();
    expect(counts.size).toBe(COUNT);
    expect([...counts.values()].filter((times) => times > 1).length).toBeLessThanOrEqual(PAGE);
  });
});
