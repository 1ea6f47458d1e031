/** A real browser on a real endpoint. */
import type { Browser, Page } from "playwright-core";
import { troublesOf } from "../../../../../test/support/chromium.ts";
import { explorerFile } from "../../../src/explorer/index.ts";
import { CosmosEmulator, type CosmosEmulatorOptions } from "../../../src/index.ts";

/** An endpoint and its explorer page, with what went wrong in the page. */
export class ExplorerSession {
  readonly emulator: CosmosEmulator;
  readonly page: Page;
  /** Exceptions, violations of the content policy, dialogs of scripts, requests to other hosts. */
  readonly troubles: readonly string[];

  constructor(emulator: CosmosEmulator, page: Page) {
    this.emulator = emulator;
    this.page = page;
    this.troubles = troublesOf(page, emulator.endpoint);
  }

  static async start(browser: Browser, options: CosmosEmulatorOptions = {}): Promise<ExplorerSession> {
    const emulator = await CosmosEmulator.start({ port: 0, explorer: explorerFile, ...options });
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    return new ExplorerSession(emulator, page);
  }

  async stop(): Promise<void> {
    await this.page.close();
    await this.emulator.stop();
  }

  /** Opens the page at an address such as `#/dbs/shop/colls/orders/query`. */
  async open(address = ""): Promise<void> {
    await this.page.goto(`${this.emulator.endpoint}_explorer/${address}`);
  }

  /** A container `shop/orders` with this partition key. */
  async createContainer(...partitionKeyPaths: readonly string[]): Promise<void> {
    const kind = partitionKeyPaths.length === 1 ? "Hash" : "MultiHash";
    const partitionKey = { paths: partitionKeyPaths, kind, version: 2 };
    await this.send("dbs", { id: "shop" });
    await this.send("dbs/shop/colls", { id: "orders", partitionKey });
  }

  async createDocument(key: readonly unknown[], document: object | string): Promise<void> {
    const header = Buffer.from(JSON.stringify(key)).toString("latin1");
    await this.send("dbs/shop/colls/orders/docs", document, { "x-ms-documentdb-partitionkey": header });
  }

  async send(path: string, body: object | string, headers: Record<string, string> = {}): Promise<void> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const url = `${this.emulator.endpoint}_explorer/api/${path}`;
    const response = await fetch(url, { method: "POST", headers, body: text });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
}
