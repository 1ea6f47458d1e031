/** The stress scenarios with a bounded number of orchestrations, in virtual time: what they must find and what not. */
import type { Provider } from "@duroxide-ts/core";
import {
  compareResults,
  type ProviderFactory,
  runCase,
  type StressOptions,
  type StressResult,
  stressFromFlags,
  stressLargePayload,
  stressParallelOrchestrations,
} from "@duroxide-ts/provider-tests";
import { describe, expect, test } from "vitest";
import { broken, type Mistake } from "./support/broken.ts";
import { memory } from "./support/memory.ts";
import { sqlite } from "./support/sqlite.ts";

type Stress = (provider: Provider, options: StressOptions) => Promise<StressResult>;

const HOURS_MS = 10 * 3_600_000;

async function run(stress: Stress, factory: ProviderFactory, options: StressOptions): Promise<StressResult> {
  const results: StressResult[] = [];
  const under = {
    group: "stress",
    name: "under load",
    needs: [],
    async run({ provider, time, check }: Parameters<Parameters<typeof runCase>[0]["run"]>[0]) {
      const { value } = await time.measure(
        () => stress(provider, { ...options, clock: time.clock }),
        HOURS_MS,
      );
      results.push(value);
      check.isTrue(true, "it came to an end");
    },
  };
  await runCase(under, factory);
  const [result] = results;
  if (result === undefined) throw new Error("no result");
  return result;
}

const twentyOrchestrations = { orchestrations: 20, maxConcurrent: 5 };

describe.each([memory, sqlite])("$name, a right store,", (factory) => {
  test("completes parallel orchestrations, and every invariant holds", async () => {
    const result = await run(stressParallelOrchestrations, factory, { orchestrations: 8, maxConcurrent: 4 });

    expect(result).toMatchObject({ launched: 8, completed: 8, failed: 0, successRate: 1, violations: [] });
    expect(result.activitiesPerSecond / result.orchestrationsPerSecond).toBeCloseTo(5);
    expect(result.repeatedActivities).toBe(0);
  });

  test("completes orchestrations with large payloads, and every invariant holds", async () => {
    const result = await run(stressLargePayload, factory, { orchestrations: 2, maxConcurrent: 2 });

    expect(result).toMatchObject({ launched: 2, completed: 2, successRate: 1, violations: [] });
    expect(result.activitiesPerSecond / result.orchestrationsPerSecond).toBeCloseTo(20 + 5 * 2 + 10);
  });
});

/** Each spoils one outcome of an activity in fifty. */
function everyFiftieth(
  spoil: (right: Provider, ...ack: Parameters<Provider["ackWorkItem"]>) => Promise<void>,
): Mistake {
  let acks = 0;
  return (right) => ({
    ackWorkItem: (lockToken, outcome) =>
      ++acks % 50 === 0 ? spoil(right, lockToken, outcome) : right.ackWorkItem(lockToken, outcome),
  });
}

