/**
 * What an orchestration costs: requests and request units from its start's create to the batch that writes Completed,
 * after a warm-up. The client's waiting and queries that found nothing to do are left out, as in the counts of the
 * Rust provider (docs/reference/cosmos-hazards.md).
 */
import { type AnyOrchestration, activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { round } from "../figures.ts";
import { withContainer } from "./with-container.ts";

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);

const child = orchestration("child", async (ctx, name: string) => ctx.scheduleActivity(greet, name));

const chain = orchestration("three executions", async (ctx, n: number): Promise<number> => {
  if (n < 3) return ctx.continueAsNew(chain, n + 1);
  return n;
});

const SCENARIOS: readonly {
  readonly definition: AnyOrchestration;
  readonly input: unknown;
  readonly rust: number;
}[] = [
  {
    definition: orchestration("hello", async (ctx, name: string) => ctx.scheduleActivity(greet, name)),
    input: "you",
    rust: 31,
  },
  {
    definition: orchestration("five in sequence", async (ctx, name: string) => {
      for (let n = 0; n < 5; n++) await ctx.scheduleActivity(greet, name);
    }),
    input: "you",
    rust: 103,
  },
  {
    definition: orchestration("fan-out of ten", async (ctx, name: string) => {
      await ctx.all(Array.from({ length: 10 }, () => ctx.scheduleActivity(greet, name)));
    }),
    input: "you",
    rust: 138,
  },
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
  { definition: chain, input: 1, rust: 37 },
];

export interface RequestsMeasurement {
  readonly system: "duroxide-ts/cosmos";
  readonly workload: string;
  readonly requests: number;
  readonly charge: number;
  readonly seconds: number;
  /** Requests by the operation that made them and their kind. */
  readonly by_operation: Readonly<Record<string, number>>;
  /** Requests of the Rust provider for the same. */
  readonly rust_requests: number;
}

export async function measureRequests(): Promise<readonly RequestsMeasurement[]> {
  const log: RequestInfo[] = [];
  return withContainer({ onRequest: (info) => log.push(info) }, async (provider) => {
    const orchestrations = [child, ...SCENARIOS.map(({ definition }) => definition)];
    await using _runtime = await Runtime.start({ provider, activities: [greet], orchestrations });
    const client = new Client(provider);
    const run = async (definition: AnyOrchestration, instanceId: string, input: unknown): Promise<void> => {
      const instance = await client.start(definition.name, { instanceId, input });
      await instance.result({ timeout: { minutes: 1 } });
    };
    const measurements: RequestsMeasurement[] = [];
    for (const { definition, input, rust } of SCENARIOS) {
      for (let n = 0; n < 5; n++) await run(definition, `${definition.name}-warm-${n}`, input);
      log.length = 0;
      const startedAt = performance.now();
      await run(definition, `${definition.name}-measured`, input);
      const seconds = (performance.now() - startedAt) / 1000;
      measurements.push({ ...summary(definition.name, log), seconds: round(seconds), rust_requests: rust });
    }
    return measurements;
  });
}

function summary(
  workload: string,
  log: readonly RequestInfo[],
): Omit<RequestsMeasurement, "seconds" | "rust_requests"> {
  const last = log.findLastIndex(
    ({ operation, kind }) => operation === "ackOrchestrationItem" && kind === "batch",
  );
  const counted = log.slice(0, last + 1).filter((info) => !isIdle(info));
  const byOperation: Record<string, number> = {};
  for (const { operation, kind } of counted) {
    const name = `${operation} ${kind}`;
    byOperation[name] = (byOperation[name] ?? 0) + 1;
  }
  return {
    system: "duroxide-ts/cosmos",
    workload,
    requests: counted.length,
    charge: round(counted.reduce((sum, { charge }) => sum + charge, 0)),
    by_operation: byOperation,
  };
}

function isIdle({ operation, kind, results }: RequestInfo): boolean {
  return (
    operation === "getInstanceStatus" || operation === "reconcile" || (kind === "candidates" && results === 0)
  );
}
