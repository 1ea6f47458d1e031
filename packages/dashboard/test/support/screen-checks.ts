/** Checks of a screen that lists articles, and of what it offers. */
import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { faultsOf, type Look } from "./accessibility.ts";
import { openPage, type Served } from "./browser.ts";

/** Checks the screen of a user who may look only. */
export async function expectNothingOffered(browser: Browser, served: Served, screen: string): Promise<void> {
  const page = await openPage(browser, served.address, screen);
  const main = page.getByRole("main");
  await main.getByRole("article").first().waitFor();
  await expectSoon(() => main.getByRole("button").count()).toBe(0);
}

/** The screen that is shown, and the dialog of the button, which the keyboard opens and closes. */
export async function expectNothingSerious(
  page: Page,
  look: Look,
  button: string,
  inDialog: (dialog: Locator) => Locator,
): Promise<void> {
  expect(await faultsOf(page, look)).toEqual([]);
  await page.getByRole("button", { name: button }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await inDialog(dialog).waitFor();
  expect(await faultsOf(page, look)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}