describe("a store that", () => {
  test("drops one completion in fifty is reported", async () => {
    const drops = everyFiftieth((right, lockToken) => right.ackWorkItem(lockToken));

    const result = await run(stressParallelOrchestrations, broken(memory, drops), twentyOrchestrations);

    expect(result).toMatchObject({ launched: 20, completed: 18, failures: { timedOut: 2 } });
    expect(result.violations.filter((each) => each.startsWith("lost: ActivityCompleted"))).toHaveLength(2);
    expect(result.violations.join("\n")).toMatch(/ended 0 times.*ActivityScheduled, has 0 answers/s);
  });

  test("doubles one completion in fifty is reported, although every orchestration completes", async () => {
    const doubles = everyFiftieth(async (right, lockToken, outcome) => {
      await right.ackWorkItem(lockToken, outcome);
      if (outcome !== undefined) await right.enqueueForOrchestrator(outcome);
    });

    const result = await run(stressParallelOrchestrations, broken(memory, doubles), twentyOrchestrations);

    expect(result).toMatchObject({ completed: 20, failed: 0 });
    expect(result.violations).toHaveLength(2);
    expect(result.violations[0]).toMatch(
      /^doubled: ActivityCompleted .* was delivered 2 times, sent 1 times$/,
    );
  });

  test("returns the result of another activity is reported", async () => {
    const confuses = everyFiftieth((right, lockToken, outcome) =>
      right.ackWorkItem(
        lockToken,
        outcome?.kind === "ActivityCompleted" ? { ...outcome, result: '"another"' } : outcome,
      ),
    );

    const result = await run(stressParallelOrchestrations, broken(memory, confuses), twentyOrchestrations);

    expect(result).toMatchObject({ completed: 18, failures: { wrongOutput: 2 } });
  });

  test("never gives an instance free again is reported", async () => {
    const ended = new Set<string>();
    const keeps: Mistake = (right) => ({
      async fetchOrchestrationItem(options) {
        const fetched = await right.fetchOrchestrationItem(options);
        if (fetched === undefined || !ended.has(fetched.item.instanceId)) return fetched;
        return right.fetchOrchestrationItem(options);
      },
      ackOrchestrationItem(ack) {
        const [event] = ack.historyDelta;
        if (ack.metadata.status !== undefined && event?.instance_id.endsWith("-3"))
          ended.add(event.instance_id);
        return right.ackOrchestrationItem(ack);
      },
    });

    const { violations } = await run(
      stressParallelOrchestrations,
      broken(memory, keeps),
      twentyOrchestrations,
    );

    expect(violations).toEqual([expect.stringMatching(/^stress-test-\w+-3 is still locked$/)]);
  });
});

describe("the report", () => {
  test("compares runs in a table", async () => {
    const first = await run(stressParallelOrchestrations, memory, { orchestrations: 2 });
    const second = { ...first, provider: "another", violations: ["lost: something"] };

    const [headings = "", ...rows] = compareResults([first, second]).split("\n");

    expect(headings).toMatch(/^provider +scenario +configuration +completed +success +infra failures/);
    expect(rows).toEqual([
      expect.stringMatching(/^memory +parallel orchestrations +5 tasks of 10 ms.* 2 +100\.0 % +0 .* none$/),
      expect.stringMatching(/^another +parallel orchestrations .* 1$/),
    ]);
  });
});

describe("the command line", () => {
  const inRealTime: ProviderFactory = {
    ...memory,
    capabilities: { ...memory.capabilities, clock: "system" },
  };
  const small = ["--orchestrations", "3", "--activity-delay-ms", "0"];

  test("runs a scenario, prints its report and says that all is well", async () => {
    const printed: string[] = [];

    const code = await stressFromFlags(
      inRealTime,
      ["--scenario", "parallel", "--tasks", "2", ...small],
      (text) => printed.push(text),
    );

    expect(printed.join("\n")).toMatch(
      /^memory, parallel orchestrations: 2 tasks of 0 ms.*3 of 3 completed/s,
    );
    expect(code).toBe(0);
  });

  test("says by its exit code that something is wrong", async () => {
    const confuses: Mistake = (right) => ({
      ackWorkItem: (lockToken, outcome) =>
        right.ackWorkItem(
          lockToken,
          outcome?.kind === "ActivityCompleted" ? { ...outcome, result: "0" } : outcome,
        ),
    });

    const code = await stressFromFlags(
      broken(inRealTime, confuses),
      ["--scenario", "parallel", ...small],
      () => {},
    );

    expect(code).toBe(1);
  });

  test.each([
    [["--scenario", "sideways"], /--scenario is "sideways"/],
    [["--tasks", "many"], /--tasks is "many"; it must be a whole number/],
    [["--tasks", "0", "--scenario", "parallel"], /tasks is 0; it must be a whole number of 1 or more/],
    [["--speed", "9"], /Unknown option '--speed'/],
  ])("refuses %j", async (argv, message) => {
    await expect(stressFromFlags(inRealTime, argv, () => {})).rejects.toThrow(message);
  });
});
