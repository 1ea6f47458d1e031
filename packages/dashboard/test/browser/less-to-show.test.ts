/** The page for users who may not act. */
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { openPage, serve } from "../support/browser.ts";
import { approval, orderOf, Shop, until } from "../support/shop.ts";
import { SpoiltStore } from "../support/spoilt-store.ts";

const VIEWER = { authorize: () => ({ user: "eve", role: "viewer" }) as const };
const READ_ONLY = { readOnly: true };

async function waiting({ client }: Shop, id: string): Promise<void> {
  await client.start(approval, { instanceId: id, input: orderOf(1) });
  await until(async () => (await client.admin.timeline(id)).waits.length === 2);
}

describe.skipIf(chromiumPath === undefined).each([
  ["a viewer", VIEWER],
  ["a user of a dashboard that is read-only", READ_ONLY],
] as const)("%s", (_who, options) => {
  const browser = shared(() => launchBrowser());

  it("selects no instances, sends no events and starts nothing", async () => {
    await using store = await SpoiltStore.open("sqlite", []);
    await using shop = await Shop.open(store.provider);
    await waiting(shop, "order-1");
    await using served = await serve({ provider: shop.provider, ...options });
    const page = await openPage(browser(), served.address, "instances");
    await page.getByRole("link", { name: "order-1", exact: true }).waitFor();
    await expectSoon(() => page.getByRole("checkbox").count()).toBe(0);
    for (const key of ["j", "x", "j"]) await page.keyboard.press(key);
    await page.locator("tr.current").waitFor();
    await expectSoon(() => page.getByRole("region", { name: "Selection" }).count()).toBe(0);
    await page.goto("instance?id=order-1");
    await page.getByRole("option", { name: /event approved/ }).click();
    await page.getByRole("complementary").getByText("Event", { exact: true }).waitFor();
    await expectSoon(() =>
      page.getByRole("complementary").getByRole("button").allInnerTexts(),
    ).not.toContainEqual(expect.stringMatching(/Raise|Rewind/));
    await page.goto("start");
    await page.getByText("You may not start instances").waitFor();
  });

  it("reads dead letters, and neither puts them back nor drops them", async () => {
    await using store = await SpoiltStore.open("sqlite", ["order-1"]);
    await using served = await serve({ provider: store.provider, ...options });
    const page = await openPage(browser(), served.address, "work?show=dead");
    await page.getByRole("article").getByText("Unheard").first().waitFor();
    await expectSoon(() => page.getByRole("article").getByRole("button").count()).toBe(0);
  });
});
