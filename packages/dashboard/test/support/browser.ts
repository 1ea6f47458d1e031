/** A real browser on a dashboard that is really served. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type DashboardOptions, dashboard, toNodeHandler } from "../../src/index.ts";

const CANDIDATES = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Undefined where there is no Chromium. */
export const chromiumPath: string | undefined = CANDIDATES.find(
  (path) => path !== undefined && existsSync(path),
);

if (chromiumPath === undefined) {
  process.stderr.write(
    "Skipped: the dashboard in a browser, because there is no Chromium (set CHROMIUM_PATH).\n",
  );
}

export async function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ["--disable-gpu", ...(isRoot ? ["--no-sandbox"] : [])],
  });
}

export interface Served extends AsyncDisposable {
  readonly address: string;
}

/** Serves a handler on a port of its own. */
export async function serve(options: DashboardOptions): Promise<Served> {
  const server = createServer(toNodeHandler(dashboard(options)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const OPERATOR = { user: "ada", role: "operator" } as const;

/** A page of a dashboard, with what went wrong in it. */
export class DashboardPage implements AsyncDisposable {
  readonly page: Page;
  readonly address: string;
  /** Exceptions, violations of the content policy, dialogs of scripts, requests to other hosts. */
  readonly troubles: string[] = [];

  private constructor(page: Page, address: string) {
    this.page = page;
    this.address = address;
    page.on("pageerror", (error) => this.troubles.push(`exception: ${error.message}`));
    page.on("dialog", (dialog) => {
      this.troubles.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    page.on("console", (message) => {
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isRefusal) this.troubles.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(address)) this.troubles.push(`request to ${request.url()}`);
    });
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
