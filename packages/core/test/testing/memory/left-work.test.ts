/** Two runtimes with different code on one store: work goes to the one that has its code. */
import { expect, it } from "vitest";
import { activity, orchestration } from "../../../src/define/definitions.ts";
import { Client, type Provider, Runtime, type RuntimeOptions, silentLogger } from "../../../src/index.ts";
import { MemoryProvider, VirtualClock } from "../../../src/testing/index.ts";

const ship = activity("ship", async (_ctx, order: number) => order);
const checkout = orchestration("checkout", async (ctx, order: number) => ctx.scheduleActivity(ship, order));
const other = orchestration("other", async () => "other");

/** Counts the fetches that found work. */
function counting(provider: Provider, fetched: string[]): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "fetchOrchestrationItem" && name !== "fetchWorkItem") return value.bind(target);
      return async (...args: unknown[]) => {
        const found: unknown = await Reflect.apply(value, target, args);
        if (found !== undefined) fetched.push(name);
        return found;
      };
    },
  });
}

it("a runtime gets the work that only it has code for, and the other one does not touch it", async () => {
  const clock = new VirtualClock();
  const provider = new MemoryProvider({ clock });
  const touched: string[] = [];
  const start = (options: Partial<RuntimeOptions>, store: Provider = provider): Promise<Runtime> =>
    Runtime.start({ provider: store, clock, logger: silentLogger, ...options });
  // Its fetches have waited longer.
  const without = await start(
    { orchestrations: [other], activities: [activity("pack", async () => 1)] },
    counting(provider, touched),
  );
  await clock.settle();
  const having = await start({ orchestrations: [checkout], activities: [ship], orchestrationConcurrency: 1 });
  const client = new Client(provider, { clock });
  const orders = Array.from({ length: 20 }, (_, order) => order);
  const handles = await Promise.all(orders.map((input) => client.start(checkout, { input })));
  await clock.settle();

  expect(await Promise.all(handles.map(async (handle) => (await handle.status()).status))).toEqual(
    orders.map(() => "Completed"),
  );
  expect(touched).toEqual([]);
  await having.shutdown();
  await without.shutdown();
});

it("work that was blocked for want of its code goes on as soon as a runtime has it", async () => {
  const clock = new VirtualClock();
  const provider = new MemoryProvider({ clock });
  const start = (options: Partial<RuntimeOptions>): Promise<Runtime> =>
    Runtime.start({ provider, clock, logger: silentLogger, ...options });
  const without = await start({ orchestrations: [other] });
  const client = new Client(provider, { clock });
  const handle = await client.start(checkout, { input: 7 });
  // Long enough for a back-off of many seconds.
  await clock.advance(60_000);
  expect(await handle.status()).toMatchObject({ blocked: [{ reason: "missing-orchestration" }] });
  const half = await start({ orchestrations: [checkout], activities: [activity("pack", async () => 1)] });
  await clock.advance(60_000);
  expect(await handle.status()).toMatchObject({ blocked: [{ reason: "missing-activity" }] });
  const whole = await start({ activities: [ship] });
  await clock.settle();

  expect(await handle.status()).toMatchObject({ status: "Completed", output: 7 });
  for (const runtime of [without, half, whole]) await runtime.shutdown();
});
