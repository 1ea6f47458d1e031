/** Streams and progress on the page of an instance, as they come. */
import { Client, orchestration, Runtime, silentLogger, stream } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { contextOf, faultsOf, LOOKS } from "../support/accessibility.ts";
import { openPage, serve } from "../support/browser.ts";
import { openStore, storesOfRun } from "../support/stores.ts";

const tokens = stream<string>("tokens");

const talks = orchestration("talks", async (ctx) => {
  ctx.stream("lines").write("begun");
  await ctx.run("say", async (step) => {
    await step.stream(tokens).write("<b>hello</b>");
    step.progress({ done: 1, of: 2 });
  });
  await ctx.waitForEvent("go");
  ctx.stream(tokens).write("world");
});

describe.skipIf(chromiumPath === undefined).each(storesOfRun(4))("streams on %s", (storeName) => {
  const browser = shared(() => launchBrowser());

  it.each(LOOKS)("are seen as they come, with the progress of steps, $scheme at $width", async (look) => {
    await using store = await openStore(storeName);
    const { provider } = store;
    const runtime = await Runtime.start({ provider, orchestrations: [talks], logger: silentLogger });
    const handle = await new Client(provider).start(talks, { instanceId: "a" });
    await using served = await serve({ provider });
    const page = await openPage(
      browser(),
      served.address,
      "instance?id=a&tab=streams&stream=tokens",
      contextOf(look),
    );
    await page.getByRole("heading", { name: "Progress of say" }).waitFor();
    const values = page.getByRole("list", { name: "Values of the stream" });
    await values.getByText('"<b>hello</b>"').waitFor();
    await expectSoon(() => values.getByText("world").count()).toBe(0);
    expect(await faultsOf(page, look)).toEqual([]);
    await handle.raise("go");
    await values.getByText('"world"').waitFor();
    await page.getByRole("main").getByRole("combobox", { name: "Stream" }).selectOption("lines");
    await values.getByText('"begun"').waitFor();
    await runtime.shutdown();
  });
});
