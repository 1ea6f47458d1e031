/** Checks that what harms a process does not harm the work of others in it. The processes are real and really end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type InstanceHandle, type Provider } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { openAddress, STORES, type StoreAddress } from "./stores.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

/** A store, a client, and worker processes, each of which is started again whenever it ends. */
class Supervised implements AsyncDisposable {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "runs-"));
  readonly #runs = path.join(this.#folder, "runs.log");
  readonly #store: AsyncDisposable & { readonly address: StoreAddress };
  readonly exitCodes: (number | null)[] = [];
  /** The warnings of all workers. */
  warnings = "";
  readonly #children = new Set<ChildProcess>();
  readonly #supervising: Promise<void>[] = [];
  #stopped = false;
  #provider: (Provider & AsyncDisposable) | undefined;

  constructor(store: AsyncDisposable & { readonly address: StoreAddress }) {
    this.#store = store;
  }

  async client(): Promise<Client> {
    this.#provider ??= await openAddress(this.#store.address);
    return new Client(this.#provider);
  }

  /** Starts what the instances of these calls need, and then workers. */
  async begin(calls: Readonly<Record<string, [name: string, input: unknown]>>, processes = 1): Promise<void> {
    const client = await this.client();
    for (const [instanceId, input] of Object.entries(calls))
      await client.start("call", { instanceId, input });
    for (let n = 0; n < processes; n++) this.#supervising.push(this.#supervise());
  }

  async handle(instanceId: string): Promise<InstanceHandle<unknown>> {
    return (await this.client()).handle("call", instanceId);
  }

  /** How the instance ended: its output, or the message of its failure. */
  async end(instanceId: string): Promise<string> {
    const handle = await this.handle(instanceId);
    return handle.result({ timeout: { minutes: 14 } }).then(String, (error: Error) => error.message);
  }

  /** How often the instance's activity was run. */
  runsOf(instanceId: string): number {
    if (!existsSync(this.#runs)) return 0;
    const lines = readFileSync(this.#runs, "utf8").split("\n");
    return lines.filter((line) => line.startsWith(`${instanceId} `)).length;
  }

  async #supervise(): Promise<void> {
    while (!this.#stopped) {
      const address = JSON.stringify(this.#store.address);
      const child = spawn(
        process.execPath,
        ["--conditions=@duroxide-ts/source", "--no-warnings", WORKER, address, this.#runs],
        { stdio: ["ignore", "ignore", "pipe"] },
      );
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        this.warnings += text;
        process.stderr.write(text);
      });
      this.#children.add(child);
      const [code] = (await once(child, "exit")) as [number | null];
      this.#children.delete(child);
      if (!this.#stopped) this.exitCodes.push(code);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all(this.#supervising);
    await this.#provider?.[Symbol.asyncDispose]();
    await this.#store[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

describe.each(STORES)("on %s", (_name, open) => {
  describe("an activity that ends its process", () => {
    it("is poison after a run alone, and its neighbours all finish", async () => {
      await using workers = new Supervised(await open());
      const neighbours = Array.from({ length: 8 }, (_, n) => `good-${n}`);
      await workers.begin({
        bad: ["exits", null],
        ...Object.fromEntries(neighbours.map((id) => [id, ["waits", 600] as [string, unknown]])),
      });

      // A process that ends while it waits to run the activity alone leaves an attempt, so there may be more.
      expect(await workers.end("bad")).toMatch(
        /^poison: activity exits#2 exceeded \d+ attempts \(max 2\): its process ended while it ran alone$/,
      );
      for (const id of neighbours) expect(await workers.end(id)).toBe("waited");
      // Twice among its neighbours, and three times alone.
      expect(workers.runsOf("bad")).toBeGreaterThanOrEqual(5);
      expect(workers.exitCodes).toEqual(Array.from({ length: workers.runsOf("bad") }, () => 3));
      for (const id of neighbours)
        expect(workers.runsOf(id)).toBeLessThanOrEqual(workers.exitCodes.length + 1);
    });
  });

  describe("an activity that computes for longer than its lock", () => {
    it("runs once, and so do its neighbours, when no other worker can take them", async () => {
      await using workers = new Supervised(await open());
      await workers.begin({ block: ["computes", 4_000], side: ["waits", 300] });

      expect(await workers.end("block")).toBe("computed");
      expect(await workers.end("side")).toBe("waited");
      expect([workers.runsOf("block"), workers.runsOf("side")]).toEqual([1, 1]);
      expect(workers.warnings).toMatch(/event=event_loop_stalled .*"activity computes"/);
    });
  });

  describe("an activity that computes for longer than its lock, in one of two processes", () => {
    it("makes no neighbour poison, though others take the work of its process", async () => {
      await using workers = new Supervised(await open());
      await workers.begin({ block: ["computes", 4_000], side: ["waits", 300] }, 2);

      expect(await workers.end("block")).toBe("computed");
      expect(await workers.end("side")).toBe("waited");
    });
  });

  describe("many activities that compute for a part of their lock each", () => {
    it("run once each, since locks are renewed between them", async () => {
      await using workers = new Supervised(await open());
      const ids = Array.from({ length: 12 }, (_, n) => `c-${n}`);
      await workers.begin(Object.fromEntries(ids.map((id) => [id, ["computes", 300] as [string, unknown]])));

      for (const id of ids) expect(await workers.end(id)).toBe("computed");
      expect(ids.map((id) => workers.runsOf(id))).toEqual(ids.map(() => 1));
    });
  });
});
