/** A real browser on a dashboard that is really served. */
import { createServer, type IncomingMessage } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { chromiumPath, troublesOf } from "../../../../test/support/chromium.ts";
import { type DashboardOptions, dashboard, toNodeHandler } from "../../src/index.ts";
import { listening } from "./listening.ts";
import { inOneFile } from "./one-file.ts";

if (chromiumPath === undefined) {
  process.stderr.write(
    "Skipped: the dashboard in a browser, because there is no Chromium (set CHROMIUM_PATH).\n",
  );
}

export interface Served extends AsyncDisposable {
  readonly address: string;
  /** How many requests of this path are not over; the dashboard knows of those that are. */
  open(path: string): number;
}

/** Serves a handler on a port of its own. */
export async function serve(options: DashboardOptions): Promise<Served> {
  const server = createServer(toNodeHandler(inOneFile(dashboard(options))));
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

export const OPERATOR = { user: "ada", role: "operator" } as const;

/** A page of a dashboard, with what went wrong in it. */
export class DashboardPage implements AsyncDisposable {
  readonly page: Page;
  readonly address: string;
  /** Exceptions, violations of the content policy, dialogs of scripts, requests to other hosts. */
  readonly troubles: readonly string[];

  private constructor(page: Page, address: string) {
    this.page = page;
    this.address = address;
    this.troubles = troublesOf(page, address);
  }

  static async open(
    browser: Browser,
    address: string,
    options: BrowserContextOptions = {},
  ): Promise<DashboardPage> {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
      ...options,
    });
    page.setDefaultTimeout(120_000);
    return new DashboardPage(page, address);
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.address}/${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
  }
}
