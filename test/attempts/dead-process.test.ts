/** The locks of a process that dies are free for the processes of its machine. The processes are real. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type InstanceHandle, type Provider } from "@duroxide-ts/core";
import { systemProcesses } from "@duroxide-ts/core/stores";
import { describe, expect, it } from "vitest";
import { expectSoon } from "../support/expect-soon.ts";
import { ProgramProcess } from "../support/program-process.ts";
import { openAddress, STORES, type StoreAddress } from "./stores.ts";

const WORKER = fileURLToPath(new URL("./lasting-worker.ts", import.meta.url));

/** A store with workers whose locks last for longer than the tests. */
class Machine implements AsyncDisposable {
  readonly client: Client;
  readonly #store: AsyncDisposable & { readonly address: StoreAddress };
  readonly #provider: Provider & AsyncDisposable;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "machine-"));
  readonly #calls = path.join(this.#folder, "calls");
  readonly #workers: ProgramProcess[] = [];

  static async open(open: () => Promise<Machine["store"]>): Promise<Machine> {
    const store = await open();
    return new Machine(store, await openAddress(store.address));
  }

  private constructor(store: Machine["store"], provider: Provider & AsyncDisposable) {
    this.#store = store;
    this.#provider = provider;
    this.client = new Client(provider);
  }

  get store(): AsyncDisposable & { readonly address: StoreAddress } {
    return this.#store;
  }

  worker(): ProgramProcess {
    const worker = new ProgramProcess(WORKER, [JSON.stringify(this.#store.address), this.#calls]);
    this.#workers.push(worker);
    return worker;
  }

  call(instanceId: string, options: object = {}): Promise<InstanceHandle<unknown>> {
    return this.client.start("call", { instanceId, input: options });
  }

  /** The attempts of its activity, as handlers saw them. */
  attempts(instanceId: string): readonly number[] {
    if (!existsSync(this.#calls)) return [];
    const lines = readFileSync(this.#calls, "utf8").split("\n");
    return lines
      .filter((line) => line.startsWith(`${instanceId} `))
      .map((line) => Number(line.split(" ")[1]));
  }

  /** Lets the call of the instance end. */
  release(instanceId: string): void {
    appendFileSync(`${this.#calls}.${instanceId}`, "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#workers) worker.kill();
    await Promise.all(this.#workers.map(({ ended }) => ended));
    await this.#provider[Symbol.asyncDispose]();
    await this.#store[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** On other systems locks end by their time. */
const CAN_TELL = systemProcesses.own() !== undefined;

describe.skipIf(!CAN_TELL).each(STORES)(
  "a process that is killed on %s",
  { timeout: 180_000 },
  (_name, open) => {
    it("leaves its activity, its session and its permit to the process that is started after it", async () => {
      await using machine = await Machine.open(open);
      await machine.client.limits.set("k", { concurrency: 1 });
      const ids = ["plain", "in-session", "limited"];
      const first = machine.worker();
      await machine.call("plain");
      await machine.call("in-session", { session: "s" });
      await machine.call("limited", { limit: "k" });
      for (const id of ids) await expectSoon(() => machine.attempts(id)).toEqual([1]);
      await machine.call("next", { limit: "k" });
      first.kill();
      await first.ended;
      machine.release("next");
      machine.worker();

      for (const id of ids) await expectSoon(() => machine.attempts(id)).toEqual([1, 2]);
      for (const id of ids) machine.release(id);
      for (const id of ids) expect(await machine.client.handle("call", id).result()).toBe(2);
      expect(await machine.client.handle("call", "next").result()).toBe(1);
    });

    it("leaves its turn to the next process", async () => {
      await using machine = await Machine.open(open);
      const first = machine.worker();
      const handle = await machine.client.start("stands", { instanceId: "turn" });
      await expectSoon(() => machine.attempts("turn")).toEqual([1]);
      first.kill();
      await first.ended;
      machine.release("turn");
      machine.worker();

      expect(await handle.result()).toBe("went on");
    });

    it("was not dead while it stood still", async () => {
      await using machine = await Machine.open(open);
      const first = machine.worker();
      const handle = await machine.call("frozen");
      await expectSoon(() => machine.attempts("frozen")).toEqual([1]);
      first.freeze();
      machine.worker();
      const other = await machine.call("other");
      await expectSoon(() => machine.attempts("other")).toEqual([1]);
      machine.release("other");
      await other.result();
      first.thaw();
      machine.release("frozen");

      expect(await handle.result()).toBe(1);
      expect(machine.attempts("frozen")).toEqual([1]);
    });
  },
);

describe.skipIf(!CAN_TELL)("a process that is killed on SQLite beside another one", () => {
  it("leaves its activity to that", async () => {
    const [[, open]] = STORES;
    await using machine = await Machine.open(open);
    const first = machine.worker();
    const handle = await machine.call("left");
    await expectSoon(() => machine.attempts("left")).toEqual([1]);
    machine.worker();
    await machine.call("other");
    await expectSoon(() => machine.attempts("other")).toEqual([1]);
    first.kill();
    await expectSoon(() => machine.attempts("left")).toEqual([1, 2]);
    for (const id of ["left", "other"]) machine.release(id);

    expect(await handle.result()).toBe(2);
  });
});
