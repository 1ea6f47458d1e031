/** Checks that onRequest reports what reaches the service: a proxy between them counts the same requests. */
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { CosmosProvider, type RequestInfo } from "@duroxide-ts/cosmos";
import { expect, it } from "vitest";
import { FaultProxy } from "../../../test/support/fault-proxy/fault-proxy.ts";
import { startEndpoint } from "./connection/fixture.ts";

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);
const several = orchestration("several", async (ctx, name: string) => {
  await ctx.scheduleActivity(greet, name);
  await ctx.all(Array.from({ length: 5 }, () => ctx.scheduleActivity(greet, name)));
  await ctx.scheduleTimer(1);
});

it("onRequest tells of every request that a proxy sees, repeated ones too", async () => {
  await using emulator = await startEndpoint();
  await using proxy = await FaultProxy.start(emulator.endpoint);
  const log: RequestInfo[] = [];
  await using provider = await CosmosProvider.connect({
    connectionString: proxy.connectionString(emulator.key),
    container: "from-outside",
    onRequest: (info) => log.push(info),
  });
  const client = new Client(provider, { logger: silentLogger });
  // What a provider asks before it is open is not reported.
  const [before, told] = [proxy.counts.mark(), log.length];
  const runtime = await Runtime.start({
    provider,
    orchestrations: [several],
    activities: [greet],
    logger: silentLogger,
  });
  const started = await Promise.all(Array.from({ length: 5 }, () => client.start(several, { input: "you" })));
  proxy.add({ times: 3, effect: { kind: "answer", status: 429, headers: { "x-ms-retry-after-ms": "1" } } });
  await Promise.all(started.map((handle) => handle.result()));
  await runtime.shutdown();
  await provider.close();

  // A request that nobody waits for any more may end later.
  await expect.poll(() => log.length - told).toBe(proxy.counts.since(before).requests);
  expect(log.filter(({ status }) => status === 429)).toHaveLength(3);
});
