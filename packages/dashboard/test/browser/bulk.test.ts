/** Every action on many instances, in a real browser: on all that match, aborted in the middle, and gone on with. */
import type { Client } from "@duroxide-ts/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { Faults } from "../../../../test/support/faulty-provider.ts";
import { shared } from "../../../../test/support/shared.ts";
import { approval, checkout, orderOf, until } from "../support/shop.ts";
import { Stage } from "../support/stage.ts";
import { storesOfRun } from "../support/stores.ts";

/** Number of instances that are changed at the same time. */
const AT_ONCE = 16;
/** The rows of a page of the list. */
const ROWS = 50;

interface Logged {
  readonly verb?: unknown;
  readonly instance_id?: unknown;
  readonly reason?: unknown;
}

interface Kind {
  /** Brings an instance into a state that the action is for. */
  readonly prepare: (client: Client, id: string) => Promise<unknown>;
  /** Whether the action has happened. */
  readonly isDone: (client: Client, id: string) => Promise<boolean>;
}

const retry: Kind = {
  async prepare(client, id) {
    const order = orderOf(1, { card: "declined" });
    await (await client.start(checkout, { instanceId: id, input: order })).result().catch(() => undefined);
  },
  isDone: async (client, id) => (await client.admin.executions(id)).length === 2,
};
/** Its failure comes again, in the next execution. */
const rewind: Kind = retry;
const suspend: Kind = { prepare: waiting, isDone: isSuspended };
const resume: Kind = {
  async prepare(client, id) {
    await waiting(client, id);
    await client.admin.suspend(id, { reason: "the bank is down" });
  },
  isDone: async (client, id) => !(await isSuspended(client, id)),
};
const cancel: Kind = {
  prepare: waiting,
  isDone: async (client, id) => (await client.handle("unknown", id).status()).status === "Cancelled",
};
const remove: Kind = {
  prepare: waiting,
  isDone: async (client, id) => (await client.handle("unknown", id).status()).status === "NotFound",
};

/** Changes by the name of the action; actions.test.ts has the seventh, which terminates. */
const KINDS = {
  Retry: retry,
  Rewind: rewind,
  Suspend: suspend,
  Resume: resume,
  Cancel: cancel,
  Delete: remove,
} as const;

async function waiting(client: Client, id: string): Promise<void> {
  await client.start(approval, { instanceId: id, input: orderOf(1) });
  await until(async () => (await client.admin.timeline(id)).waits.length === 2);
}

async function isSuspended(client: Client, id: string): Promise<boolean> {
  return (await client.admin.info(id)).suspended !== undefined;
}

describe.skipIf(chromiumPath === undefined).each(storesOfRun(3))("an action on many on %s", (storeName) => {
  const faults = new Faults();
  const log: Logged[] = [];
  const logger = { debug() {}, info: (fields: Logged) => log.push(fields), warn() {}, error() {} };
  const stage = shared(() => Stage.empty(storeName, { logger }, faults.wrap));

  async function prepared(prefix: string, count: number, { prepare }: Kind): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, (_, n) => `${prefix}-${n + 100}`);
    await Promise.all(ids.map((id) => prepare(stage().shop.client, id)));
    return ids;
  }

  /** Opens the list of these instances and selects the rows of its first page. */
  async function selected(prefix: string, count: number): Promise<Page> {
    const page = await stage().page(`instances?prefix=${prefix}-`);
    await page.getByLabel("Select all of this page").check();
    await page.getByText(`${count} selected`).waitFor();
    return page;
  }

  async function allThatMatch(page: Page, count: number): Promise<void> {
    await page.getByRole("button", { name: "Select all that match" }).click();
    await page.getByText(`All ${count} that match`).waitFor();
  }

  async function act(page: Page, label: string, count: number): Promise<void> {
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: label }).click();
    await page.getByLabel("Reason").fill("the import was wrong");
    if (label === "Delete") await page.getByLabel("Also those that run").check();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `${label} ${count}` })
      .click();
  }

  async function done(ids: readonly string[], { isDone }: Kind): Promise<readonly string[]> {
    const found = await Promise.all(ids.map((id) => isDone(stage().shop.client, id)));
    return ids.filter((_, index) => found[index]);
  }

  it.each(Object.entries(KINDS))(
    "%s changes each instance, and logs it with the reason",
    async (label, kind) => {
      const count = AT_ONCE + 2;
      const prefix = label.toLowerCase();
      const ids = await prepared(prefix, count, kind);
      const page = await selected(prefix, count);
      await allThatMatch(page, count);
      await act(page, label, count);
      await page.getByRole("dialog").getByText(`Done: ${count} of ${count}`).waitFor();
      await page.getByRole("dialog").locator("footer").getByRole("button", { name: "Close" }).click();
      await page.getByRole("region", { name: "Selection" }).waitFor({ state: "detached" });
      await expectSoon(() => done(ids, kind)).toEqual(ids);
      const logged = log.filter(({ verb, reason }) => verb === prefix && reason === "the import was wrong");
      expect(logged.map(({ instance_id: id }) => id).sort()).toEqual(ids);
    },
  );

  it("is for the selected instances only, and lists what was refused, with the reason", async () => {
    const ids = await prepared("mixed", 3, cancel);
    await retry.prepare(stage().shop.client, "mixed-200");
    const page = await stage().page("instances?prefix=mixed-");
    for (const id of ["mixed-101", "mixed-200"]) await page.getByLabel(`Select ${id}`).check();
    await act(page, "Retry", 2);
    await page.getByText("Done: 1 of 2, 1 refused").waitFor();
    const refused = page.getByRole("list", { name: "Refused" }).getByRole("listitem");
    await expectSoon(() => refused.allInnerTexts()).toEqual([expect.stringMatching(/^mixed-101 .*Running/)]);
    expect(await done(["mixed-200"], retry)).toEqual(["mixed-200"]);
    expect(await done(ids, retry)).toEqual([]);
  });

  it.each([
    ["all that match", ROWS + 10],
    ["the selected ones", ROWS],
  ] as const)("is aborted in the middle, and goes on: %s", async (which, count) => {
    const prefix = which === "all that match" ? "matching" : "chosen";
    const ids = await prepared(prefix, ROWS + 10, cancel);
    const released = Promise.withResolvers<void>();
    let asked = 0;
    faults.on("enqueueForOrchestrator", async (call) => {
      asked = call;
      if (call > 2 * AT_ONCE) await released.promise;
    });
    const page = await selected(prefix, ROWS);
    if (which === "all that match") await allThatMatch(page, count);
    await act(page, "Cancel", count);
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Running: ${2 * AT_ONCE} of ${count}`).waitFor();
    await expectSoon(() => asked).toBe(3 * AT_ONCE);

    await dialog.getByRole("button", { name: "Abort" }).click();
    await dialog.getByText(`Ended early: ${2 * AT_ONCE} of ${count}`).waitFor();
    await expectSoon(() => stage().open("/api/bulk")).toBe(0);
    released.resolve();
    // What was under way is done, and nothing else.
    await expectSoon(async () => (await done(ids, cancel)).length).toBe(3 * AT_ONCE);
    expect(asked).toBe(3 * AT_ONCE);

    await dialog.getByRole("button", { name: "Go on" }).click();
    await dialog.getByText(`Done: ${count} of ${count}`).waitFor();
    await expectSoon(async () => (await done(ids, cancel)).length).toBe(count);
    await expectSoon(() => dialog.getByRole("button", { name: "Go on" }).count()).toBe(0);
    faults.off("enqueueForOrchestrator");
  });
});
