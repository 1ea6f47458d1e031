/** A deletion of what runs is asked for twice; in a real browser. */
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { approval, orderOf, until } from "../support/shop.ts";
import { Stage } from "../support/stage.ts";
import { storesOfRun } from "../support/stores.ts";

describe.skipIf(chromiumPath === undefined).each(storesOfRun(0))("a deletion on %s", (storeName) => {
  const stage = shared(() => Stage.open(storeName));

  async function waiting(id: string): Promise<void> {
    await stage().shop.client.start(approval, { instanceId: id, input: orderOf(1) });
    await until(async () => (await stage().shop.client.admin.timeline(id)).waits.length === 2);
  }

  async function left(prefix: string): Promise<string[]> {
    const { instances } = await stage().shop.client.admin.query({ filter: { idPrefix: prefix } });
    return instances.map(({ instanceId }) => instanceId).sort();
  }

  it("of an instance that runs needs a tick that says so", async () => {
    await waiting("open-1");
    const page = await stage().page("instance?id=open-1");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("button", { name: "Delete …" }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Delete", exact: true });
    await confirm.waitFor();
    await expectSoon(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("It runs. Delete it all the same").check();
    await confirm.click();
    await page.getByText("There is no such instance").waitFor();
    expect(await left("open-1")).toEqual([]);
  });

  it("of an instance that has ended needs no tick", async () => {
    const page = await stage().page("instance?id=order-1045");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("button", { name: "Delete …" }).click();
    const dialog = page.getByRole("dialog");
    await expectSoon(() => dialog.getByRole("checkbox").count()).toBe(0);
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("There is no such instance").waitFor();
  });

  it("of many leaves those that run, and says so, unless they are named", async () => {
    for (const id of ["many-1", "many-2", "many-3"]) await waiting(id);
    const ended = stage().shop.client.handle(approval, "many-3");
    await ended.raise("approved", { by: "Ada" });
    await ended.result();
    const page = await stage().page("instances?prefix=many-");
    const remove = async (count: number, isForced: boolean): Promise<void> => {
      await page.getByLabel("Select all of this page").check();
      await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Delete" }).click();
      if (isForced) await page.getByLabel("Also those that run").check();
      await page.getByRole("button", { name: `Delete ${count}` }).click();
    };
    await remove(3, false);
    await page.getByText("Done: 1 of 3, 2 refused").waitFor();
    await page
      .getByRole("list", { name: "Refused" })
      .getByText(/runs|running/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Close" }).last().click();
    expect(await left("many-")).toEqual(["many-1", "many-2"]);
    await page.getByRole("link", { name: "many-3" }).waitFor({ state: "detached" });
    await remove(2, true);
    await page.getByText("Done: 2 of 2").waitFor();
    expect(await left("many-")).toEqual([]);
  });
});
