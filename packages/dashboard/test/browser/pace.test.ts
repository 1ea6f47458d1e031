/** How often the page reads what costs request units. */
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it, vi } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { DashboardPage, OPERATOR, serve } from "../support/browser.ts";

describe.skipIf(chromiumPath === undefined)("a list that is left open", () => {
  it("takes at most 4 request units a second, whatever a page of it costs", async () => {
    const provider = new MemoryProvider();
    Object.assign(provider, { name: "cosmos" });
    const page = { instances: [], cost: { requestUnits: 800 } };
    vi.spyOn(provider.admin, "queryInstances").mockImplementation(async () => page);
    await using served = await serve({ provider, authorize: () => OPERATOR });
    const browser = await launchBrowser();
    try {
      await using shown = await DashboardPage.open(browser, served.address);
      await shown.page.clock.install();
      const reads: string[] = [];
      shown.page.on("request", (request) => {
        if (request.url().includes("/api/instances")) reads.push(request.url());
      });
      await shown.go("instances");
      await shown.page.getByText("800.0 RU").waitFor();
      await shown.page.clock.runFor(199_000);
      // The requests before this one are reported before it.
      await shown.page.evaluate(() => fetch("/api/session"));
      expect(reads).toHaveLength(1);
      await shown.page.clock.runFor(2_000);
      await expectSoon(() => reads.length).toBe(2);
    } finally {
      await browser.close();
    }
  });
});
