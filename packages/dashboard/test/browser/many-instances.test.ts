/**
 * The page on a SQLite file of many instances: a million in `npm run dev -- test:deep`, and enough for many pages otherwise.
 * How long the answers take is measured by `npm run dev -- bench dashboard`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { silentLogger, systemClock } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BEGINNING_MS,
  fillWithInstances,
  idOf,
  LONG_EVENTS,
  longInstanceOf,
  START_GAP_MS,
} from "../../../../benchmarks/million-instances.ts";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { openPage, type Served, serve } from "../support/browser.ts";

const INSTANCES = IS_DEEP ? 1_000_000 : 20_000;
const NOW_MS = BEGINNING_MS + INSTANCES * START_GAP_MS + 600_000;
/** The rows of a page of the list. */
const ROWS = 50;
const COUNT = new Intl.NumberFormat("en-US");

describe.skipIf(chromiumPath === undefined)(`a file of ${COUNT.format(INSTANCES)} instances`, () => {
  let folder: string;
  let provider: SqliteProvider;
  let served: Served;
  let browser: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "dashboard-many-"));
    const file = path.join(folder, "orders.db");
    await fillWithInstances(file, INSTANCES);
    provider = await SqliteProvider.open(file, { logger: silentLogger });
    const clock = { ...systemClock, now: () => NOW_MS };
    served = await serve({ provider, clock, logger: silentLogger });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await served[Symbol.asyncDispose]();
    await provider.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The ids of the rows, when the first of them is there. */
  async function rowsFrom(page: Page, first: string): Promise<readonly string[]> {
    await page.locator("tbody tr").first().getByRole("link", { name: first, exact: true }).waitFor();
    return page.locator("tbody td.id").allInnerTexts();
  }

  /** The newest numbers up to this one that fit. */
  function newest(from: number, fits: (number: number) => boolean = () => true): readonly string[] {
    const found: string[] = [];
    for (let number = from; found.length < ROWS; number--) if (fits(number)) found.push(idOf(number));
    return found;
  }

  it("is listed a page at a time, newest first, forwards and back", async () => {
    const page = await openPage(browser, served.address, "instances");
    for (const from of [INSTANCES, INSTANCES - ROWS, INSTANCES - 2 * ROWS]) {
      expect(await rowsFrom(page, idOf(from))).toEqual(newest(from));
      await page.getByRole("button", { name: "Next page" }).click();
    }
    await rowsFrom(page, idOf(INSTANCES - 3 * ROWS));
    await page.getByRole("button", { name: "Previous page" }).click();
    expect(await rowsFrom(page, idOf(INSTANCES - 2 * ROWS))).toEqual(newest(INSTANCES - 2 * ROWS));
  });

  it("is filtered by state and orchestration, and what matches is counted", async () => {
    const page = await openPage(browser, served.address, "instances");
    await rowsFrom(page, idOf(INSTANCES));
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("combobox", { name: "state" }).selectOption("running");
    await page.getByLabel("orchestration").fill("orchestration-07");
    await page.getByRole("button", { name: "Apply" }).click();
    const matching = newest(INSTANCES, (number) => number % 100 === 7);
    expect(await rowsFrom(page, matching[0] ?? "")).toEqual(matching);
    await page.getByRole("button", { name: "Count" }).click();
    await page.getByText(`${COUNT.format(INSTANCES / 100)} match`).waitFor();
  });

  it("is searched by the beginning of an id, and the instance is opened", async () => {
    const id = longInstanceOf(INSTANCES);
    const page = await openPage(browser, served.address, "instances");
    await rowsFrom(page, idOf(INSTANCES));
    await page.keyboard.press("/");
    await page.keyboard.type(id);
    await page.keyboard.press("Enter");
    expect(await rowsFrom(page, id)).toEqual([id]);
    await page.getByRole("link", { name: id, exact: true }).click();
    await page.getByRole("heading", { name: id }).waitFor();
    await page.getByText(`${COUNT.format(LONG_EVENTS)} events`).waitFor();
    await page.getByText(`${COUNT.format(LONG_EVENTS / 2)} calls`).waitFor();
    // The bars that can be seen are drawn, and the others when they are reached.
    await expectSoon(() => page.getByRole("option").count()).toBeLessThan(400);
    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    await page.locator(`#bar-${LONG_EVENTS}`).waitFor();
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText(`1 to 200 of ${COUNT.format(LONG_EVENTS)}`).waitFor();
    await page.getByRole("button", { name: "Later events" }).click();
    await page.getByText(`201 to 400 of ${COUNT.format(LONG_EVENTS)}`).waitFor();
  });
});
