/** `duroxide dashboard`: the real command, and a real browser on the address that it prints. */
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser, troublesOf } from "../../../../test/support/chromium.ts";
import { IDS, onEachStore } from "../support/desk.ts";

describe.skipIf(chromiumPath === undefined)("dashboard", () => {
  onEachStore((desk) => {
    it("prints an address that signs in one browser, shows the store there, and ends with Ctrl-C", async () => {
      let told: (address: string) => void = () => {};
      const printed = new Promise<string>((resolve) => {
        told = resolve;
      });
      let end = (): void => {};
      const run = desk().cli(["dashboard", "--port", "0", "--read-only"], {
        onOutput: (stdout, interrupt) => {
          end = interrupt;
          const [, address] = /^Dashboard {2}(\S+)\nCtrl-C ends it\.\n/.exec(stdout) ?? [];
          if (address !== undefined) told(address);
        },
      });
      const gone = run.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)));
      const address = await Promise.race([printed, gone]);
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(120_000);
        const troubles = troublesOf(page, new URL(address).origin);
        await page.goto(address);
        await page.getByRole("link", { name: "Instances", exact: true }).click();
        await page.getByRole("link", { name: IDS.waiting, exact: true }).click();
        await page.getByRole("option", { name: /event approved ?, waiting/ }).waitFor();
        expect(await page.getByRole("button", { name: "Cancel", exact: true }).count()).toBe(0);
        expect(troubles).toEqual([]);
        const stranger = await browser.newContext();
        expect((await stranger.request.get(address)).status()).toBe(401);
        expect((await stranger.request.get(new URL("api/instances", address).href)).status()).toBe(401);
      } finally {
        await browser.close();
        end();
      }
      expect((await run).code).toBe(130);
    });
  });
});
