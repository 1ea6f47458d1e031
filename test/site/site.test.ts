/** The documentation site as readers meet it: links, search, calculator, charts, a phone, a dark screen. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser, troublesOf } from "../support/chromium.ts";
import { IS_DEEP } from "../support/effort.ts";
import { expectSoon } from "../support/expect-soon.ts";
import { shared } from "../support/shared.ts";
import { faultsOf } from "./accessibility.ts";
import { describeApiReference } from "./api-reference.ts";
import { BuiltSite } from "./built-site.ts";

const site = shared(() => BuiltSite.build());

const LINK = /<a [^>]*?href="([^"]+)"/g;

describe("links of the site", () => {
  it("lead to pages and headings that exist", () => {
    const ids = new Map(site().pages.map((page) => [page, idsOf(site().read(page))]));
    const broken = site().pages.flatMap((page) => {
      const links = new Set(
        [...site().read(page).matchAll(LINK)].map(([, href = ""]) => href.replaceAll("&amp;", "&")),
      );
      return [...links].filter((href) => !resolves(href, page, ids)).map((href) => `${page}: ${href}`);
    });
    expect(broken).toEqual([]);
  });

  it("are those of llms.txt, which is served with its pages", () => {
    const list = site().read("llms.txt");
    const pages = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, file = ""]) => file);
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.filter((file) => site().fileFor(`/${file}`) === undefined)).toEqual([]);
  });
});

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
}

function resolves(href: string, page: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if (/^[a-z]+:/.test(href) || href.startsWith("/api/")) return true;
  const { pathname, hash } = new URL(href, `http://site${page}`);
  const file = site().fileFor(pathname);
  if (file === undefined) return false;
  if (hash === "") return true;
  const target = `/${file.slice(site().folder.length + 1).replaceAll("\\", "/")}`;
  return ids.get(target)?.has(decodeURIComponent(hash.slice(1))) ?? false;
}

const SOME_PAGES = [
  "/index.html",
  "/docs/guide/03-waiting.html",
  "/docs/cosmos/costs.html",
  "/benchmarks/index.html",
  "/docs/tutorial.html",
];

describe.skipIf(chromiumPath === undefined)("the site in a browser", () => {
  const browser = shared(() => launchBrowser());

  async function open(
    address: string,
    width: number,
    dark = false,
  ): Promise<{ page: Page; troubles: readonly string[] }> {
    const page = await browser().newPage({
      viewport: { width, height: 900 },
      colorScheme: dark ? "dark" : "light",
    });
    const troubles = troublesOf(page, site().address);
    await page.goto(`${site().address}${address}`);
    await page.waitForSelector(".VPDoc h1, .vp-doc h1");
    return { page, troubles };
  }

  const screens = [1440, 390].flatMap((width) => [false, true].map((dark) => [width, dark] as const));
  it.each(screens)("has no errors and no faults of accessibility at %i px, dark: %s", async (width, dark) => {
    const pages = IS_DEEP ? site().pages.filter((page) => page !== "/404.html") : SOME_PAGES;
    const found: string[] = [];
    for (const address of pages) {
      const { page, troubles } = await open(address, width, dark);
      found.push(...troubles, ...(await faultsOf(page)).map((fault) => `${address}: ${fault}`));
      await page.close();
    }
    expect(found).toEqual([]);
  });

  it.each([
    ["schedule", "/docs/guide/22-schedules"],
    ["versioning", "/docs/guide/08-versions-and-deployments"],
    ["webhook", "/docs/guide/24-http"],
    ["saga", "/docs/guide/19-sagas"],
    ["agent", "/docs/guide/26-agents"],
    ["cron", "/docs/guide/"],
    ["rate limit", "/docs/guide/21-limits"],
    ["approval", "/docs/recipes/approval"],
    ["bullmq", "/docs/recipes/job-queues"],
    ["sleep", "/docs/guide/03-waiting"],
    ["signal", "/docs/guide/03-waiting"],
    ["deduplicate", "/docs/guide/03-waiting"],
  ])("finds for %j the page %s first", async (query, expected) => {
    const { page } = await open("/docs/guide/", 1440);
    await page.keyboard.press("Control+k");
    await page.fill("#localsearch-input", query);
    await page.waitForSelector(".VPLocalSearchBox .result");
    // The results come at once for the whole query, so the first ones are the last ones.
    const first = await page.locator(".VPLocalSearchBox a.result").first().getAttribute("href");
    expect(first).toContain(expected);
    await page.close();
  });

  it("computes costs as they are typed, on a phone too", async () => {
    const { page } = await open("/docs/cosmos/costs.html", 390);
    const answer = page.locator(".calculator table");
    await expectSoon(() => answer.innerText()).toContain("Serverless");
    await page.getByLabel("Orchestrations a day").fill("8640000");
    await page.getByLabel("Activities of each").fill("1");
    await page.getByLabel("Margin for an account, %").fill("0");
    await expectSoon(() => answer.innerText()).toContain("5,739; "); // RU/s: 100 hellos, and looking for work
    await page.getByLabel("Serverless: a million RU").fill("0");
    await expectSoon(() => answer.innerText()).toContain("$0.00 a month");
    await page.close();
  });

  it("draws charts from the files of results", async () => {
    const { page } = await open("/benchmarks/", 1440);
    const chart = page.locator(".chart svg").first();
    await expectSoon(() => chart.getAttribute("aria-label")).toMatch(/duroxide-ts on SQLite [\d,]+, DBOS/);
    await expectSoon(() => page.locator(".chart rect").count()).toBeGreaterThan(4);
    await page.close();
  });
});

if (IS_DEEP) describeApiReference();
