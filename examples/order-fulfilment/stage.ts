/** What the demo works with: the orders, a database in a folder of its own, and one worker process at a time. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { type LedgerLine, ledgerOf, readLedger } from "./ledger.ts";
import { type Order, readOrders } from "./orders.ts";
import { type OrderProgress, readProgress } from "./progress.ts";
import { WorkerProcess } from "./worker-process.ts";

export class Stage {
  readonly orders: readonly Order[];
  readonly databaseFile: string;
  readonly #provider: SqliteProvider;
  readonly #client: Client;
  #worker: WorkerProcess | undefined;
  #keepFiles = false;
  readonly #onExit = (): void => {
    this.#worker?.kill();
    this.#removeFiles();
  };

  private constructor(orders: readonly Order[], databaseFile: string, provider: SqliteProvider) {
    this.orders = orders;
    this.databaseFile = databaseFile;
    this.#provider = provider;
    this.#client = new Client(provider);
    // Also when the demo is interrupted, no process and no file is left behind.
    process.once("exit", this.#onExit);
  }

  static async open(): Promise<Stage> {
    const orders = await readOrders();
    const folder = await mkdtemp(path.join(os.tmpdir(), "order-fulfilment-"));
    const databaseFile = path.join(folder, "orders.db");
    return new Stage(orders, databaseFile, await SqliteProvider.open(databaseFile));
  }

  startWorker(): WorkerProcess {
    this.#worker = new WorkerProcess(this.databaseFile);
    return this.#worker;
  }

  progress(): Promise<readonly OrderProgress[]> {
    return readProgress(this.#client, this.orders);
  }

  ledger(): readonly LedgerLine[] {
    return readLedger(ledgerOf(this.databaseFile));
  }

  get keepsFiles(): boolean {
    return this.#keepFiles;
  }

  keepFiles(): void {
    this.#keepFiles = true;
  }

  async close(): Promise<void> {
    process.off("exit", this.#onExit);
    this.#worker?.kill();
    await this.#worker?.ended;
    await this.#provider[Symbol.asyncDispose]();
    this.#removeFiles();
  }

  #removeFiles(): void {
    if (!this.#keepFiles) rmSync(path.dirname(this.databaseFile), { recursive: true, force: true });
  }
}
