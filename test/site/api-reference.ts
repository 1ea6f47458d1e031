/**
 * The API reference in the site: its examples lead to the pages that they are from, and a browser shows them. These are tests
 * of site.test.ts, because two builds at the same time would share the folder that VitePress works in.
 */
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser, troublesOf } from "../support/chromium.ts";
import { shared } from "../support/shared.ts";
import { BuiltSite } from "./built-site.ts";

const SOME_PAGES = [
  "/api/index.html",
  "/api/interfaces/_duroxide-ts_core.OrchestrationContext.html",
  "/api/interfaces/_duroxide-ts_core.RuntimeOptions.html",
  "/api/classes/_duroxide-ts_core.Client.html",
  "/api/classes/_duroxide-ts_sqlite.SqliteProvider.html",
];

export function describeApiReference(): void {
  describe("the API reference", () => {
    const site = shared(() => BuiltSite.build({ withApi: true }));

    it("links its examples to pages, headings and programs that exist", () => {
      const pages = site().pages.filter((page) => page.startsWith("/api/"));
      const links = pages.flatMap((page) => {
        const found = site()
          .read(page)
          .matchAll(/Used in <a href="([^"]+)"/g);
        return [...found].map(([, href = ""]) => new URL(href, `http://site${page}`));
      });
      const broken = links.filter(({ pathname, hash }) => {
        const file = site().fileFor(pathname);
        if (file === undefined) return true;
        return (
          hash !== "" &&
          !site()
            .read(pathname)
            .includes(` id="${decodeURIComponent(hash.slice(1))}"`)
        );
      });
      expect(new Set(broken.map(String))).toEqual(new Set());
      expect(links.length).toBeGreaterThan(1_000);
    });

    it.skipIf(chromiumPath === undefined)("has no errors and fits on a screen", async () => {
      const browser = await launchBrowser();
      const found: string[] = [];
      for (const width of [1440, 390]) {
        for (const colorScheme of ["dark", "light"] as const) {
          for (const address of SOME_PAGES) {
            const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
            const troubles = troublesOf(page, site().address);
            await page.goto(`${site().address}${address}`);
            await page.waitForSelector("h1");
            const wide = await page.evaluate<number>(
              "document.documentElement.scrollWidth - document.documentElement.clientWidth",
            );
            found.push(
              ...troubles,
              ...(wide > 0 ? [`${address} is ${wide} px too wide at ${width} px`] : []),
            );
            await page.close();
          }
        }
      }
      await browser.close();
      expect(found).toEqual([]);
    });
  });
}
