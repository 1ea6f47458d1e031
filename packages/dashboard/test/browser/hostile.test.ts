/**
 * Checks that no script runs and nothing breaks, whatever a store contains and whatever happens to it while a page is
 * open.
 */
import {
  activity,
  Client,
  orchestration,
  type PayloadCodec,
  ProviderError,
  Runtime,
  rawCodec,
  silentLogger,
} from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import type { DashboardOptions } from "../../src/index.ts";
import { openPage, serve } from "../support/browser.ts";

const SCRIPT = `</script><script>alert(1)</script><img src=x onerror=alert(2)>`;
const RIGHT_TO_LEFT = "invoice\u202Efdp.exe \u2066hidden\u2069";

const echo = orchestration("echo", async (ctx, input: unknown) => {
  ctx.setCustomStatus(SCRIPT);
  ctx.kv.set(`key ${SCRIPT}`, input);
  return ctx.scheduleActivity(repeat, input);
});
const repeat = activity(SCRIPT, async (_ctx, input: unknown) => input);
const fails = orchestration("fails", async () => {
  throw new Error(`${SCRIPT}\nsecond line ${RIGHT_TO_LEFT}`);
});
const many = orchestration("many", async (ctx, count: number) => {
  await ctx.all(Array.from({ length: count }, (_, n) => ctx.scheduleActivity(repeat, n)));
});
const secretive = orchestration("secretive", async (_ctx, input: unknown) => input);

async function withStore(
  input: unknown,
  run: (provider: MemoryProvider, id: string) => Promise<void>,
  name: "echo" | "fails" | "many" | "secretive" = "echo",
  codec?: PayloadCodec,
): Promise<void> {
  const provider = new MemoryProvider();
  const more = { logger: silentLogger, ...(codec !== undefined && { codec }) };
  const orchestrations = [echo, fails, many, secretive];
  const runtime = await Runtime.start({ provider, orchestrations, activities: [repeat], ...more });
  const id = `id ${SCRIPT} ${RIGHT_TO_LEFT} ../../x?y=1&z#w`;
  const handle = await new Client(provider, more).start(name, { instanceId: id, input });
  await handle.result().catch(() => undefined);
  await run(provider, id);
  await runtime.shutdown({ graceMs: 0 });
  await provider[Symbol.asyncDispose]();
}

