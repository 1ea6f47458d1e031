/** A shop on a store, its dashboard, and a browser: what most tests of the page begin with. */
import type { Provider } from "@duroxide-ts/core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "../../../../test/support/chromium.ts";
import type { DashboardOptions } from "../../src/index.ts";
import { openPage, type Served, serve } from "./browser.ts";
import { refund, Shop } from "./shop.ts";
import { openStore, type StoreName, type TestStore } from "./stores.ts";

export class Stage implements AsyncDisposable {
  readonly browser: Browser;
  readonly shop: Shop;
  readonly #store: TestStore;
  readonly #served: Served;

  private constructor(parts: { browser: Browser; store: TestStore; shop: Shop; served: Served }) {
    this.browser = parts.browser;
    this.shop = parts.shop;
    this.#store = parts.store;
    this.#served = parts.served;
  }

  /** Opens a stage with an instance of each kind. */
  static async open(...args: Parameters<typeof Stage.empty>): Promise<Stage> {
    const stage = await Stage.empty(...args);
    await stage.shop.fill();
    return stage;
  }

  /** Opens a stage with workers, but without an instance. `wrap` is for the store as the dashboard sees it. */
  static async empty(
    storeName: StoreName,
    options: Partial<DashboardOptions> = {},
    wrap = (provider: Provider): Provider => provider,
  ): Promise<Stage> {
    const browser = await launchBrowser();
    const store = await openStore(storeName);
    const shop = await Shop.open(store.provider);
    const served = await serve({
      provider: wrap(store.provider),
      title: "orders",
      orchestrations: [refund],
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      ...options,
    });
    return new Stage({ browser, store, shop, served });
  }

  /** Stores a message with this text for each of the instances, past the provider. */
  putMessages(instanceIds: readonly string[], text: string): Promise<void> {
    return this.#store.putMessages(instanceIds, text);
  }

  get address(): string {
    return this.#served.address;
  }

  /** How many requests of this path are not over. */
  open(path: string): number {
    return this.#served.open(path);
  }

  page(place: string, options?: BrowserContextOptions): Promise<Page> {
    return openPage(this.browser, this.address, place, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.#served[Symbol.asyncDispose]();
    await this.shop[Symbol.asyncDispose]();
    await this.#store[Symbol.asyncDispose]();
  }
}
