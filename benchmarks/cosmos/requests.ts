/**
 * Measures what an orchestration costs: requests and request units from its start's create to the batch that writes
 * Completed, after a warm-up. The client's waiting and queries that found nothing to do are left out, as in the counts
 * of the Rust provider (docs/reference/upstream/cosmos-hazards.md).
 */
import {
  type AnyOrchestration,
  activity,
  Client,
  event,
  type InstanceHandle,
  orchestration,
  Runtime,
  sleep,
  systemClock,
  systemRandom,
} from "@duroxide-ts/core";
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { meanOf, type Tally, tallyOf } from "./tally.ts";
import { withContainer } from "./with-container.ts";

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);

const child = orchestration("child", async (ctx, name: string) => ctx.scheduleActivity(greet, name));

const chain = orchestration("three executions", async (ctx, n: number): Promise<number> => {
  if (n < 3) return ctx.continueAsNew(chain, n + 1);
  return n;
});

const go = event<number>("go");

interface Scenario {
  readonly definition: AnyOrchestration;
  readonly input: unknown;
  /** The caller chooses the id, which may be taken. */
  readonly hasOwnId?: true;
  /** Requests of the Rust provider, if they were counted. */
  readonly rust?: number;
  /** Calls of the client between the start and the end. */
  readonly meanwhile?: (instance: InstanceHandle<unknown>) => Promise<void>;
}

const SCENARIOS: readonly Scenario[] = [
  {
    definition: orchestration("hello", async (ctx, name: string) => ctx.scheduleActivity(greet, name)),
    input: "you",
    rust: 31,
  },
  {
    definition: orchestration("hello with an id of its own", async (ctx, name: string) =>
      ctx.scheduleActivity(greet, name),
    ),
    input: "you",
    hasOwnId: true,
  },
  {
    definition: orchestration("five in sequence", async (ctx, name: string) => {
      for (let n = 0; n < 5; n++) await ctx.scheduleActivity(greet, name);
    }),
    input: "you",
    rust: 103,
  },
  { definition: inPlace("one step in place", 1), input: "you" },
  { definition: inPlace("five steps in place", 5), input: "you" },
  { definition: fanOut("fan-out of ten", 10), input: "you", rust: 138 },
  { definition: fanOut("fan-out of fifty", 50), input: "you" },
  {
    definition: orchestration("child with one activity", async (ctx, name: string) =>
      ctx.scheduleSubOrchestration(child, name),
    ),
    input: "you",
    rust: 59,
  },
  {
    definition: orchestration("one timer", async (ctx) => {
      await ctx.scheduleTimer(50);
    }),
    input: null,
    rust: 25,
  },
  {
    definition: orchestration("one event", async (ctx) => ctx.waitForEvent(go)),
    input: null,
    rust: 26,
    async meanwhile(instance) {
      await untilRunning(instance);
      await instance.raise(go, 1);
    },
  },
  { definition: chain, input: 1, rust: 37 },
  { definition: inSession("one activity of a session", 1), input: "you", rust: 36 },
  { definition: inSession("five activities of a session", 5), input: "you", rust: 128 },
];

function fanOut(name: string, activities: number): AnyOrchestration {
  return orchestration(name, async (ctx, input: string) => {
    await ctx.all(Array.from({ length: activities }, () => ctx.scheduleActivity(greet, input)));
  });
}

/** One after the other, each with its code where it is called. */
function inPlace(name: string, steps: number): AnyOrchestration {
  return orchestration(name, async (ctx, input: string) => {
    for (let n = 0; n < steps; n++) await ctx.run("greet", () => `Hello, ${input}`);
  });
}

/** One after the other, in a session that no other instance has. Each costs Rust 5 more than one without a session. */
function inSession(name: string, activities: number): AnyOrchestration {
  return orchestration(name, async (ctx, input: string) => {
    for (let n = 0; n < activities; n++)
      await ctx.scheduleActivity(greet, input, { session: ctx.instanceId });
  });
}

/** Its first turn is committed. */
async function untilRunning(instance: InstanceHandle<unknown>): Promise<void> {
  while ((await instance.status()).status !== "Running") await sleep(systemClock, 1);
}

/** Orchestrations of each kind, one by one; what is reported is their mean. */
const RUNS = 10;
const WARM_UP_RUNS = 5;

export interface RequestsMeasurement extends Tally {
  readonly system: "duroxide-ts/cosmos";
  readonly workload: string;
  /** Number of processes that share the container; one of them has the client. */
  readonly processes: number;
  /** Requests of the Rust provider for the same, with one process. */
  readonly rust_requests?: number;
}

export async function measureRequests(): Promise<readonly RequestsMeasurement[]> {
  return [...(await measureWith(1)), ...(await measureWith(2))];
}

async function measureWith(processes: number): Promise<readonly RequestsMeasurement[]> {
  const log: RequestInfo[] = [];
  return withContainer({ onRequest: (info) => log.push(info) }, async (provider, openAnother) => {
    const orchestrations = [child, ...SCENARIOS.map(({ definition }) => definition)];
    await using runtimes = new AsyncDisposableStack();
    runtimes.use(await Runtime.start({ provider, activities: [greet], orchestrations }));
    for (let n = 1; n < processes; n++) {
      const another = await openAnother();
      runtimes.use(await Runtime.start({ provider: another, activities: [greet], orchestrations }));
    }
    const client = new Client(provider);
    const run = async ({ definition, input, hasOwnId, meanwhile }: Scenario): Promise<Tally> => {
      log.length = 0;
      const id = hasOwnId && { instanceId: systemRandom.uuid() };
      const instance = await client.start(definition.name, { ...id, input });
      await meanwhile?.(instance);
      await instance.result({ timeout: { minutes: 1 } });
      return countedIn(log);
    };
    const measurements: RequestsMeasurement[] = [];
    for (const scenario of SCENARIOS) {
      const { definition, rust } = scenario;
      for (let n = 0; n < WARM_UP_RUNS; n++) await run(scenario);
      const counted: Tally[] = [];
      for (let n = 0; n < RUNS; n++) counted.push(await run(scenario));
      measurements.push({
        system: "duroxide-ts/cosmos",
        workload: definition.name,
        processes,
        ...meanOf(counted, RUNS),
        ...(rust !== undefined && { rust_requests: rust }),
      });
    }
    return measurements;
  });
}

/** A turn that an activity's outcome causes is committed with that outcome. */
const COMMITS: readonly string[] = ["ackOrchestrationItem", "ackFusedTurn"];

/** Up to the batch that writes the end. */
function countedIn(log: readonly RequestInfo[]): Tally {
  const last = log.findLastIndex(({ operation, kind }) => COMMITS.includes(operation) && kind === "batch");
  return tallyOf(log.slice(0, last + 1));
}
