/** The list says what instances wait for, and leads to old versions, in a real browser. */
import { orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { shared } from "../../../../test/support/shared.ts";
import { approval, orderOf, until } from "../support/shop.ts";
import { Stage } from "../support/stage.ts";

describe.skipIf(chromiumPath === undefined).each(["sqlite", "cosmos"] as const)(
  "a list on %s",
  (storeName) => {
    const stage = shared(() => Stage.open(storeName));

    it("says what running instances wait for, at once or where reads cost on request", async () => {
      const page = await stage().page("instances?prefix=order-2001");
      const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "order-2001" }) });
      await row.waitFor();
      if (storeName === "cosmos") {
        const requests: string[] = [];
        page.on("request", (request) => requests.push(request.url()));
        const answered = page.waitForResponse(/api\/waits/);
        await page.getByRole("button", { name: "Show waits" }).click();
        await answered;
        expect(page.url()).toContain("waits=1");
      }
      await row.getByText(/^event approved, timer in 1d 23h$/).waitFor();
      await row.getByText("waiting for approval", { exact: true }).waitFor();
      await row.getByText("waiting", { exact: true }).waitFor();
    });

    it("reads only the rows that the window shows", async () => {
      const { client } = stage().shop;
      const ids = Array.from({ length: 30 }, (_, n) => `seen-${String(n).padStart(2, "0")}`);
      for (const instanceId of ids) await client.start(approval, { instanceId, input: orderOf(1) });
      for (const id of ids) await until(async () => (await client.admin.timeline(id)).waits.length === 2);
      const page = await stage().page("", { viewport: { width: 1440, height: 400 } });
      const asked = new Set<string>();
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.pathname === "/api/waits") for (const id of url.searchParams.getAll("id")) asked.add(id);
      });
      await page.goto("instances?prefix=seen-&order=created-asc&waits=1");
      await page.getByRole("row", { name: /seen-00.*event approved/ }).waitFor();
      expect(asked).not.toContain("seen-29");
      await page.getByRole("link", { name: "seen-29" }).scrollIntoViewIfNeeded();
      await page.getByRole("row", { name: /seen-29.*event approved/ }).waitFor();
    });

    it("leads to the instances of old versions", async () => {
      await using _runtime = await Runtime.start({
        provider: stage().shop.provider,
        orchestrations: ["1.0.0", "1.5.0", "2.0.0"].map((version) =>
          orchestration("tour", { version }, async () => 1),
        ),
        activities: [],
        logger: silentLogger,
      });
      await until(async () =>
        (await stage().shop.client.admin.workers()).some(({ orchestrations }) =>
          orchestrations.some(({ name }) => name === "tour"),
        ),
      );
      const page = await stage().page("instances");
      await page.getByRole("button", { name: "Views" }).click();
      await page.getByRole("button", { name: "Old versions …" }).click();
      for (const version of ["1.5.0", "1.0.0"]) {
        const text = `tour ${version} running scheduled waiting for limit blocked suspended newest 2.0.0`;
        await page.getByRole("listitem").filter({ hasText: text }).waitFor();
      }
      await page.getByRole("link", { name: "tour 1.0.0 running" }).click();
      await page.getByRole("button", { name: "Remove the filter: version 1.0.0" }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(new URL(page.url()).searchParams.toString()).toBe("state=running&name=tour&version=1.0.0");
    });
  },
);
