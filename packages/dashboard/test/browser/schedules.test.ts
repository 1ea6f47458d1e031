/** Schedules on the page: seen, paused, triggered, backfilled, deleted; by keyboard, on a phone, in both schemes. */

import { Client, orchestration, Runtime, schedule, silentLogger } from "@duroxide-ts/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { contextOf, LOOKS } from "../support/accessibility.ts";
import { OPERATOR, openPage, serve } from "../support/browser.ts";
import { expectNothingOffered, expectNothingSerious } from "../support/screen-checks.ts";
import { openStore, storesOfRun } from "../support/stores.ts";

const report = orchestration("report", async (_ctx, day: string) => {
  if (day === "bad") throw new Error("no paper");
  return day;
});
const nightly = schedule("nightly", {
  cron: "0 3 * * *",
  timezone: "Europe/Berlin",
  orchestration: report,
  input: "good",
});

describe.skipIf(chromiumPath === undefined).each(storesOfRun(3))("schedules on %s", (storeName) => {
  const browser = shared(() => launchBrowser());

  async function stage(role: "operator" | "viewer" = "operator") {
    const store = await openStore(storeName);
    const { provider } = store;
    const options = { provider, orchestrations: [report], schedules: [nightly], logger: silentLogger };
    const runtime = await Runtime.start(options);
    const served = await serve({ provider, authorize: () => ({ ...OPERATOR, role }) });
    return {
      provider,
      served,
      async [Symbol.asyncDispose]() {
        await served[Symbol.asyncDispose]();
        await runtime.shutdown();
        await store[Symbol.asyncDispose]();
      },
    };
  }

  async function confirm(page: Page, button: string, name = button): Promise<void> {
    await page.getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the disk is full");
    await dialog.getByRole("button", { name, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  it("are paused, triggered, backfilled and deleted, with their reasons", async () => {
    await using given = await stage();
    const { schedules } = new Client(given.provider);
    const page = await openPage(browser(), given.served.address, "schedules");
    const card = page.getByRole("article").filter({ hasText: "nightly" });
    await card.getByText("0 3 * * * Europe/Berlin").waitFor();
    await card.getByText("No runs yet").waitFor();
    await confirm(page, "Pause");
    await card.getByText("the disk is full").waitFor();
    expect((await schedules.get("nightly"))?.paused).toMatchObject({ reason: "the disk is full" });
    await confirm(page, "Resume");
    await card.getByRole("button", { name: "Pause" }).waitFor();
    await schedules.pause("nightly", { reason: "two runs have failed" });
    await page.goto("schedules");
    await card.getByText(/^Paused [^:]*: two runs have failed$/).waitFor();
    await confirm(page, "Resume");
    await card.getByRole("button", { name: "Pause" }).waitFor();
    await confirm(page, "Trigger");
    await expectSoon(async () => (await schedules.runs("nightly")).instances.length).toBe(1);

    await page.getByRole("button", { name: "Backfill" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("From").fill("2026-03-27T00:00Z");
    await dialog.getByLabel("To").fill("2026-03-30T00:00Z");
    await dialog.getByText("3 due times:").waitFor();
    await expectSoon(() => dialog.getByRole("listitem").count()).toBe(3);
    await dialog.getByRole("button", { name: "Run them" }).click();
    await dialog.waitFor({ state: "detached" });
    await expectSoon(async () => (await schedules.runs("nightly")).instances.length).toBe(4);

    await page.goto("schedules");
    await expectSoon(() => card.locator(".outcome").count()).toBe(4);
    await card.getByRole("link", { name: "All runs" }).click();
    await expectSoon(() => page.locator("tbody tr").count()).toBe(4);
    await page.goto("schedules");
    await confirm(page, "Delete");
    await page.getByText("There are no schedules").waitFor();
  });

  it("offer nothing to viewers", async () => {
    await using given = await stage("viewer");
    await expectNothingOffered(browser(), given.served, "schedules");
  });

  it.each(LOOKS)("have nothing serious for an accessibility checker, $scheme at $width", async (look) => {
    await using given = await stage();
    const { schedules } = new Client(given.provider);
    await schedules.trigger("nightly");
    await schedules.trigger("nightly", { input: "bad" });
    await expectSoon(async () => (await schedules.runs("nightly")).instances.length).toBe(2);
    const page = await openPage(browser(), given.served.address, "schedules", contextOf(look));
    await page.locator(".outcome").first().waitFor();
    await expectNothingSerious(page, look, "Backfill", (dialog) => dialog.getByText("1 due time"));
  });
});
