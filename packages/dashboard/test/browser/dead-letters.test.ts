/** Rows that cannot be read, on the page: seen, put back, dropped. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { DashboardPage, OPERATOR, serve } from "../support/browser.ts";
import { putUnreadableRow } from "../support/unreadable-row.ts";

const ROW = '{"Unheard":{"of":"<b>1</b>"}}';

/** A store with a row of each of these instances that no version can read. */
class SpoiltStore implements AsyncDisposable {
  readonly provider: SqliteProvider;
  readonly #folder: string;

  private constructor(provider: SqliteProvider, folder: string) {
    this.provider = provider;
    this.#folder = folder;
  }

  static async open(instanceIds: readonly string[]): Promise<SpoiltStore> {
    const folder = mkdtempSync(path.join(os.tmpdir(), "dashboard-letters-"));
    const file = path.join(folder, "orders.db");
    const store = new SpoiltStore(await SqliteProvider.open(file, { logger: silentLogger }), folder);
    for (const id of instanceIds) putUnreadableRow(file, id, ROW);
    await store.fetch();
    return store;
  }

  /** Sets aside what cannot be read. */
  async fetch(): Promise<void> {
    await this.provider.fetchOrchestrationItem({ lockTimeoutMs: 5_000, pollTimeoutMs: 0 });
  }

  async letters(): Promise<readonly string[]> {
    const { deadLetters } = (await this.provider.admin.queries?.listDeadLetters?.()) ?? { deadLetters: [] };
    return deadLetters.map(({ instanceId }) => instanceId).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

describe.skipIf(chromiumPath === undefined)("a dead letter", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  async function act({ page }: DashboardPage, instanceId: string, name: "Put back" | "Drop"): Promise<void> {
    await page.getByRole("article").filter({ hasText: instanceId }).getByRole("button", { name }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the deployment was wrong");
    await dialog.getByRole("button", { name, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  it("shows its instance, why it was set aside, and the row as stored", async () => {
    await using store = await SpoiltStore.open(["order-1"]);
    await using served = await serve({ provider: store.provider, authorize: () => OPERATOR });
    await using dashboard = await DashboardPage.open(browser, served.address);
    await dashboard.go("work?show=dead");
    const letter = dashboard.page.getByRole("article");
    await letter.getByRole("link", { name: "order-1" }).waitFor();
    expect(await letter.locator("pre").textContent()).toBe(ROW);
    expect(await letter.locator("p").innerText()).toContain("Unheard");
    expect(dashboard.troubles).toEqual([]);
  });

  it("goes back into its queue, or is dropped", async () => {
    await using store = await SpoiltStore.open(["order-1", "order-2"]);
    await using served = await serve({ provider: store.provider, authorize: () => OPERATOR });
    await using dashboard = await DashboardPage.open(browser, served.address);
    await dashboard.go("work?show=dead");
    await act(dashboard, "order-1", "Put back");
    await dashboard.page.getByRole("article").filter({ hasText: "order-1" }).waitFor({ state: "detached" });
    expect(await store.letters()).toEqual(["order-2"]);
    await store.fetch();
    expect(await store.letters()).toEqual(["order-1", "order-2"]);
    await act(dashboard, "order-2", "Drop");
    await expect.poll(() => store.letters()).toEqual(["order-1"]);
    expect(dashboard.troubles).toEqual([]);
  });

  it("stands on a page of its own where there are many", async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `order-${1_000 + n}`);
    await using store = await SpoiltStore.open(ids);
    await using served = await serve({ provider: store.provider, authorize: () => OPERATOR });
    await using dashboard = await DashboardPage.open(browser, served.address);
    await dashboard.go("work?show=dead");
    const { page } = dashboard;
    const seen = new Set<string>();
    for (;;) {
      await page.getByRole("article").first().waitFor();
      for (const id of await page.locator("article .id").allInnerTexts()) seen.add(id);
      const next = page.getByRole("button", { name: "Next page" });
      if (await next.isDisabled()) break;
      const first = await page.locator("article .id").first().innerText();
      await next.click();
      await page.locator("article .id").first().filter({ hasNotText: first }).waitFor();
    }
    expect([...seen].sort()).toEqual(ids);
  });
});
