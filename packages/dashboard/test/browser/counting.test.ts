/** A store that charges by request, in a real browser: it is counted when the page asks. */
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { shared } from "../../../../test/support/shared.ts";
import { approval, orderOf, until } from "../support/shop.ts";
import { Stage } from "../support/stage.ts";

describe.skipIf(chromiumPath === undefined)("a store that charges by request", () => {
  const stage = shared(() => Stage.open("cosmos"));

  it("has an overview that counts on request, and says what the count cost and when it was", async () => {
    const page = await stage().page("");
    await page.getByText("A count reads all that runs and all that failed in 24 h").waitFor();
    const running = page.getByRole("link", { name: /^\d+\s*running$/ });
    await running.waitFor();
    // The page shows what it has read until its next read, so only a count knows of this one.
    const { instanceId } = await stage().shop.client.start(approval, { input: orderOf(1) });
    await until(async () => (await stage().shop.client.admin.info(instanceId)).status === "Running");
    await page.getByRole("button", { name: "Count", exact: true }).click();
    await page
      .getByText(/^Running and failed were counted at .*, (now|.* ago), for \d+(\.\d)? RU, in \d+ ms\.$/)
      .waitFor();
    const { counts } = await stage().shop.client.admin.count({
      status: ["Running"],
      blocked: false,
      suspended: false,
    });
    expect(Number.parseInt(await running.innerText(), 10)).toBe(counts[0]?.count);
    await page.getByRole("button", { name: "Count again" }).waitFor();
  });

  it("has its queues counted on request", async () => {
    const page = await stage().page("work");
    await page.getByText("A count reads all rows of both queues.").waitFor();
    await page.getByRole("button", { name: "Count", exact: true }).click();
    await page.getByText(/^\d+ messages and \d+ activities ready, [\d,]+ later, at \d/).waitFor();
    await page.getByRole("button", { name: "Count again" }).waitFor();
  });
});
