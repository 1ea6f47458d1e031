/** The stage of the demo: the orders, a database in a folder of its own, and one worker process at a time. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client, type Provider } from "@duroxide-ts/core";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { startEndpointIfNeeded } from "../local-endpoint.ts";
import { type LedgerLine, ledgerOf, readLedger } from "./ledger.ts";
import { type Order, readOrders } from "./orders.ts";
import { openStore, type Place } from "./place.ts";
import { type OrderProgress, readProgress } from "./progress.ts";
import { WorkerProcess } from "./worker-process.ts";

export class Stage {
  readonly orders: readonly Order[];
  readonly place: Place;
  readonly #provider: Provider;
  readonly #endpoint: CosmosEmulator | undefined;
  readonly client: Client;
  #worker: WorkerProcess | undefined;
  #keepFiles = false;
  readonly #onExit = (): void => {
    this.#worker?.kill();
    this.#removeFiles();
  };

  private constructor(
    orders: readonly Order[],
    place: Place,
    provider: Provider,
    endpoint: CosmosEmulator | undefined,
  ) {
    this.orders = orders;
    this.place = place;
    this.#provider = provider;
    this.#endpoint = endpoint;
    this.client = new Client(provider);
    // Also when the demo is interrupted, no process and no file is left behind.
    process.once("exit", this.#onExit);
  }

  static async open(store: "sqlite" | "cosmos"): Promise<Stage> {
    const orders = await readOrders();
    const folder = await mkdtemp(path.join(os.tmpdir(), "order-fulfilment-"));
    const databaseFile = path.join(folder, "orders.db");
    if (store === "sqlite") {
      return new Stage(orders, { databaseFile }, await openStore({ databaseFile }), undefined);
    }
    const endpoint = await startEndpointIfNeeded();
    const place = { databaseFile, container: path.basename(folder) };
    return new Stage(orders, place, await openStore(place), endpoint);
  }

  /** Whether the store is a local endpoint, which ends with the demo. */
  get endsWithDemo(): boolean {
    return this.#endpoint !== undefined;
  }

  startWorker(): WorkerProcess {
    this.#worker = new WorkerProcess(this.place);
    return this.#worker;
  }

  progress(): Promise<readonly OrderProgress[]> {
    return readProgress(this.client, this.orders);
  }

  ledger(): readonly LedgerLine[] {
    return readLedger(ledgerOf(this.place.databaseFile));
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
    await this.#endpoint?.[Symbol.asyncDispose]();
    this.#removeFiles();
  }

  #removeFiles(): void {
    if (!this.#keepFiles) rmSync(path.dirname(this.place.databaseFile), { recursive: true, force: true });
  }
}
