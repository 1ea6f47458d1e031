/** Checks a page in a browser; the checks themselves run in the page. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";

const CHECKS = readFileSync(path.join(import.meta.dirname, "faults-of-page.js"), "utf8");

/** Faults of the page as sentences; none is a page that passes. */
export function faultsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(CHECKS);
}
