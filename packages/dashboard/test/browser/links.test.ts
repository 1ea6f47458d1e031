/** Links to an instance in pages of other sites: a chat, a mail, an alert. */
import { createServer } from "node:http";
import { Client, orchestration, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { startDashboard } from "../../src/index.ts";
import { listening } from "../support/listening.ts";

const TOKEN = "correct horse battery staple";

/** A page with the link, under another host name than that of the dashboard. */
async function chatWith(link: string): Promise<AsyncDisposable & { readonly address: string }> {
  const server = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html").end(`<a href="${link}">failed</a>`);
  });
  const { port, [Symbol.asyncDispose]: dispose } = await listening(server);
  return { address: `http://localhost:${port}/`, [Symbol.asyncDispose]: dispose };
}

describe.skipIf(chromiumPath === undefined)("a link on a page of another site", () => {
  const browser = shared(() => launchBrowser());

  it("leads to the instance through the sign-in, and without it afterwards", async () => {
    const provider = new MemoryProvider();
    await new Client(provider).start(
      orchestration("job", async () => {}),
      { instanceId: "order-1" },
    );
    await using running = await startDashboard({ provider, port: 0, token: TOKEN, logger: silentLogger });
    await using chat = await chatWith(`${running.address}instance?id=order-1`);
    const page = await browser().newPage();
    page.setDefaultTimeout(120_000);
    const follow = async (): Promise<void> => {
      await page.goto(chat.address);
      await page.getByRole("link", { name: "failed" }).click();
    };
    await follow();
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    const shown = page.getByText("Not begun yet");
    await shown.waitFor();
    await follow();
    await shown.or(page.getByLabel("Token")).waitFor();
    await expectSoon(() => page.getByLabel("Token").count()).toBe(0);
    await page.getByRole("button", { name: "Keys and help" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByLabel("Token").waitFor();
  });
});
