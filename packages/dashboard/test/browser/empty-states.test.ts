/** Tests what each screen shows of an empty store, and that the command that it names fills it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { shared } from "../../../../test/support/shared.ts";
import { openPage, serve } from "../support/browser.ts";
import { refund, Shop, until } from "../support/shop.ts";
import { openStore } from "../support/stores.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const CLI = ["--conditions=@duroxide-ts/source", path.join(ROOT, "packages/cli/src/main.ts")];

const SCREENS = [
  ["instances", "No instances yet"],
  ["instances?state=failed", "Nothing matches"],
  ["work", "The queues are empty"],
  ["work?show=overdue", "Nothing is overdue"],
  ["work?show=dead", "No dead letters"],
  ["schedules", "There are no schedules"],
  ["limits", "There are no limits"],
  ["workers", "No worker has reported itself"],
] as const;

const TABS = [
  ["timeline", "No calls yet"],
  ["state", "No state"],
  ["children", "No children"],
  ["code", "The code fits"],
] as const;

const REFUND = { order: "order-1", cents: 5, reason: "late", to: { name: "Ada" }, note: "none" } as const;

describe.skipIf(chromiumPath === undefined)("a store without anything", () => {
  const browser = shared(() => launchBrowser());

  it.each(SCREENS)("%s says %j", async (place, title) => {
    await using store = await openStore("sqlite");
    await using served = await serve({ provider: store.provider });
    const page = await openPage(browser(), served.address, place);
    await page.locator(".empty").getByRole("heading", { name: title }).waitFor();
  });

  it.each(["", "instances"])(
    "names at %j the command that starts an instance, and shows what it started",
    async (place) => {
      await using store = await openStore("sqlite");
      await using shop = await Shop.open(store.provider);
      await using served = await serve({ provider: shop.provider });
      const page = await openPage(browser(), served.address, place);
      const command = await page.locator(".command code").innerText();
      const [, verb = "", id = ""] = /^npx @duroxide-ts\/cli (start .* --id (\S+))$/.exec(command) ?? [];
      const child = spawn(process.execPath, [...CLI, ...verb.split(" ")], {
        env: { ...process.env, NODE_OPTIONS: "", DUROXIDE_STORE: store.named },
        stdio: ["ignore", "ignore", "inherit"],
      });
      expect((await once(child, "close"))[0]).toBe(0);
      await until(async () => (await shop.client.admin.query()).instances.length === 1);
      await page.goto("instances");
      await page.getByRole("link", { name: id, exact: true }).waitFor();
    },
  );

  it.each(TABS)("of an instance that called nothing, the tab %s says %j", async (tab, title) => {
    await using store = await openStore("sqlite");
    await using shop = await Shop.open(store.provider);
    await (await shop.client.start(refund, { instanceId: "refund-1", input: REFUND })).result();
    await using served = await serve({ provider: store.provider });
    const page = await openPage(browser(), served.address, `instance?id=refund-1&tab=${tab}`);
    await page.locator(".empty").getByRole("heading", { name: title }).waitFor();
  });
});
