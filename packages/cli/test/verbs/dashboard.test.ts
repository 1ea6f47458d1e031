/** `duroxide dashboard`: the real command, and a real browser on the address that it prints. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser, troublesOf } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { type Desk, IDS, onEachStore } from "../support/desk.ts";
import type { Run } from "../support/run-process.ts";

interface Running {
  /** Signs in the first browser that opens it. */
  readonly address: string;
  readonly run: Promise<Run>;
  end(): void;
}

async function startDashboard(desk: Desk, words: readonly string[]): Promise<Running> {
  let told: (address: string) => void = () => {};
  const printed = new Promise<string>((resolve) => {
    told = resolve;
  });
  let interrupted = (): void => {};
  const run = desk.cli(["dashboard", "--port", "0", ...words], {
    onOutput: (stdout, interrupt) => {
      interrupted = interrupt;
      const [, address] = /^Dashboard {2}(\S+)\nCtrl-C ends it\.\n/.exec(stdout) ?? [];
      if (address !== undefined) told(address);
    },
  });
  const gone = run.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)));
  return { address: await Promise.race([printed, gone]), run, end: () => interrupted() };
}

describe.skipIf(chromiumPath === undefined)("dashboard", () => {
  onEachStore((desk) => {
    it("prints an address that signs in one browser, shows the store there, and ends with Ctrl-C", async () => {
      const { address, run, end } = await startDashboard(desk(), ["--read-only"]);
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(120_000);
        const troubles = troublesOf(page, new URL(address).origin);
        await page.goto(address);
        await page.getByRole("link", { name: "Instances", exact: true }).click();
        await page.getByRole("link", { name: IDS.waiting, exact: true }).click();
        await page.getByRole("option", { name: /event approved ?, waiting/ }).waitFor();
        await expectSoon(() => page.getByRole("button", { name: "Cancel", exact: true }).count()).toBe(0);
        expect(troubles).toEqual([]);
        const session = await page.request.get(new URL("api/session", address).href);
        const isCosmos = desk().kind === "cosmos";
        expect(await session.json()).toMatchObject({
          costs: isCosmos,
          title: expect.stringMatching(isCosmos ? /^127\.0\.0\.1:\d+\/.+\/.+$/ : /^[^/]+\.db$/),
        });
        await expectSoon(() => page.locator(".brand").textContent()).toMatch(isCosmos ? /\// : /\.db$/);
        const stranger = await browser.newContext();
        expect((await stranger.request.get(address)).status()).toBe(401);
        expect((await stranger.request.get(new URL("api/instances", address).href)).status()).toBe(401);
      } finally {
        await browser.close();
        end();
      }
      expect((await run).code).toBe(130);
    });

    it("writes each action to stderr, with the user and the reason", async () => {
      const { address, run, end } = await startDashboard(desk(), []);
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(address);
        const answer = await page.request.post(new URL("api/act", address).href, {
          headers: { "x-duroxide-action": "1", origin: new URL(address).origin },
          data: { verb: "cancel", id: IDS.waiting, reason: "sold out" },
        });
        expect(answer.status()).toBe(200);
      } finally {
        await browser.close();
        end();
      }
      const { stderr } = await run;
      const [line] = stderr.split("\n").filter((text) => text.startsWith("{"));
      expect(JSON.parse(line ?? "")).toEqual({
        at: expect.any(String),
        event: "dashboard_action",
        verb: "cancel",
        instance_id: IDS.waiting,
        user: expect.stringMatching(/./),
        reason: "sold out",
      });
    });

    it("shows what redact of the configuration returns", async () => {
      const config = path.join(desk().folder, "redact.config.mjs");
      await writeFile(
        config,
        'export const redact = (path, value) => (path === "kv.total" ? "•••" : value);\n',
      );
      const { address, run, end } = await startDashboard(desk(), ["--read-only", "--config", config]);
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(address);
        const state = await page.request.get(new URL(`api/state?id=${IDS.completed}`, address).href);
        expect(await state.json()).toMatchObject({ entries: [{ key: "total", value: { text: '"•••"' } }] });
      } finally {
        await browser.close();
        end();
      }
      expect((await run).code).toBe(130);
    });
  });
});
