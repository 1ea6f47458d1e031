/** A real browser on a dashboard that is really served. */
import { createServer, type IncomingMessage } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { chromiumPath, troublesOf } from "../../../../test/support/chromium.ts";
import { type DashboardOptions, dashboard, toNodeHandler } from "../../src/index.ts";
import { listening } from "./listening.ts";
import { inOneFile } from "./one-file.ts";

if (chromiumPath === undefined) {
  process.stderr.write(
    "Skipped: the dashboard in a browser, because there is no Chromium (set CHROMIUM_PATH).\n",
  );
}

export const OPERATOR = { user: "ada", role: "operator" } as const;

export interface Served extends AsyncDisposable {
  readonly address: string;
  /** How many requests of this path are not over; the dashboard knows of those that are. */
  open(path: string): number;
}

/** Serves a dashboard on a port of its own; everybody is an operator, unless the options say otherwise. */
export async function serve(options: Partial<DashboardOptions>): Promise<Served> {
  const handler = dashboard({ authorize: () => OPERATOR, ...options });
  const server = createServer(toNodeHandler(inOneFile(handler)));
  const requests = new Set<IncomingMessage>();
  // After the listener of the dashboard, which thus hears first that a request is over.
  server.on("request", (request, response) => {
    requests.add(request);
    response.once("close", () => requests.delete(request));
  });
  const { address, [Symbol.asyncDispose]: dispose } = await listening(server);
  return {
    address,
    open: (path) => [...requests].filter(({ url }) => url === path).length,
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * Opens a place of a dashboard, or an empty page that may go there, for the running test, at whose end the page is closed. The test fails if anything went
 * wrong in it: exceptions, violations of the content policy, dialogs of scripts, requests to other hosts.
 */
export async function openPage(
  browser: Browser,
  address: string,
  place?: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await browser.newPage({
    baseURL: `${address}/`,
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    ...options,
  });
  page.setDefaultTimeout(120_000);
  const troubles = troublesOf(page, address);
  onTestFinished(async () => {
    await page.context().close();
    expect(troubles).toEqual([]);
  });
  if (place !== undefined) await page.goto(place);
  return page;
}
