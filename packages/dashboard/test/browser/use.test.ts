/** The page by keyboard, by screen reader, in both colour schemes, for viewers, and when it is paused. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { IS_DEEP, SEED } from "../../../../test/support/effort.ts";
import { DashboardPage, serve } from "../support/browser.ts";
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

const LOOKS = [
  { scheme: "light", width: 1440 },
  { scheme: "light", width: 390 },
  { scheme: "dark", width: 1440 },
  { scheme: "dark", width: 390 },
] as const;

/** Each place is seen in one look by the seed, and in every look where the tests run whole. */
function placesOf(look: (typeof LOOKS)[number]): readonly string[] {
  return IS_DEEP ? PLACES : PLACES.filter((_, number) => LOOKS[(number + SEED) % LOOKS.length] === look);
}

/** For `axe.run`: all rules, and in the other scheme those that depend on colours. */
const RULES = { light: "{}", dark: '{ runOnly: ["color-contrast", "link-in-text-block"] }' } as const;

const AXE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe.skipIf(chromiumPath === undefined)("the page", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open("sqlite");
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(LOOKS)("has nothing serious for an accessibility checker, $scheme at $width", async (look) => {
    const { scheme, width } = look;
    // The checker is a script of the test, which the content policy would refuse.
    await using dashboard = await stage.page("", {
      colorScheme: scheme,
      bypassCSP: true,
      reducedMotion: "reduce",
      viewport: { width, height: 844 },
    });
    const { page } = dashboard;
    for (const place of placesOf(look)) {
      await dashboard.go(place);
      await page.locator("main h1, main h2").first().waitFor();
      await page.locator(".loading").first().waitFor({ state: "detached" });
      await page.addScriptTag({ path: AXE });
      const violations = (await page.evaluate(
        `axe.run(${RULES[scheme]}).then(({ violations }) => violations)`,
      )) as readonly Violation[];
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(
        serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
        `${place} ${width} ${scheme}`,
      ).toEqual([]);
      const overflow = await page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
      expect(overflow, `${place} is wider than ${width}`).toBe(false);
    }
  });

  it("is used by keyboard", async () => {
    await using dashboard = await stage.page("instances");
    const { page } = dashboard;
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
    expect(dashboard.troubles).toEqual([]);
  });

  it("does not refresh itself while it is paused", async () => {
    await using dashboard = await stage.page("instances");
    const { page } = dashboard;
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
    await using dashboard = await stage.page("", { colorScheme: "light" });
    const { page } = dashboard;
    await page.getByRole("button", { name: "Dark colours" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Light colours" }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  it.each([
    ["a viewer", { authorize: () => ({ user: "eve", role: "viewer" }) as const }],
    [
      "anybody where it is read-only",
      { readOnly: true, authorize: () => ({ user: "ada", role: "operator" }) as const },
    ],
  ])("offers no action to %s", async (_who, options) => {
    await using served = await serve({ client: stage.shop.client, ...options });
    await using dashboard = await DashboardPage.open(stage.browser, served.address);
    const { page } = dashboard;
    await dashboard.go("instances");
    await page.getByRole("link", { name: "order-1050", exact: true }).click();
    await page.getByRole("option", { name: /chargeCard/ }).click();
    await page.getByRole("complementary").getByText("4 of 4").waitFor();
    expect(await page.getByRole("button", { name: /Retry|Cancel|Restart|Rewind/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Start" }).count()).toBe(0);
    await page.getByRole("button", { name: "More actions" }).click();
    expect(
      await page.getByRole("list", { name: "More actions" }).getByRole("button").allInnerTexts(),
    ).toEqual(["Download history", "Copy as a test"]);
  });

  it("keeps views under a name in this browser", async () => {
    await using dashboard = await stage.page("instances?state=failed");
    const { page } = dashboard;
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "Save this view …" }).click();
    await page.getByLabel("Name").fill("mine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dashboard.go("instances");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "mine", exact: true }).click();
    await page.getByRole("button", { name: "Remove the filter: state failed" }).waitFor();
    expect(dashboard.troubles).toEqual([]);
  });
});
