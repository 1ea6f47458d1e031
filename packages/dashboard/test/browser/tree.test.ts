/** The tree of an instance and what blocks one, as their tabs show them; in a real browser. */
import { systemClock } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { openPage, serve } from "../support/browser.ts";
import { Stage } from "../support/stage.ts";

describe.skipIf(chromiumPath === undefined)("the tabs of an instance", () => {
  const stage = shared(() => Stage.open("sqlite"));

  it("show how long a running parent has run so far, and a child until its end", async () => {
    // The server is an hour ahead, so only what has ended has taken less.
    const clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
    await using served = await serve({ client: stage().shop.client, clock });
    const page = await openPage(stage().browser, served.address, "instance?id=order-3007&tab=children");
    const nodes = page.locator(".node");
    await expectSoon(() => nodes.count()).toBe(3);
    const [parent, ...children] = await nodes.allInnerTexts();
    expect(parent).toMatch(/running[\s\S]*, 1h/);
    for (const child of children) expect(child).toMatch(/completed[\s\S]*, [\d.]+ m?s$/);
  });

  it("end the reason of a block with a full stop before the time of the next try", async () => {
    const page = await stage().page("instance?id=invoice-9");
    await page.getByText(/in activities\. Tried again in [\d.]+ m?s\.$/).waitFor();
  });
});