describe.skipIf(chromiumPath === undefined)("a hostile store", () => {
  const browser = shared(() => launchBrowser());

  /** Opens every tab of the instance and the list, and returns what could be seen. */
  async function lookAt(options: Partial<DashboardOptions>, id: string): Promise<readonly string[]> {
    await using served = await serve({ logger: silentLogger, ...options });
    const page = await openPage(browser(), served.address, "instances");
    const texts: string[] = [];
    await page.locator("td.id").first().waitFor();
    texts.push(await page.locator("main").innerText());
    await page.goto(`instance?${new URLSearchParams({ id })}`);
    const bars = page.getByRole("option");
    await page.getByRole("tab", { name: "Timeline" }).waitFor();
    await page.getByRole("complementary").locator(".payload").first().waitFor();
    if ((await bars.count()) > 0) await bars.first().click();
    await page.getByRole("complementary").locator(".payload").first().waitFor();
    texts.push(await page.locator("main").innerText());
    for (const [tab, shown] of [
      ["History", ".event"],
      ["State", ".state"],
      ["Streams", ".empty"],
      ["Children", ".empty"],
      ["Code", ".empty"],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await page.locator(shown).first().waitFor();
      texts.push(await page.locator("main").innerText());
    }
    return texts;
  }

  it("shows markup as text, in ids, names, keys, payloads and statuses", async () => {
    await withStore({ note: SCRIPT }, async (provider, id) => {
      const texts = await lookAt({ provider, title: `title ${SCRIPT}` }, id);
      expect(texts[0]).toContain("<script>alert(1)</script>");
      expect(texts[1]).toContain(SCRIPT);
    });
  });

  it("shows characters that hide or turn a text as their codes", async () => {
    await withStore(RIGHT_TO_LEFT, async (provider, id) => {
      const texts = await lookAt({ provider }, id);
      expect(texts.join()).toContain("invoice\\u202efdp.exe \\u2066hidden\\u2069");
      expect(texts.join()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    });
  });

  it("shows an error with markup as text", async () => {
    await withStore(
      null,
      async (provider, id) => {
        const texts = await lookAt({ provider }, id);
        expect(texts[1]).toContain(SCRIPT);
      },
      "fails",
    );
  });

  it("cuts a payload of a megabyte, and loads the whole of it on request", async () => {
    const text = "x".repeat(1_000_000);
    await withStore(text, async (provider, id) => {
      await using served = await serve({ provider });
      const page = await openPage(browser(), served.address, `instance?${new URLSearchParams({ id })}`);
      const inspector = page.getByRole("complementary");
      const load = inspector.getByRole("button", { name: "Load all 1.0 MB" }).first();
      await load.waitFor();
      expect((await inspector.innerText()).length).toBeLessThan(200_000);
      await load.click();
      const longest = "Math.max(...[...document.querySelectorAll('pre')].map((e) => e.textContent.length))";
      const read = async (): Promise<number> => Number(await page.evaluate(longest));
      await expectSoon(read).toBeGreaterThanOrEqual(text.length);
      // A browser needs seconds to lay out a megabyte, so it lays out the pieces that can be seen.
      const pieces =
        "[...document.querySelectorAll('.piece')].map((e) => getComputedStyle(e).contentVisibility)";
      const found = (await page.evaluate(pieces)) as string[];
      expect(found.length).toBeGreaterThan(60);
      expect(new Set(found)).toEqual(new Set(["auto"]));
    });
  });

  it("shows JSON that is nested a thousand levels deep", async () => {
    let value: unknown = "bottom";
    for (let n = 0; n < 1_000; n++) value = { deeper: value };
    await withStore(value, async (provider, id) => {
      const texts = await lookAt({ provider }, id);
      expect(texts[1]).toContain("bottom");
    });
  });

  it("says so where the codec cannot decode, and shows everything else", async () => {
    const broken: PayloadCodec = {
      name: "sealed",
      encode: (value) => `sealed:${JSON.stringify(value ?? null)}`,
      decode(text) {
        if (!text.startsWith("sealed:")) throw new Error("not sealed");
        return JSON.parse(text.slice("sealed:".length)) as unknown;
      },
    };
    await withStore(
      "plain",
      async (provider, id) => {
        const texts = await lookAt({ provider, codec: broken }, id);
        expect(texts[1]).toContain('the codec "sealed" cannot decode it');
      },
      "secretive",
      rawCodec,
    );
  });

  it("shows what redact returns, everywhere, the export included", async () => {
    await withStore({ card: "4242-secret", other: 1 }, async (provider, id) => {
      const redact = (path: string, value: unknown): unknown =>
        path.endsWith(".card") || (typeof value === "string" && value.includes("4242-secret"))
          ? "•••"
          : value;
      const texts = await lookAt({ provider, redact }, id);
      expect(texts.join()).not.toContain("4242-secret");
      expect(texts.join()).toContain("•••");
      await using served = await serve({ provider, redact });
      for (const route of ["export", "history", "call", "state", "timeline"]) {
        const response = await fetch(`${served.address}/api/${route}?${new URLSearchParams({ id })}`);
        expect(response.status, route).toBe(200);
        expect(await response.text(), route).not.toContain("4242-secret");
      }
    });
  });

  it("draws only the bars of a long history that can be seen", async () => {
    await withStore(
      3_400,
      async (provider, id) => {
        await using served = await serve({ provider });
        const page = await openPage(browser(), served.address, `instance?${new URLSearchParams({ id })}`);
        await page.getByText("3,400 calls").waitFor();
        await expectSoon(() => page.getByRole("option").count()).toBeLessThan(400);
        const last = (await new Client(provider).admin.timeline(id)).steps.at(-1)?.id;
        await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
        await page.locator(`#bar-${last}`).waitFor();
      },
      "many",
    );
  });

  it("keeps what it has while the store is down, says so, and goes on when it is back", async () => {
    await withStore("x", async (provider, id) => {
      let isDown = false;
      const flaky = new Proxy(provider, {
        get(target, key) {
          if (isDown && (key === "admin" || key === "getInstanceStatus")) {
            throw new ProviderError({ code: "unavailable", operation: "read", message: "the disk is gone" });
          }
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      await using served = await serve({ client: new Client(flaky) });
      const page = await openPage(browser(), served.address, `instance?${new URLSearchParams({ id })}`);
      await page.getByText(/^completed after/).waitFor();
      isDown = true;
      await page.getByText("The store does not answer").first().waitFor();
      await expectSoon(() => page.getByText("the disk is gone").count()).toBeGreaterThan(0);
      await expectSoon(() => page.getByText(/^completed after/).count()).toBe(1);
      isDown = false;
      await page.getByText("The store does not answer").first().waitFor({ state: "detached" });
    });
  });
});
