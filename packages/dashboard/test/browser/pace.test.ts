/** How often the page reads what costs request units. */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it, vi } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { openPage, serve } from "../support/browser.ts";
import { until } from "../support/shop.ts";

describe.skipIf(chromiumPath === undefined)("a list that is left open", () => {
  const browser = shared(() => launchBrowser());

  it("takes at most 4 request units a second, whatever a page of it costs", async () => {
    const provider = new MemoryProvider();
    Object.assign(provider, { name: "cosmos" });
    const costly = { instances: [], cost: { requestUnits: 800 } };
    vi.spyOn(provider.admin, "queryInstances").mockImplementation(async () => costly);
    await using served = await serve({ provider });
    const page = await openPage(browser(), served.address);
    await page.clock.install();
    const reads: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/instances")) reads.push(request.url());
    });
    await page.goto("instances");
    await page.getByText("800.0 RU").waitFor();
    await page.clock.runFor(199_000);
    // The requests before this one are reported before it.
    await page.evaluate(() => fetch("/api/session"));
    expect(reads).toHaveLength(1);
    await page.clock.runFor(2_000);
    await expectSoon(() => reads.length).toBe(2);
  });

  it("reads the waits of its rows once, and again when what they cost is 4 request units a second", async () => {
    const provider = new MemoryProvider();
    let units = 0;
    Object.assign(provider, { name: "cosmos" });
    Object.defineProperty(provider, "requestUnits", { get: () => units });
    const client = new Client(provider);
    const ids = Array.from({ length: 12 }, (_, n) => `i-${n}`);
    await using runtime = await Runtime.start({
      provider,
      orchestrations: [orchestration("job", async (ctx) => ctx.dequeue("lines"))],
      logger: silentLogger,
    });
    for (const instanceId of ids) await client.start("job", { instanceId });
    for (const id of ids) await until(async () => (await client.admin.timeline(id)).waits.length === 1);
    await runtime.shutdown();
    const { readHistory } = provider;
    vi.spyOn(provider, "readHistory").mockImplementation(async (...args) => {
      units += 40;
      return readHistory.apply(provider, args);
    });
    let changes = 0;
    const { queryInstances } = provider.admin;
    vi.spyOn(provider.admin, "queryInstances").mockImplementation(async (query) => {
      const found = await queryInstances.call(provider.admin, query);
      changes += 1;
      return {
        ...found,
        instances: found.instances.map((one) => ({
          ...one,
          updatedAtMs: changes,
          orchestrationVersion: `1.0.${changes}`,
        })),
      };
    });
    await using served = await serve({ provider });
    const page = await openPage(browser(), served.address);
    await page.clock.install();
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/api/waits") asked.push(...searchParams.getAll("id"));
    });
    await page.goto("instances?waits=1");
    // Twelve reads cost 480 units, which are two minutes for the whole page.
    await expectSoon(() => asked.length).toBe(12);
    await page.getByText("queue lines").nth(11).waitFor();
    await page.clock.runFor(118_000);
    await page.evaluate(() => fetch("/api/session"));
    expect(asked).toHaveLength(12);
    expect(changes).toBe(1);
    await page.clock.runFor(3_000);
    await page.getByText("1.0.2").nth(11).waitFor();
    await expectSoon(() => asked.length).toBe(22);
  });
});
