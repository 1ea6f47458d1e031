/** Whatever page of a store that charges is left open, it takes at most 4 request units a second. */
import { Client, orchestration, type Provider, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { openPage, serve } from "../support/browser.ts";
import { until } from "../support/shop.ts";

/** Reads that cost the more the more they find. */
const EXPENSIVE = /^(readHistory|queryInstances|countInstances|listWork|getInstanceTree|getQueueDepths)/;
const unitsOf = (call: string): number => (EXPENSIVE.test(call) ? 200 : 1);
const SECONDS = 120;

type Method = (...args: unknown[]) => unknown;

/** Charges for each call of a store in which everything changes between two reads. */
class Meter {
  units = 0;
  #reads = 0;

  of(provider: Provider): Provider {
    const admin = provider.admin;
    const metered = this.#around(provider, {
      name: "cosmos",
      admin: admin && this.#around(admin, {}),
    });
    return Object.defineProperty(metered, "requestUnits", { get: () => this.units });
  }

  #around<T extends object>(store: T, own: Partial<Record<keyof T, unknown>>): T {
    return new Proxy(Object.create(store) as T, {
      get: (target, name, receiver) => {
        if (Object.hasOwn(own, name)) return own[name as keyof T];
        if (Object.hasOwn(target, name)) return Reflect.get(target, name, receiver);
        const member: unknown = Reflect.get(store, name);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          this.units += unitsOf(String(name));
          return this.#changed(await (member as Method).apply(store, args));
        };
      },
    });
  }

  #changed(found: unknown): unknown {
    if (typeof found !== "object" || found === null) return found;
    if ("instances" in found && Array.isArray(found.instances))
      return { ...found, instances: found.instances.map((each) => this.#changed(each)) };
    return "updatedAtMs" in found ? { ...found, updatedAtMs: ++this.#reads } : found;
  }
}

describe.skipIf(chromiumPath === undefined)(
  "a page that is left open takes at most 4 units a second:",
  () => {
    const browser = shared(() => launchBrowser());

    it.each([
      "",
      "instances",
      "instances?waits=1",
      "instances?error=no",
      "instance?id=i-0",
      "instance?id=i-0&view=sequence",
      "instance?id=i-0&bar=2",
      "instance?id=i-0&tab=history",
      "instance?id=i-0&tab=state",
      "instance?id=i-0&tab=children",
      "work",
      "work?show=dead",
      "workers",
      "start",
    ])("/%s", async (path) => {
      const provider = new MemoryProvider();
      const client = new Client(provider);
      await using runtime = await Runtime.start({
        provider,
        orchestrations: [orchestration("job", async (ctx) => ctx.dequeue("lines"))],
        logger: silentLogger,
      });
      for (const instanceId of ["i-0", "i-1"]) {
        await client.start("job", { instanceId });
        await until(async () => (await client.admin.timeline(instanceId)).waits.length === 1);
      }
      await runtime.shutdown();
      const meter = new Meter();
      await using served = await serve({ provider: meter.of(provider) });
      const page = await openPage(browser(), served.address);
      // Requests are answered in turn, so what the page asked for before has its answer.
      const settle = (): Promise<unknown> => page.evaluate(() => fetch("/api/session"));
      await page.clock.install();
      await page.goto(path);
      await expectSoon(() => meter.units).toBeGreaterThan(0);
      await page.clock.runFor(1_000);
      for (let n = 0; n < 5; n++) await settle();
      const first = meter.units;
      for (let second = 0; second < SECONDS; second++) {
        await page.clock.runFor(1_000);
        await settle();
      }
      // The last reads are paid for later.
      expect(meter.units - first).toBeLessThanOrEqual(4 * SECONDS + first);
    });
  },
);
