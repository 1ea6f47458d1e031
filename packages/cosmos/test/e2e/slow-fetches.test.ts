/** Turns whose lock is nearly over when it has been written, in virtual time. */
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { letTimePass } from "../connection/fixture.ts";
import { LimitedEndpoint } from "../support/limited-endpoint.ts";

const LOCK_MS = 1_000;
/** The time of a write, as where it waits for request units. */
const WRITE_MS = 900;

const keep = activity("keep", async (_ctx, text: string) => text.length);

const large = orchestration("large", async (ctx) => {
  await ctx.scheduleActivity(keep, "x".repeat(1_000));
  return ctx.dequeue<string>("end");
});

it("the lock is extended, and the turn does not begin anew without end", async () => {
  await using endpoint = new LimitedEndpoint();
  const { clock } = endpoint;
  const serve = async (orchestratorLockTimeoutMs: number) => {
    const provider = await letTimePass(clock, endpoint.connect());
    const options = { provider, clock, activities: [keep], orchestrations: [large] };
    return { provider, runtime: await Runtime.start({ ...options, orchestratorLockTimeoutMs }) };
  };
  const first = await serve(60_000);
  const client = new Client(first.provider, { clock });
  const handle = await letTimePass(clock, client.start(large, { instanceId: "a" }));
  for (let events = 0; events < 4; ) events = (await letTimePass(clock, client.admin.history("a"))).length;
  await letTimePass(clock, first.runtime.shutdown());

  await letTimePass(clock, handle.enqueue("end", "over"));
  let locks = 0;
  endpoint.onBatch = (operations) => {
    if (operations.some(({ resourceBody }) => resourceBody?.type === "instance" && resourceBody.lockToken))
      locks++;
    return new Promise((resolve) => void clock.schedule(WRITE_MS, resolve));
  };
  const second = await serve(LOCK_MS);
  expect(await letTimePass(clock, handle.result({ timeout: 20_000 }))).toBe("over");
  await letTimePass(clock, second.runtime.shutdown());
  expect(locks).toBeLessThanOrEqual(5);
});
