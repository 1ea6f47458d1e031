/** Rows that cannot be read, on the page: seen, put back, dropped. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { openPage, serve } from "../support/browser.ts";
import { SpoiltStore, UNREADABLE } from "../support/spoilt-store.ts";
import { storesOfRun } from "../support/stores.ts";

describe.skipIf(chromiumPath === undefined).each(storesOfRun(4))("a dead letter on %s", (storeName) => {
  const browser = shared(() => launchBrowser());

  async function act(page: Page, instanceId: string, name: "Put back" | "Drop"): Promise<void> {
    await page.getByRole("article").filter({ hasText: instanceId }).getByRole("button", { name }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the deployment was wrong");
    await dialog.getByRole("button", { name, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  it("shows its instance, why it was set aside, and the row as stored", async () => {
    await using store = await SpoiltStore.open(storeName, ["order-1"]);
    await using served = await serve({ provider: store.provider });
    const page = await openPage(browser(), served.address, "work?show=dead");
    const letter = page.getByRole("article");
    await letter.getByRole("link", { name: "order-1" }).waitFor();
    await expectSoon(() => letter.locator("pre").textContent()).toBe(UNREADABLE);
    await expectSoon(() => letter.locator("p").innerText()).toContain("Unheard");
  });

  it("goes back into its queue, or is dropped", async () => {
    await using store = await SpoiltStore.open(storeName, ["order-1", "order-2"]);
    await using served = await serve({ provider: store.provider });
    const page = await openPage(browser(), served.address, "work?show=dead");
    await act(page, "order-1", "Put back");
    await page.getByRole("article").filter({ hasText: "order-1" }).waitFor({ state: "detached" });
    expect(await store.letters()).toEqual(["order-2"]);
    await store.setAside(2);
    expect(await store.letters()).toEqual(["order-1", "order-2"]);
    await act(page, "order-2", "Drop");
    await expectSoon(() => store.letters()).toEqual(["order-1"]);
    await page.getByRole("article").filter({ hasText: "order-2" }).waitFor({ state: "detached" });
  });

  it("names who acted and why in the log", async () => {
    await using store = await SpoiltStore.open(storeName, ["order-1"]);
    const log: object[] = [];
    const logger = { debug() {}, info: (fields: object) => log.push(fields), warn() {}, error() {} };
    await using served = await serve({ provider: store.provider, logger });
    const page = await openPage(browser(), served.address, "work?show=dead");
    await act(page, "order-1", "Put back");
    const named = { verb: "requeueDeadLetter", user: "ada", reason: "the deployment was wrong" };
    const client = { event: "dead_letter_requeued", by: "ada", reason: "the deployment was wrong" };
    expect(log).toEqual([expect.objectContaining(client), expect.objectContaining(named)]);
  });

  it("that is gone meanwhile is said to be gone, and the dialog stays", async () => {
    await using store = await SpoiltStore.open(storeName, ["order-1"]);
    await using served = await serve({ provider: store.provider });
    const page = await openPage(browser(), served.address, "work?show=dead");
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByRole("article").getByRole("button", { name: "Drop" }).click();
    const { deadLetters } = (await store.provider.admin.listDeadLetters()) ?? { deadLetters: [] };
    await store.provider.admin.settleDeadLetter(deadLetters[0]?.id ?? "", "drop");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Drop", exact: true }).click();
    await dialog.getByRole("alert").getByText("this dead letter is gone").waitFor();
    await dialog.getByRole("button", { name: "Keep as it is" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  it("stands on a page of its own where there are many", async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `order-${1_000 + n}`);
    await using store = await SpoiltStore.open(storeName, ids);
    await using served = await serve({ provider: store.provider });
    const page = await openPage(browser(), served.address, "work?show=dead");
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
