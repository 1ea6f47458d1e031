/** The retention of a runtime: what it deletes, when, and how much at a time. */
import {
  activity,
  type Client,
  ConfigurationError,
  orchestration,
  Runtime,
  systemClock,
} from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { RecordingLogger } from "../support/recording-logger.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const MINUTE_MS = 60_000;
const instant = orchestration("instant", async () => 1);
const fails = orchestration("fails", async () => {
  throw new Error("no");
});
const waits = orchestration("waits", async (ctx) => ctx.waitForEvent("go"));
const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(instant));

async function idsOf(client: Client): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const id of client.admin.instances()) ids.push(id);
  return ids.sort();
}

describe("the retention of a runtime", () => {
  engineScenario(
    "deletes what has ended for long enough, with its children, and nothing else",
    async (start) => {
      const env = await start({
        orchestrations: [instant, fails, waits, parent],
        options: {
          retention: { completed: { minutes: 7 }, failed: { minutes: 15 }, interval: { minutes: 1 } },
        },
      });
      const { client } = env;
      await env.finish(await client.start(parent, { instanceId: "old" }));
      await env.failure(await client.start(fails, { instanceId: "failed" }));
      await client.start(waits, { instanceId: "waits" });
      await env.settle();
      await env.advance(5 * MINUTE_MS);
      await env.finish(await client.start(instant, { instanceId: "young" }));
      await env.advance(4 * MINUTE_MS);

      expect(await idsOf(client)).toEqual(["failed", "waits", "young"]);
      await env.advance(10 * MINUTE_MS);
      expect(await idsOf(client)).toEqual(["waits"]);
      const entries = env.log.entries.filter(({ fields }) => fields["event"] === "retention_deleted");
      expect(entries.reduce((sum, { fields }) => sum + Number(fields["instances"]), 0)).toBe(4);
    },
  );

  engineScenario("keeps so many executions of an instance that goes on", async (start) => {
    const tick = activity("tick", async () => {});
    const endless = orchestration("endless", async (ctx, n: number): Promise<unknown> => {
      await ctx.scheduleActivity(tick);
      return n === 6 ? ctx.waitForEvent("go") : ctx.continueAsNew("endless", n + 1);
    });
    const env = await start({
      orchestrations: [endless],
      activities: [tick],
      options: { retention: { keepExecutions: 2, interval: { minutes: 1 } } },
    });
    await env.begin(endless, { instanceId: "i", input: 1 });
    expect(await env.client.admin.executions("i")).toEqual([1, 2, 3, 4, 5, 6]);
    await env.advance(3 * MINUTE_MS);
    expect(await env.client.admin.executions("i")).toEqual([5, 6]);
  });

  engineScenario("of several runtimes at once does no harm", async (start) => {
    const retention = { completed: { minutes: 1 }, interval: { minutes: 1 } };
    const env = await start({ orchestrations: [instant], options: { retention } });
    await env.startAnother({ orchestrations: [instant], retention });
    for (let n = 0; n < 20; n++) await env.run(instant, { instanceId: `i-${n}` });
    await env.advance(4 * MINUTE_MS);
    expect(await idsOf(env.client)).toEqual([]);
    expect(env.log.messages("warn")).toEqual([]);
  });

  scenario("works on every store", async (start) => {
    const env = await start({ orchestrations: [instant] });
    await env.run(instant);
    const { provider, clock } = env;
    const retention = { completed: 0, interval: { seconds: 1 } };
    const soon = { next: () => 0, uuid: () => crypto.randomUUID() };
    const log = new RecordingLogger();
    await using _deletes = await Runtime.start({
      provider,
      orchestrations: [waits],
      retention,
      clock: {
        now: () => clock.now() + 10_000,
        schedule: (ms, callback) => systemClock.schedule(ms, callback),
      },
      random: soon,
      logger: log,
    });
    await expect.poll(() => idsOf(env.client)).toEqual([]);
    expect(log.messages("warn")).toEqual([]);
  });

  it("is refused if it cannot be", async () => {
    const start = (retention: object): Promise<Runtime> =>
      Runtime.start({ provider: new MemoryProvider(), orchestrations: [instant], retention });
    await expect(start({ complete: { days: 7 } })).rejects.toThrow(/did you mean "completed"/);
    await expect(start({ completed: -1 })).rejects.toThrow(ConfigurationError);
    await expect(start({ keepExecutions: 0 })).rejects.toThrow(/keepExecutions must be a whole number of 1/);
    await expect(start({ interval: 5 })).rejects.toThrow(/a second or more/);
  });
});
