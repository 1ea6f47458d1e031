/** Two versions of the dashboard behind one address, as during an update. */
import { createServer } from "node:http";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { dashboard, toNodeHandler } from "../../src/index.ts";
import { OPERATOR, openPage } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { inOneFile } from "../support/one-file.ts";

/** The addresses of files in the page are those of another version, whose files this process does not have. */
async function serveMixed(): Promise<AsyncDisposable & { readonly address: string }> {
  const own = inOneFile(dashboard({ provider: new MemoryProvider(), authorize: () => OPERATOR }));
  const mixed = async (request: Request): Promise<Response> => {
    const response = await own(request);
    if (response.headers.get("content-type")?.startsWith("text/html") !== true) return response;
    return new Response(
      (await response.text()).replaceAll(/assets\/[\w-]{12}\//g, "assets/otherversion/"),
      response,
    );
  };
  return listening(createServer(toNodeHandler(mixed)));
}

describe.skipIf(chromiumPath === undefined)("a page of one version with files of another", () => {
  const browser = shared(() => launchBrowser());

  it("begins, and no cache keeps these files under the address of the other version", async () => {
    await using served = await serveMixed();
    const page = await openPage(browser(), served.address, "instances");
    await page.getByRole("heading", { level: 1, name: "Instances" }).waitFor();
    await expectSoon(() => page.locator(".begins").count()).toBe(0);
    const file = await fetch(`${served.address}/assets/otherversion/style.css`);
    expect(file.headers.get("cache-control")).toBe("no-store");
  });

  it("says so where a file has gone, instead of staying white", async () => {
    await using served = await serveMixed();
    const page = await openPage(browser(), served.address);
    await page.route("**/page/main.*", (route) => route.fulfill({ status: 404 }));
    await page.goto("instances");
    await page.getByText("reload the page").waitFor();
  });
});
