/** Days and zones of the times of a history. */
import { activity, orchestration } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { shared } from "../../../../test/support/shared.ts";
import { openPage, serve } from "../support/browser.ts";

const step = activity("step", async () => "ok");
const job = orchestration("job", async (ctx) => {
  for (let day = 0; day < 2; day++) {
    await ctx.scheduleActivity(step);
    await ctx.scheduleTimer({ days: 1 });
  }
});

describe.skipIf(chromiumPath === undefined)("a history of three days", () => {
  const browser = shared(() => launchBrowser());

  it("has a row for each day, in the zone that the page names; a reader of logs chooses UTC, and it is kept", async () => {
    await using env = await TestEnvironment.create({ activities: [step], orchestrations: [job] });
    await env.start(job, { instanceId: "three-days" });
    await env.advance({ days: 3 });
    const { provider, clock } = env;
    await using served = await serve({ provider, clock });
    const zone = { timezoneId: "America/New_York", locale: "en-GB" };
    const page = await openPage(browser(), served.address, "instance?id=three-days&tab=history", zone);
    await page.locator(".events .event").first().waitFor();
    const days = await page.locator(".events .day").allTextContents();
    expect(new Set(days).size).toBe(3);
    const timesOf = (): Promise<string[]> => page.locator(".events .time").allTextContents();
    const local = await timesOf();
    await page.getByRole("button", { name: "America/New_York" }).click();
    await page.getByRole("button", { name: "UTC", exact: true }).waitFor();
    const utc = await timesOf();
    expect(utc).not.toEqual(local);
    const [first = ""] = utc;
    const history = await page.evaluate(
      async () => (await fetch("/api/history?id=three-days")).json() as Promise<{ rows: { atMs: number }[] }>,
    );
    expect(new Date(history.rows[0]?.atMs ?? 0).toISOString()).toContain(first);
    await page.reload();
    await page.locator(".events .event").first().waitFor();
    expect(await timesOf()).toEqual(utc);
  });
});
