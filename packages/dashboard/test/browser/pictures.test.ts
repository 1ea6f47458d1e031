/**
 * The pictures of the documentation: each screen at 1440 and 390 px, light and dark. With DASHBOARD_PICTURES=1 they
 * are written; without it the test sees that all of them exist.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { openPage, serve } from "../support/browser.ts";
import { openPlan } from "../support/plan.ts";
import { until } from "../support/shop.ts";
import { Stage } from "../support/stage.ts";
import { openStore } from "../support/stores.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../../../docs/operate/pictures");

const SCREENS: Readonly<Record<string, readonly [place: string, ready: string]>> = {
  overview: ["", ".hour"],
  instances: ["instances", "td.id"],
  instance: ["instance?id=order-3007", ".payload"],
  sequence: ["instance?id=order-3007&view=sequence", ".message"],
  cancelling: ["instance?id=rental-5", ".notice.is-cancelling"],
  history: ["instance?id=order-1041&tab=history", ".event"],
  state: ["instance?id=order-2001&tab=state", ".unread"],
  children: ["instance?id=order-3007&tab=children", ".node"],
  code: ["instance?id=invoice-9&tab=code", ".code"],
  work: ["work", "td"],
  dead: ["work?show=dead", ".letter"],
  workers: ["workers", ".worker"],
  start: ["start?name=refund", "form fieldset .field"],
};
const PLANNED: Readonly<Record<string, readonly [place: string, ready: string]>> = {
  schedules: ["schedules", ".outcomes"],
  limits: ["limits", "article"],
  streams: ["instance?id=chat-7&tab=streams", "[aria-label='Values of the stream']"],
};
const WIDTHS = [1440, 390] as const;
const THEMES = ["light", "dark"] as const;

interface Picture {
  readonly screen: string;
  readonly width: number;
  readonly theme: (typeof THEMES)[number];
  readonly file: string;
}

function picturesOf(screens: object): readonly Picture[] {
  return Object.keys(screens).flatMap((screen) =>
    WIDTHS.flatMap((width) =>
      THEMES.map((theme) => ({ screen, width, theme, file: `${screen}-${width}-${theme}.png` })),
    ),
  );
}

it("there is a picture of every screen, at both widths, in both colour schemes", () => {
  const pictures = picturesOf({ ...SCREENS, ...PLANNED });
  expect(pictures.filter(({ file }) => !existsSync(path.join(FOLDER, file)))).toEqual([]);
});

describe.skipIf(chromiumPath === undefined || process.env["DASHBOARD_PICTURES"] === undefined)(
  "the pictures",
  () => {
    it("are written", async () => {
      const redact = (place: string, value: unknown): unknown =>
        place === "error.stack" ? "at askForPayment (payments.ts:31:11)\nat charge (orders.ts:12:9)" : value;
      await using stage = await Stage.open("sqlite", { redact, title: "orders.db" });
      await addWhatIsRare(stage);
      for (const { screen, width, theme, file } of picturesOf(SCREENS)) {
        const [place, ready] = SCREENS[screen] ?? ["", "main"];
        const viewport = { width, height: 740 };
        const page = await stage.page(place, {
          viewport,
          colorScheme: theme,
          reducedMotion: "reduce",
        });
        await page.locator(ready).first().waitFor();
        await page.locator(".loading").first().waitFor({ state: "detached" });
        if (screen === "instance" || screen === "sequence")
          await page
            .getByRole("option", { name: /askBank/ })
            .first()
            .click();
        if (screen === "instance" || screen === "sequence") await page.locator(".facts").waitFor();
        await page.evaluate("document.fonts.ready");
        await page.screenshot({ path: path.join(FOLDER, file) });
      }
    });

    it("of schedules, limits and streams are written", async () => {
      await using store = await openStore("sqlite");
      await using _plan = await openPlan(store.provider);
      await using served = await serve({
        provider: store.provider,
        title: "orders.db",
      });
      await using browser = await launchBrowser();
      for (const { screen, width, theme, file } of picturesOf(PLANNED)) {
        const [place, ready] = PLANNED[screen] ?? ["", "main"];
        const page = await openPage(browser, served.address, place, {
          viewport: { width, height: 740 },
          colorScheme: theme,
          reducedMotion: "reduce",
        });
        await page.locator(ready).first().waitFor();
        await page.evaluate("document.fonts.ready");
        await page.screenshot({ path: path.join(FOLDER, file) });
      }
    });
  },
);

/** A message that an instance has not received, and rows that no version can read. */
async function addWhatIsRare(stage: Stage): Promise<void> {
  const { client } = stage.shop;
  const gate = { text: "Leave it at the door.", from: "Ada Lovelace" };
  await client.handle("approval", "order-2001").enqueue("remarks", gate);
  for (const id of ["order-0990", "order-0991"]) {
    const message = { QueueMessageV2: { instance: id, name: "lines", sku: "A-7" } };
    await stage.putMessages([id], JSON.stringify(message));
  }
  await client.handle("approval", "order-2001").enqueue("remarks", { text: "Ring twice." });
  await until(async () => (await client.admin.deadLetters()).deadLetters.length === 2);
}
