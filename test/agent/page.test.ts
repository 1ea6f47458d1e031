/** The page of examples/agent in a real browser: questions, an approval, and a kill in the middle of an answer. */
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser, troublesOf } from "../support/chromium.ts";
import { expectSoon } from "../support/expect-soon.ts";
import { AgentProcess } from "./agent-process.ts";

const ANSWER =
  "Here is what I found. Order 12: 49.00 paid back. Is there anything else that I can do for you?";

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Question").fill(text);
  await page.getByRole("button", { name: "Ask" }).click();
}

/** Written for docs/guide/26-agents.md with DASHBOARD_PICTURES=1, as those of the dashboard. */
async function takePicture(page: Page): Promise<void> {
  if (process.env["DASHBOARD_PICTURES"] === undefined) return;
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.setViewportSize({ width: 720, height: 430 });
  await page.screenshot({ path: path.resolve(import.meta.dirname, "../../docs/pictures/agent.png") });
}

const textsOf = (page: Page): Promise<string[]> => page.locator("#talk .text").allTextContents();

describe.skipIf(chromiumPath === undefined)("the page of an agent", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("shows an answer once although its process is killed in the middle, and asks for an approval", async () => {
    await using agent = await AgentProcess.start(60);
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    const troubles = troublesOf(page, agent.address);
    await page.goto(agent.address);

    await ask(page, "Order 12 broke, I want a refund.");
    await page.getByText("at your order").waitFor();
    await takePicture(page);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Here is what").waitFor();
    await agent.kill();
    await agent.start();
    await page.getByText(ANSWER).waitFor();

    await expectSoon(() => textsOf(page)).toEqual([
      "Let me look at your order. ",
      "I am sorry about that. I ask for a refund. ",
      ANSWER,
    ]);
    await expectSoon(() => page.locator("#talk .tool").allTextContents()).toEqual([
      'findOrder {"order":"12"}',
      "findOrder: done",
      'refund {"order":"12"}',
      "approved by Grace",
      "refund: done",
    ]);
    expect((await agent.ran()).map(({ what }) => what)).toEqual(["find", "refund"]);

    // A second look begins from the start, and sees the same.
    const again = await browser.newPage();
    await again.goto(page.url());
    await again.getByText(ANSWER).waitFor();
    await expectSoon(() => textsOf(again)).toEqual(await textsOf(page));
    expect(troubles.filter((trouble) => !trouble.includes("ERR_"))).toEqual([]);
  });
});
