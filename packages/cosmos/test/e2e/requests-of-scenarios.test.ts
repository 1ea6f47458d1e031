/**
 * How many requests an orchestration makes: those of docs/cosmos/operating.md#what-it-costs, exactly. Time is virtual and
 * stands still while a request is on its way, so the load of the machine changes nothing. What is counted is seen
 * between the provider and the endpoint, until nothing is left to do: also what comes after the end of the instance.
 */
import {
  type AnyOrchestration,
  activity,
  event,
  type InstanceHandle,
  orchestration,
} from "@duroxide-ts/core";
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../../../../test/support/environment.ts";
import { cosmosOn } from "../../../../test/support/stores/cosmos.ts";
import { connectionStringOf, openInProcess, requestsTo } from "../../../../test/support/stores/in-process.ts";

/** Operations of a client that reads a status, and of processes whether or not there is work. */
const WITHOUT_WORK: readonly string[] = ["getInstanceStatus", "listBlocked", "renewMembership", "reconcile"];

const CONCURRENCY = { orchestrationConcurrency: 8, workerConcurrency: 100 };

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);
const go = event<number>("go");

const child = orchestration("child", async (ctx) => ctx.scheduleActivity(greet, "you"));
const chain = orchestration("three executions", async (ctx, n: number): Promise<number> => {
  if (n < 3) return ctx.continueAsNew(chain, n + 1);
  return n;
});

interface Scenario {
  readonly definition: AnyOrchestration;
  readonly requests: number;
  /** The caller chooses the id, which may be taken. */
  readonly instanceIds?: readonly string[];
  readonly input?: unknown;
  readonly meanwhile?: (instance: InstanceHandle<unknown>) => Promise<void>;
}

const SCENARIOS: readonly Scenario[] = [
  { definition: inSequence("hello", 1), requests: 2 },
  {
    definition: inSequence("hello with an id of its own", 1),
    instanceIds: ["first", "second", "third"],
    requests: 3,
  },
  { definition: inSequence("five activities in sequence", 5), requests: 6 },
  // The partition is read after sixteen turns that follow each other at once.
  { definition: inSequence("twenty activities in sequence", 20), requests: 22 },
  { definition: atOnce("ten activities at once", 10), requests: 2 },
  { definition: atOnce("fifty activities at once", 50), requests: 7 },
  {
    definition: orchestration("a timer", async (ctx) => {
      await ctx.scheduleTimer(50);
    }),
    requests: 2,
  },
  {
    definition: orchestration("an event", async (ctx) => ctx.waitForEvent(go)),
    requests: 4,
    meanwhile: (instance) => instance.raise(go, 1),
  },
  { definition: chain, requests: 3, input: 1 },
  { definition: inSequence("one activity of a session", 1, true), requests: 3 },
  { definition: inSequence("five activities of a session", 5, true), requests: 11 },
  {
    definition: orchestration("a child with one activity", async (ctx) =>
      ctx.scheduleSubOrchestration(child),
    ),
    requests: 7,
  },
];

function inSequence(name: string, activities: number, hasSession = false): AnyOrchestration {
  return orchestration(name, async (ctx) => {
    const options = hasSession ? { session: ctx.instanceId } : {};
    for (let n = 0; n < activities; n++) await ctx.scheduleActivity(greet, "you", options);
  });
}

function atOnce(name: string, activities: number): AnyOrchestration {
  return orchestration(name, async (ctx) => {
    await ctx.all(Array.from({ length: activities }, () => ctx.scheduleActivity(greet, "you")));
  });
}

async function run(
  env: Environment,
  { definition, input, meanwhile }: Scenario,
  instanceId: string | undefined,
): Promise<void> {
  const id = instanceId === undefined ? {} : { instanceId };
  const handle = await env.until(env.client.start(definition.name, { ...id, input: input ?? null }));
  await env.settle();
  await meanwhile?.(handle);
  await env.settle();
  // A timer of the orchestration, and what the provider puts off.
  await env.advance(5_000);
  expect(await env.provider.getInstanceStatus(handle.instanceId)).toMatchObject({ status: "Completed" });
}

/** An empty scan is of a process that has nothing to do. */
function ofWork(log: readonly RequestInfo[]): readonly string[] {
  return log
    .filter(({ operation, kind, results }) => {
      return !WITHOUT_WORK.includes(operation) && !(kind === "scan" && results === 0);
    })
    .map(({ operation, kind }) => `${operation} ${kind}`);
}

describe("requests of an orchestration whose process has run it before", () => {
  it.each(SCENARIOS.map((scenario) => [scenario.definition.name, scenario] as const))(
    "%s",
    async (_name, scenario) => {
      await using endpoint = openInProcess();
      const log: RequestInfo[] = [];
      const connectionString = connectionStringOf(endpoint);
      const options = { onRequest: (info: RequestInfo) => log.push(info) };
      const store = cosmosOn({ connectionString }, options, undefined, requestsTo(endpoint));
      const orchestrations = [scenario.definition, child];
      await using env = await startEnvironment({
        store,
        orchestrations,
        activities: [greet],
        options: CONCURRENCY,
      });
      const [first, second, third] = scenario.instanceIds ?? [];
      for (const id of [first, second]) await run(env, scenario, id);
      // The first renewal of sessions asks once which sessions the store has.
      await env.advance(6_000);
      log.length = 0;
      await run(env, scenario, third);
      const requests = ofWork(log);
      expect(requests, requests.join("\n")).toHaveLength(scenario.requests);
    },
  );
});
