/** Limits on the page: seen, set, changed, deleted; by keyboard, on a phone, in both schemes. */
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { contextOf, LOOKS } from "../support/accessibility.ts";
import { OPERATOR, openPage, serve } from "../support/browser.ts";
import { expectNothingOffered, expectNothingSerious } from "../support/screen-checks.ts";
import { openStore, storesOfRun } from "../support/stores.ts";

describe.skipIf(chromiumPath === undefined).each(storesOfRun(4))("limits on %s", (storeName) => {
  const browser = shared(() => launchBrowser());

  /** One call runs under `partner` and two wait. */
  async function stage(role: "operator" | "viewer" = "operator") {
    const store = await openStore(storeName);
    const { provider } = store;
    const gate = Promise.withResolvers<void>();
    const send = activity("send", { limit: "partner" }, async () => gate.promise);
    const order = orchestration("order", async (ctx) => ctx.scheduleActivity(send));
    const options = { provider, orchestrations: [order], activities: [send], logger: silentLogger };
    const runtime = await Runtime.start({ ...options, limits: { partner: { concurrency: 1 } } });
    const client = new Client(provider);
    for (const instanceId of ["a", "b", "c"]) await client.start(order, { instanceId });
    await expectSoon(async () => (await client.limits.get("partner")).waiting).toBe(2);
    const served = await serve({ provider, authorize: () => ({ ...OPERATOR, role }) });
    return {
      client,
      served,
      async [Symbol.asyncDispose]() {
        gate.resolve();
        await served[Symbol.asyncDispose]();
        await runtime.shutdown();
        await store[Symbol.asyncDispose]();
      },
    };
  }

  it("are set, changed and deleted, with their reasons", async () => {
    await using given = await stage();
    const { limits } = given.client;
    const page = await openPage(browser(), given.served.address, "limits");
    const card = page.getByRole("article").filter({ hasText: "partner" });
    await card.getByText("1 at a time").waitFor();
    await card.getByText("2, the oldest for").waitFor();

    await card.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("At a time").fill("none");
    await dialog.getByRole("button", { name: "Set" }).click();
    await dialog.getByText("must be a whole number").waitFor();
    await dialog.getByLabel("At a time").fill("2");
    await dialog.getByLabel("Reason").fill("a new contract");
    await dialog.getByRole("button", { name: "Set" }).click();
    await card.getByText("a new contract").waitFor();
    await expectSoon(async () => (await limits.get("partner")).running).toBe(2);

    await page.getByRole("button", { name: "New limit" }).click();
    await dialog.waitFor();
    await page.keyboard.type("openai/*");
    await expectSoon(() => dialog.getByLabel("Key").inputValue()).toBe("openai/*");
    await dialog.getByLabel("Starts in each period").fill("10");
    await dialog.getByLabel("Period in seconds").fill("0.5");
    await dialog.getByRole("button", { name: "Set" }).click();
    const added = page.getByRole("article").filter({ hasText: "openai/*" });
    await added.getByText("10 each 500 ms").waitFor();
    await added.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await added.waitFor({ state: "detached" });
    expect((await limits.list()).map(({ key }) => key)).toEqual(["partner"]);
  });

  it("offer nothing to viewers", async () => {
    await using given = await stage("viewer");
    await expectNothingOffered(browser(), given.served, "limits");
  });

  it.each(LOOKS)("have nothing serious for an accessibility checker, $scheme at $width", async (look) => {
    await using given = await stage();
    const page = await openPage(browser(), given.served.address, "limits", contextOf(look));
    await page.getByRole("article").first().waitFor();
    await expectNothingSerious(page, look, "Change", (dialog) => dialog.getByLabel("At a time"));
  });
});
