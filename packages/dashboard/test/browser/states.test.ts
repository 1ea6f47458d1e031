/** Tests what each screen shows before the store has answered, while it is slow, and when it fails. */
import { systemClock } from "@duroxide-ts/core";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { sample } from "../../../../test/support/effort.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { Stage } from "../support/stage.ts";
import { StoreGate } from "../support/store-gate.ts";

/** A place, what is loaded there, and what is there when it is loaded. */
const SCREENS = [
  ["", "the overview", "main h1"],
  ["instances", "instances", "tbody tr"],
  ["instance?id=order-1041", "order-1041", "[role=option]"],
  ["work", "the queues", "tbody tr"],
  ["work?show=dead", "dead letters", ".empty"],
  ["workers", "the workers", "article.worker"],
] as const;

/** The tabs of an instance whose content is read when they are opened. */
const TABS = [
  ["History", "the history", ".events"],
  ["State", "the state", ".state"],
  ["Children", "the tree", ".tree"],
] as const;

const HOUR_MS = 3_600_000;

/** Longer than any screen waits before it reads again. */
const A_WHILE_MS = 31_000;

describe.skipIf(chromiumPath === undefined)("a screen", () => {
  const gate = new StoreGate();
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const stage = shared(() => Stage.open("sqlite", { clock }, gate.wrap));
  afterEach(() => gate.open());

  async function expectLoading(page: Page, what: string, shown: string): Promise<void> {
    await page.getByRole("status").getByText(`Loading ${what}`, { exact: true }).waitFor();
    await expectSoon(() => page.locator(shown).count()).toBe(0);
    gate.open();
    await page.locator(shown).first().waitFor();
    await page.getByText(`Loading ${what}`, { exact: true }).waitFor({ state: "detached" });
  }

  async function expectFailure(page: Page, shown: string): Promise<void> {
    await page.locator(".notice").getByText("The store does not answer").first().waitFor();
    await page.locator(".notice").getByText("the disk is gone").first().waitFor();
    await expectSoon(() => page.locator(shown).count()).toBe(0);
    gate.open();
    await page.clock.fastForward(A_WHILE_MS);
    await page.locator(shown).first().waitFor();
    await page.getByText("The store does not answer").first().waitFor({ state: "detached" });
  }

  it.each(sample(SCREENS))(
    "%j says that it loads until the store has answered",
    async (place, what, shown) => {
      gate.hold();
      const page = await stage().page(place);
      await expectLoading(page, what, shown);
    },
  );

  it.each(sample(TABS))(
    "the tab %s says that it loads until the store has answered",
    async (tab, what, shown) => {
      const page = await stage().page("instance?id=order-1041");
      await page.getByRole("option").first().waitFor();
      gate.hold();
      await page.getByRole("tab", { name: tab }).click();
      await expectLoading(page, what, shown);
    },
  );

  it.each(sample(SCREENS))(
    "%j has the message of a store that fails, and goes on with it",
    async (place, _, shown) => {
      // An answer that came late is kept for long (shared-overview.OV1).
      aheadMs += HOUR_MS;
      gate.fail("the disk is gone");
      const page = await stage().page("nowhere");
      await page.clock.install();
      await page.goto(place);
      await expectFailure(page, shown);
    },
  );

  it.each(sample(TABS))(
    "the tab %s has the message of a store that fails, and goes on with it",
    async (tab, _, shown) => {
      const page = await stage().page("nowhere");
      await page.clock.install();
      await page.goto("instance?id=order-1041");
      await page.getByRole("option").first().waitFor();
      gate.fail("the disk is gone");
      await page.getByRole("tab", { name: tab }).click();
      await expectFailure(page, shown);
    },
  );

  it("of instances keeps its rows while the store is slow with others, and shows that they are old", async () => {
    const page = await stage().page("instances");
    await page.getByRole("link", { name: "basket-7", exact: true }).waitFor();
    gate.hold();
    await page.keyboard.press("/");
    await page.keyboard.type("order-1050");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Remove the filter: id begins with order-1050/ }).waitFor();
    await page.locator("[aria-busy=true]").waitFor();
    await expectSoon(() => page.getByRole("link", { name: "basket-7", exact: true }).count()).toBe(1);
    gate.open();
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    await expectSoon(() => page.getByRole("link", { name: "basket-7", exact: true }).count()).toBe(0);
  });

  it("of work keeps its rows while the store is slow with others, and shows that they are old", async () => {
    const page = await stage().page("work");
    await page.locator("tbody tr").first().waitFor();
    gate.hold();
    await page.getByRole("tab", { name: "Overdue" }).click();
    await page.locator("[aria-busy=true]").waitFor();
    await expectSoon(() => page.locator("tbody tr").count()).toBeGreaterThan(0);
    gate.open();
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  });

  it("is read when it is looked at, where it was opened in a tab in the background", async () => {
    const page = await stage().page("nowhere");
    await page.addInitScript(
      "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })",
    );
    // The page of before may still read.
    await page.goto("about:blank");
    let reads = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/")) reads++;
    });
    await page.goto("instances");
    await page.getByRole("status").getByText("Loading the dashboard").waitFor();
    expect(reads).toBe(0);
    await page.evaluate(
      "delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))",
    );
    await page.getByRole("link", { name: "order-1050", exact: true }).waitFor();
  });

  it("of an action stays open while the store is slow, and asks once", async () => {
    const page = await stage().page("instance?id=order-2001");
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the bank is down");
    gate.hold();
    await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
    await expectSoon(() => dialog.getByRole("button", { name: "Suspend", exact: true }).isDisabled()).toBe(
      true,
    );
    gate.open();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/^Suspended for .* by ada/).waitFor();
  });

  it("of an action has the message of a store that fails, and the action can be asked for again", async () => {
    const page = await stage().page("instance?id=invoice-9");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    const dialog = page.getByRole("dialog");
    gate.fail("the disk is gone");
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await dialog.getByRole("alert").getByText("the disk is gone").waitFor();
    gate.open();
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  });
});
