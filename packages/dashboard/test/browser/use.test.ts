/** The page by keyboard, by screen reader, in both colour schemes, for viewers, and when it is paused. */
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { contextOf, faultsOf, LOOKS, seenIn } from "../support/accessibility.ts";
import { openPage, serve } from "../support/browser.ts";
import { Stage } from "../support/stage.ts";

const PLACES = [
  "",
  "instances",
  "instances?state=failed&name=checkout&since=1h",
  "instance?id=order-1050&bar=6",
  "instance?id=order-3007&view=sequence&bar=6",
  "instance?id=order-3007&view=table",
  "instance?id=rental-5",
  "instance?id=order-1041&tab=history",
  "instance?id=order-1041&tab=state",
  "instance?id=order-1041&tab=children",
  "instance?id=invoice-9&tab=code",
  "work",
  "work?show=dead",
  "workers",
  "start?name=refund",
] as const;

describe.skipIf(chromiumPath === undefined)("the page", () => {
  const stage = shared(() => Stage.open("sqlite"));

  it.each(LOOKS)("has nothing serious for an accessibility checker, $scheme at $width", async (look) => {
    const page = await stage().page("", contextOf(look));
    for (const place of seenIn(look, PLACES)) {
      await page.goto(place);
      await page.locator("main h1, main h2").first().waitFor();
      await page.locator(".loading").first().waitFor({ state: "detached" });
      expect(await faultsOf(page, look), `${place} ${look.width} ${look.scheme}`).toEqual([]);
    }
  });

  it("is used by keyboard", async () => {
    const page = await stage().page("instances");
    await page.getByRole("link", { name: "order-1050", exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys and states" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("order-1050");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Remove the filter: id begins with order-1050/ }).waitFor();
    await page.getByRole("link", { name: "basket-7", exact: true }).waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "order-1050" }).waitFor();
    await page.getByRole("option", { name: /chargeCard/ }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("complementary").getByText("reserveStock").waitFor();
  });

  it("does not refresh itself while it is paused", async () => {
    const page = await stage().page("instances");
    await page.getByRole("link", { name: "order-1050", exact: true }).waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByRole("button", { name: "Paused" }).waitFor();
    let requests = 0;
    page.on("request", () => requests++);
    await page.clock.install();
    await page.clock.fastForward("01:00");
    expect(requests).toBe(0);
    await page.getByRole("button", { name: "Paused" }).click();
    await page.waitForRequest(/api\/instances/);
  });

  it("keeps the colours that were chosen", async () => {
    const page = await stage().page("", { colorScheme: "light" });
    await page.getByRole("button", { name: "Dark colours" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Light colours" }).waitFor();
    await expectSoon(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  it.each([
    ["a viewer", { authorize: () => ({ user: "eve", role: "viewer" }) as const }],
    [
      "an operator where it is read-only",
      { readOnly: true, authorize: () => ({ user: "ada", role: "operator" }) as const },
    ],
  ])("offers no action to %s", async (_who, options) => {
    await using served = await serve({ client: stage().shop.client, ...options });
    const page = await openPage(stage().browser, served.address, "instances");
    await page.getByRole("link", { name: "order-1050", exact: true }).click();
    await page.getByRole("option", { name: /chargeCard/ }).click();
    await page.getByRole("complementary").getByText("4 of 4").waitFor();
    await expectSoon(() => page.getByRole("button", { name: /Retry|Cancel|Restart|Rewind/ }).count()).toBe(0);
    await expectSoon(() => page.getByRole("link", { name: "Start" }).count()).toBe(0);
    await page.getByRole("button", { name: "More actions" }).click();
    await expectSoon(() =>
      page.getByRole("list", { name: "More actions" }).getByRole("button").allInnerTexts(),
    ).toEqual(["Download history", "Copy as a test"]);
  });

  it("keeps views under a name in this browser", async () => {
    const page = await stage().page("instances?state=failed");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "Save this view …" }).click();
    await page.getByLabel("Name").fill("mine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.goto("instances");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "mine", exact: true }).click();
    await page.getByRole("button", { name: "Remove the filter: state failed" }).waitFor();
  });
});
