/** Turns that are larger than a batch, on containers with little throughput, in virtual time. */
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { letTimePass } from "../connection/fixture.ts";
import { LimitedEndpoint } from "../support/limited-endpoint.ts";

interface Spent {
  readonly result: number;
  readonly seconds: number;
  readonly charge: number;
  readonly requests: number;
  readonly refusals: number;
}

let ran = 0;
const length = activity("length", async (_ctx, text: string) => {
  ran++;
  return text.length;
});

const wide = orchestration("wide", async (ctx, [count, bytes]: readonly [number, number]) => {
  const calls = Array.from({ length: count }, () => ctx.scheduleActivity(length, "x".repeat(bytes)));
  return (await ctx.all(calls)).length;
});

async function fanOut(endpoint: LimitedEndpoint, count: number, bytes: number): Promise<Spent> {
  const { clock } = endpoint;
  ran = 0;
  const provider = await letTimePass(clock, endpoint.connect());
  const runtime = await Runtime.start({ provider, activities: [length], orchestrations: [wide], clock });
  const before = { ms: clock.now(), charge: endpoint.charge, requests: endpoint.requests };
  const handle = await letTimePass(
    clock,
    new Client(provider, { clock }).start(wide, { input: [count, bytes] }),
  );
  const result = await letTimePass(clock, handle.result({ timeout: 1_800_000 }));
  const spent = {
    result,
    seconds: (clock.now() - before.ms) / 1_000,
    charge: endpoint.charge - before.charge,
    requests: endpoint.requests - before.requests,
    refusals: endpoint.refusals,
  };
  await letTimePass(clock, runtime.shutdown());
  return spent;
}

const CASES = [
  { count: 30, bytes: 80_000, throughput: 2_000 },
  ...(IS_DEEP ? [{ count: 300, bytes: 20_000, throughput: 400 }] : []),
];

it.each(CASES)(
  "$count activities of $bytes bytes on $throughput RU/s end in the time that their units take, and a fifth",
  async ({ count, bytes, throughput }) => {
    await using endpoint = new LimitedEndpoint();
    endpoint.limit(throughput);
    const spent = await fanOut(endpoint, count, bytes);
    process.stdout.write(`${JSON.stringify(spent)}\n`);
    expect(spent.result).toBe(count);
    expect(ran).toBe(count);
    expect([...endpoint.puts.values()].filter((puts) => puts > 1)).toEqual([]);
    expect(spent.seconds).toBeLessThan((spent.charge / throughput) * 1.2);
    // Without an order of the requests each of the hundreds that wait would be refused again and again. A refusal costs
    // no units, but each logical partition finds out by itself when it may go on.
    expect(spent.refusals).toBeLessThan(0.9 * spent.requests);
  },
  300_000,
);
