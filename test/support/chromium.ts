/** A real browser, for the pages of this repository. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const CANDIDATES = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Undefined where there is no Chromium. */
export const chromiumPath: string | undefined = CANDIDATES.find(
  (path) => path !== undefined && existsSync(path),
);

export async function launchBrowser(...flags: readonly string[]): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ["--disable-gpu", ...(isRoot ? ["--no-sandbox"] : []), ...flags],
  });
}

/**
 * Collects the troubles of the page from now on: exceptions, violations of the content policy, dialogs, requests to
 * others.
 */
export function troublesOf(page: Page, address: string): readonly string[] {
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on("console", (message) => {
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) troubles.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) troubles.push(`request to ${request.url()}`);
  });
  return troubles;
}
