/** Tests what users take from the page: the history as a file, a test that replays it, an id. */

import { readFile } from "node:fs/promises";
import { exportHistory, replay } from "@duroxide-ts/core/testing";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser, troublesOf } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { runCopiedTest } from "../support/copied-test.ts";
import { approval, orchestrations, orderOf, until } from "../support/shop.ts";
import { Stage } from "../support/stage.ts";
import { StoreGate } from "../support/store-gate.ts";
import { storesOfRun } from "../support/stores.ts";

/** Id with characters that the name of a file cannot have, and longer than one may be. */
const HOSTILE_ID = `../order "7" \`\${1}\` ../../\u202eé\n${"x".repeat(150)}`;
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

describe.skipIf(chromiumPath === undefined).each(storesOfRun(2))("on %s", (storeName) => {
  const gate = new StoreGate();
  const stage = shared(() => Stage.open(storeName, {}, gate.wrap));
  beforeAll(async () => {
    await stage().shop.client.start(approval, { instanceId: HOSTILE_ID, input: orderOf(8) });
    await until(async () => (await stage().shop.client.admin.timeline(HOSTILE_ID)).waits.length === 2);
  });

  function open(id: string): Promise<Page> {
    return stage().page(`instance?${new URLSearchParams({ id })}`, CLIPBOARD);
  }

  async function choose(page: Page, name: string): Promise<void> {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("button", { name, exact: true }).click();
  }

  async function download(page: Page): Promise<{ name: string; content: string }> {
    const [file] = await Promise.all([page.waitForEvent("download"), choose(page, "Download history")]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path(), "utf8") };
  }

  async function copiedTest(page: Page): Promise<string> {
    await choose(page, "Copy as a test");
    await page.getByText("The test is on the clipboard").waitFor();
    return String(await page.evaluate("navigator.clipboard.readText()"));
  }

  it("a downloaded history has every event of every execution, and the code replays it", async () => {
    const page = await open("rounds-1");
    const { name, content } = await download(page);
    expect(name).toBe("rounds-1.history.json");
    expect(content).toBe(await exportHistory(stage().shop.client, "rounds-1"));
    const { executions } = await replay(content, { orchestrations });
    expect(executions.map(({ executionId, status }) => `${executionId} ${status}`)).toEqual([
      "1 ContinuedAsNew",
      "2 ContinuedAsNew",
      "3 Completed",
    ]);
  });

  it("a copied test passes beside the downloaded history, whatever the id", async () => {
    const page = await open(HOSTILE_ID);
    const { code, printed } = await runCopiedTest(await copiedTest(page), await download(page));
    expect(printed).toMatch(/Tests +1 passed \(1\)/);
    expect(code).toBe(0);
  });

  it("a copied test fails where the code does not fit the history", async () => {
    const page = await open("order-1050");
    const test = await copiedTest(page);
    const { name, content } = await download(page);
    const other = content.replaceAll("reserveStock", "reserveShelf");
    const { code, printed } = await runCopiedTest(test, { name, content: other });
    expect(printed).toContain("reserveShelf");
    expect(code).toBe(1);
  });

  it("an id is copied as it is stored", async () => {
    const page = await open(HOSTILE_ID);
    await page.getByRole("button", { name: "Copy the id" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await expectSoon(() => page.evaluate("navigator.clipboard.readText()")).toBe(HOSTILE_ID);
  });

  it("an id is copied too where the page comes over HTTP from another machine", async () => {
    await using browser = await launchBrowser("--host-resolver-rules=MAP orders.test 127.0.0.1");
    const address = stage().address.replace("127.0.0.1", "orders.test");
    const page = await browser.newPage();
    const troubles = troublesOf(page, address);
    await page.goto(`${address}/instance?id=order-1050`);
    await page.getByRole("button", { name: "Copy the id" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await expectSoon(() => page.evaluate("window.isSecureContext")).toBe(false);
    await page.getByRole("link", { name: "Start" }).click();
    await page.getByLabel("Input, as JSON").focus();
    await page.keyboard.press("ControlOrMeta+v");
    await expectSoon(() => page.getByLabel("Input, as JSON").inputValue()).toBe("order-1050");
    expect(troubles.filter((trouble) => trouble.startsWith("exception"))).toEqual([]);
  });

  it("a download that the store refuses leaves the page as it is, and says why", async () => {
    const page = await open("order-1050");
    await page.getByRole("option", { name: /chargeCard/ }).waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    gate.fail("the disk is gone");
    await choose(page, "Download history");
    await page.getByRole("alert").getByText("the disk is gone").waitFor();
    await expectSoon(() => page.getByRole("option", { name: /chargeCard/ }).count()).toBe(1);
    gate.open();
    expect((await download(page)).name).toBe("order-1050.history.json");
    await expectSoon(() => page.getByRole("alert").getByText("the disk is gone").count()).toBe(0);
  });
});
