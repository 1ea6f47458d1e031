/** The page for users who may not act, and on a store without queries. */
import { MemoryProvider } from "@duroxide-ts/core/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { DashboardPage, OPERATOR, serve } from "../support/browser.ts";
import { approval, orderOf, Shop, until } from "../support/shop.ts";
import { SpoiltStore } from "../support/spoilt-store.ts";
import { withoutQueries } from "../support/without-queries.ts";

const VIEWER = { authorize: () => ({ user: "eve", role: "viewer" }) as const };
const READ_ONLY = { readOnly: true, authorize: () => OPERATOR };

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function waiting({ client }: Shop, id: string): Promise<void> {
  await client.start(approval, { instanceId: id, input: orderOf(1) });
  await until(async () => (await client.admin.timeline(id)).waits.length === 2);
}

describe.skipIf(chromiumPath === undefined).each([
  ["a viewer", VIEWER],
  ["a user of a dashboard that is read-only", READ_ONLY],
] as const)("%s", (_who, options) => {
  it("selects no instances, sends no events and starts nothing", async () => {
    await using store = await SpoiltStore.open("sqlite", []);
    await using shop = await Shop.open(store.provider);
    await waiting(shop, "order-1");
    await using served = await serve({ provider: shop.provider, ...options });
    await using dashboard = await DashboardPage.open(browser, served.address);
    const { page } = dashboard;
    await dashboard.go("instances");
    await page.getByRole("link", { name: "order-1", exact: true }).waitFor();
    await expectSoon(() => page.getByRole("checkbox").count()).toBe(0);
    for (const key of ["j", "x", "j"]) await page.keyboard.press(key);
    await page.locator("tr.current").waitFor();
    await expectSoon(() => page.getByRole("region", { name: "Selection" }).count()).toBe(0);
    await dashboard.go("instance?id=order-1");
    await page.getByRole("option", { name: /event approved/ }).click();
    await page.getByRole("complementary").getByText("Event", { exact: true }).waitFor();
    await expectSoon(() =>
      page.getByRole("complementary").getByRole("button").allInnerTexts(),
    ).not.toContainEqual(expect.stringMatching(/Raise|Rewind/));
    await dashboard.go("start");
    await page.getByText("You may not start instances").waitFor();
    expect(dashboard.troubles).toEqual([]);
  });

  it("reads dead letters, and neither puts them back nor drops them", async () => {
    await using store = await SpoiltStore.open("sqlite", ["order-1"]);
    await using served = await serve({ provider: store.provider, ...options });
    await using dashboard = await DashboardPage.open(browser, served.address);
    const { page } = dashboard;
    await dashboard.go("work?show=dead");
    await page.getByRole("article").getByText("Unheard").first().waitFor();
    await expectSoon(() => page.getByRole("article").getByRole("button").count()).toBe(0);
    expect(dashboard.troubles).toEqual([]);
  });
});

describe.skipIf(chromiumPath === undefined)("on a store without queries", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open(withoutQueries(new MemoryProvider()));
    for (const id of ["order-1", "order-2"]) await waiting(shop, id);
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  it.each([
    ["", "This store has no queries"],
    ["instances", "This store cannot filter"],
    ["work", "This store cannot list its queues"],
    ["work?show=dead", "This store cannot list dead letters"],
    ["workers", "This store does not know its workers"],
  ])("%j says %j", async (place, title) => {
    await using served = await serve({ provider: shop.provider, authorize: () => OPERATOR });
    await using dashboard = await DashboardPage.open(browser, served.address);
    await dashboard.go(place);
    await dashboard.page.locator(".notice").getByText(title).waitFor();
    expect(dashboard.troubles).toEqual([]);
  });

  it("instances are listed, the filter that has no effect is named, and nothing is counted", async () => {
    await using served = await serve({ provider: shop.provider, authorize: () => OPERATOR });
    await using dashboard = await DashboardPage.open(browser, served.address);
    const { page } = dashboard;
    await dashboard.go("instances?name=checkout");
    await page.getByText("Not applied: orchestration.").waitFor();
    await page.getByRole("link", { name: "order-1", exact: true }).waitFor();
    await expectSoon(() => page.getByRole("button", { name: "Count" }).count()).toBe(0);
    expect(dashboard.troubles).toEqual([]);
  });

  it("an action is for the selected instances, and is offered where the store has it", async () => {
    await waiting(shop, "order-3");
    await using served = await serve({ provider: shop.provider, authorize: () => OPERATOR });
    await using dashboard = await DashboardPage.open(browser, served.address);
    const { page } = dashboard;
    await dashboard.go("instances");
    await page.getByLabel("Select order-3").check();
    const selection = page.getByRole("region", { name: "Selection" });
    await expectSoon(() => selection.getByRole("button").allInnerTexts()).toEqual([
      "Clear",
      "Cancel",
      "Delete",
    ]);
    await selection.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel 1" }).click();
    await page.getByText("Done: 1 of 1").waitFor();
    await until(async () => (await shop.client.handle("approval", "order-3").status()).status === "Failed");
    expect(dashboard.troubles).toEqual([]);
  });
});
