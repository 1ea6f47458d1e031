/** Every action, in a real browser: what was asked for happens in the store, with its reason. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { approval, orderOf, refund, until } from "../support/shop.ts";
import { Stage } from "../support/stage.ts";
import { storesOfRun } from "../support/stores.ts";

interface Logged {
  readonly verb?: unknown;
  readonly instance?: unknown;
  readonly user?: unknown;
  readonly reason?: unknown;
}

describe.skipIf(chromiumPath === undefined).each(storesOfRun(0))("an action on %s", (storeName) => {
  const log: Logged[] = [];
  const logger = { debug() {}, info: (fields: Logged) => log.push(fields), warn() {}, error() {} };
  const stage = shared(() => Stage.open(storeName, { logger }));

  /** Chooses an action of the head, by its button or from the menu, and confirms it. */
  async function act(page: Page, name: string, reason = "the bank is down"): Promise<void> {
    const button = page.getByRole("button", { name, exact: true });
    await page.getByRole("button", { name: "More actions" }).waitFor();
    if (await button.isVisible()) await button.click();
    else {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("button", { name: `${name} …` }).click();
    }
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  async function waiting(id: string): Promise<void> {
    await stage().shop.client.start(approval, { instanceId: id, input: orderOf(1) });
    await until(async () => (await stage().shop.client.admin.timeline(id)).waits.length === 2);
  }

  it("raises an event whose wait is open, and the page shows what follows by itself", async () => {
    const page = await stage().page("instance?id=order-2001");
    await page.getByRole("option", { name: /event approved ?, waiting/ }).click();
    await page.getByRole("button", { name: "Raise this event" }).click();
    await page.getByLabel("Data, as JSON").fill("{ not JSON");
    await expectSoon(() =>
      page.getByRole("dialog").getByRole("button", { name: "Raise event" }).isDisabled(),
    ).toBe(true);
    await page.getByLabel("Data, as JSON").fill('{ "by": "Ada" }');
    await page.getByRole("dialog").getByRole("button", { name: "Raise event" }).click();
    await page.getByText(/^completed after/).waitFor();
    expect(await stage().shop.client.handle(approval, "order-2001").result()).toBe("approved by Ada");
  });

  it("delivers a message again, corrected, that did not fit its wait", async () => {
    await waiting("misfit");
    const handle = stage().shop.client.handle(approval, "misfit");
    await handle.raise("approved", { by: 5 });
    await until(async () => (await stage().shop.client.admin.timeline("misfit")).setAside.length === 1);
    const page = await stage().page("instance?id=misfit");
    await page.getByText("1 message was set aside").waitFor();
    await page.getByRole("link", { name: "Show the state" }).click();
    const list = page.getByRole("region", { name: "Set aside" });
    await list.getByText("by: Invalid input: expected string, received number").waitFor();
    await list.getByRole("button", { name: "Deliver again" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Corrected message, as JSON").fill('{ "by": "Ada" }');
    await dialog.getByLabel("Reason").fill("a typo");
    await dialog.getByRole("button", { name: "Deliver again" }).click();
    await dialog.waitFor({ state: "detached" });
    await list.getByText(/^Delivered again as event \d+\.$/).waitFor();
    expect(await handle.result()).toBe("approved by Ada");
    expect(log).toContainEqual(expect.objectContaining({ verb: "redeliver", user: "ada", reason: "a typo" }));
  });

  it("enqueues a message", async () => {
    const page = await stage().page("instance?id=basket-7");
    await page.getByRole("option", { name: /queue lines ?, waiting/ }).click();
    await page.getByRole("button", { name: "Send a message" }).click();
    await page.getByLabel("Data, as JSON").fill('{ "sku": "A-1" }');
    await page.getByRole("dialog").getByRole("button", { name: "Enqueue message" }).click();
    expect(await stage().shop.client.handle("basket", "basket-7").waitFor("last")).toBe("A-1");
  });

  it("cancels with a reason that is stored and logged with the name of the user", async () => {
    await waiting("to-cancel");
    const page = await stage().page("instance?id=to-cancel");
    await act(page, "Cancel", "a double");
    await page.getByText(/^cancelled after/).waitFor();
    const status = await stage().shop.client.handle(approval, "to-cancel").status();
    expect(status).toMatchObject({
      status: "Cancelled",
      message: expect.stringContaining("a double (by ada)") as string,
    });
    expect(log).toContainEqual(
      expect.objectContaining({ verb: "cancel", instance_id: "to-cancel", user: "ada", reason: "a double" }),
    );
  });

  it("suspends, and resumes", async () => {
    await waiting("to-suspend");
    const page = await stage().page("instance?id=to-suspend");
    await act(page, "Suspend");
    await page.getByText(/^Suspended for .* by ada/).waitFor();
    await act(page, "Resume");
    await page.getByText(/^waiting, running for/).waitFor();
  });

  it("terminates", async () => {
    await waiting("to-terminate");
    const page = await stage().page("instance?id=to-terminate");
    await act(page, "Terminate");
    await page.getByText(/^cancelled after/).waitFor();
  });

  it("retries what failed, in a new execution", async () => {
    const page = await stage().page("instance?id=order-1050");
    await act(page, "Retry");
    await until(async () => (await stage().shop.client.admin.executions("order-1050")).length === 2);
    await page.getByRole("combobox", { name: "Execution" }).waitFor();
    await page.getByText(/^Begun by hand: retry of execution 1 by .*the bank is down$/).waitFor();
  });

  it("rewinds to before a bar", async () => {
    const page = await stage().page("instance?id=order-1042");
    await page.getByRole("option", { name: /activity chargeCard/ }).click();
    await page.getByRole("button", { name: "Rewind to before this" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rewind" }).click();
    await until(async () => (await stage().shop.client.admin.executions("order-1042")).length === 2);
  });

  it("restarts", async () => {
    const page = await stage().page("instance?id=order-1043");
    await act(page, "Restart");
    await until(async () => (await stage().shop.client.admin.executions("order-1043")).length === 2);
  });

  it("prunes old executions", async () => {
    const page = await stage().page("instance?id=rounds-1");
    await act(page, "Prune executions");
    await until(async () => (await stage().shop.client.admin.executions("rounds-1")).length === 1);
  });

  it("shows why it was refused, and leaves the dialog open", async () => {
    const page = await stage().page("start");
    await page.getByLabel("Orchestration").fill("checkout");
    await page.getByLabel(/^Id/).fill("order-1041");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/exists already/)
      .waitFor();
  });

  it("starts an instance and leads to it", async () => {
    const page = await stage().page("start");
    await page.getByLabel("Orchestration").fill("checkout");
    await page.getByLabel(/^Id/).fill("by-hand");
    await page.getByLabel("Input, as JSON").fill(JSON.stringify(orderOf(7)));
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText(/^completed after/).waitFor();
  });

  it("starts what no process has the code for, and says that it waits", async () => {
    const page = await stage().page("start");
    await page.getByLabel("Orchestration").fill("unheard-of");
    await page.getByLabel(/^Id/).fill("unheard-1");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("Not begun yet").waitFor();
    await page.getByText(/unheard-1: The start of unheard-of waits for a process/).waitFor();
  });

  it("starts an instance from the form of its input", async () => {
    const page = await stage().page("start?name=refund");
    const send = page.getByRole("button", { name: "Start", exact: true });
    await page.getByLabel(/^Id/).fill("refund-1");
    await page.getByLabel("order", { exact: true }).fill("order-1041");
    await page.getByLabel("cents").fill("0");
    await page.getByLabel("reason").selectOption("late");
    await page.getByLabel("notify, optional").selectOption("false");
    await page.getByLabel("to.name").fill("Ada");
    await page.getByLabel("lines, optional").fill('[{ "sku":');
    await send.click();
    await expectSoon(() => page.getByLabel("cents").evaluate((field) => field.matches(":invalid"))).toBe(
      true,
    );
    await page.getByLabel("cents").fill("250");
    await send.click();
    await expectSoon(() => page.getByLabel("lines").evaluate((field) => field.matches(":invalid"))).toBe(
      true,
    );
    await page.getByLabel("lines, optional").fill('[{ "sku": "a" }]');
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    expect(JSON.parse(await page.getByLabel("Input, as JSON").inputValue())).toEqual({
      order: "order-1041",
      cents: 250,
      reason: "late",
      notify: false,
      to: { name: "Ada" },
      lines: [{ sku: "a" }],
    });
    await page.getByRole("button", { name: "Edit as a form" }).click();
    await page.getByLabel("cents").fill("300");
    await send.click();
    await page.getByText(/^completed after/).waitFor();
    expect(await stage().shop.client.handle(refund, "refund-1").result()).toContain('"cents":300');
  });

  it("says what the schema refuses, before anything is stored", async () => {
    const page = await stage().page("start?name=refund");
    await page.getByLabel(/^Id/).fill("refund-2");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await page.getByLabel("Input, as JSON").fill('{ "order": 5 }');
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/input of orchestration "refund" is not valid/)
      .waitFor();
    expect(await stage().shop.provider.getInstanceStatus("refund-2")).toBeUndefined();
  });

  it("on many shows its progress, and what was refused", async () => {
    for (let n = 0; n < 40; n++) await waiting(`many-${n}`);
    const page = await stage().page("instances?prefix=many-");
    await page.getByLabel("Select all of this page").check();
    await page.getByRole("button", { name: "Select all that match" }).click();
    await page.getByText("All 40 that match").waitFor();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Terminate" }).click();
    await page.getByLabel("Reason").fill("a mistake in the import");
    await page.getByRole("button", { name: "Terminate 40" }).click();
    await page.getByText("Done: 40 of 40").waitFor();
    await page.getByRole("button", { name: "Close" }).last().click();
    const { counts } = await stage().shop.client.admin.count({ idPrefix: "many-", status: ["Cancelled"] });
    expect(counts[0]?.count).toBe(40);
  });
});
