/** Random calls in lock step with the in-memory provider: right stores agree with it, and mistakes are found and shown. */
import type { ProviderFactory } from "@duroxide-ts/provider-tests";
import { checkAgainstModel, runCase, scriptScope } from "@duroxide-ts/provider-tests";
import { describe, expect, test } from "vitest";
import { runs, SEED, sample } from "../../../test/support/effort.ts";
import { broken, type Mistake } from "./support/broken.ts";
import { memory } from "./support/memory.ts";
import { sqlite } from "./support/sqlite.ts";

/** Other seeds and more runs find more: `npm run dev -- test:deep packages/provider-tests/test/model --seed 7 --effort 25`. */
const effort = { seed: SEED, runs: runs(200) };

describe("a store that keeps the contract", () => {
  test.each([memory, sqlite])("passes: $name", async (factory) => {
    await checkAgainstModel(factory, effort);
  });

  test("passes in real time, where no lock ends", async () => {
    await checkAgainstModel(inRealTime(memory), { ...effort, runs: runs(20) });
  });
});

function inRealTime(factory: ProviderFactory): ProviderFactory {
  return { ...factory, capabilities: { ...factory.capabilities, clock: "system" } };
}

/** Short scripts are enough to find a mistake, and are soon shortened further. */
const littleEffort = { seed: 1, runs: 200, maxCommands: 25 };

const showsLiveValues: Mistake = (right) => ({
  async fetchOrchestrationItem(options) {
    const fetched = await right.fetchOrchestrationItem(options);
    if (fetched === undefined || fetched.item.historyOmitted === true) return fetched;
    const live = await right.getKvValues(fetched.item.instanceId);
    const kvSnapshot = new Map([...live].map(([key, value]) => [key, { value, lastUpdatedAtMs: 0 }]));
    return { ...fetched, item: { ...fetched.item, kvSnapshot } };
  },
});

/** Each breaks one promise, and only sometimes. */
const mistakes: Readonly<Record<string, Mistake>> = {
  "forgets to cancel activities": (right) => ({
    ackOrchestrationItem: (ack) => right.ackOrchestrationItem({ ...ack, cancelledActivities: [] }),
  }),
  "shows a turn the values that its own execution has set": showsLiveValues,
  "holds the lock of an activity for longer than it was asked": (right) => ({
    fetchWorkItem: (options) => right.fetchWorkItem({ ...options, lockTimeoutMs: options.lockTimeoutMs + 1 }),
  }),
};

describe("a store that", () => {
  test.each(sample(Object.entries(mistakes)))(
    "%s is found out by a short script that shows it",
    async (_name, mistake) => {
      const factory = broken(memory, mistake);
      const message = await checkAgainstModel(factory, littleEffort).then(
        () => "nothing was found",
        (error: Error) => error.message,
      );

      const script = scriptIn(message);
      expect(script.length, message).toBeLessThan(12);
      expect(message).toContain(`seed ${littleEffort.seed}`);
      expect(await lastAnswer(script, factory)).toBe(await lastAnswer(script, factory));
      expect(await lastAnswer(script, factory)).not.toBe(await lastAnswer(script, memory));
    },
  );

  test("has a mistake is shown again by seed and path", async () => {
    const factory = broken(memory, showsLiveValues);
    const first = await failureOf(() => checkAgainstModel(factory, littleEffort));
    const [, path = ""] = /path: "([\d:]+)"/.exec(first) ?? [];

    const second = await failureOf(() => checkAgainstModel(factory, { ...littleEffort, path }));

    expect(scriptIn(second)).toEqual(scriptIn(first));
  });
});

async function failureOf(check: () => Promise<void>): Promise<string> {
  return check().then(
    () => "it passed",
    (error: Error) => error.message,
  );
}

/** The indented lines of a failure, without their comments. */
function scriptIn(message: string): readonly string[] {
  const lines = message.split("\n").filter((line) => line.startsWith("  "));
  return lines.map((line) => line.trim().replace(/ \/\/ .*$/, ""));
}

/** Runs the script on a fresh store as the source text that it is. */
async function lastAnswer(script: readonly string[], factory: ProviderFactory): Promise<string> {
  let answer: unknown;
  await runCase(
    {
      group: "model",
      name: "a printed script",
      needs: [],
      async run(context) {
        const scope = await scriptScope(context);
        const body = [...script.slice(0, -1), `return ${script.at(-1)}`].join("\n");
        const run = new AsyncFunction(...Object.keys(scope), body);
        answer = await run(...Object.values(scope)).catch((error: Error) => error.message);
        context.check.isTrue(true, "the script was run");
      },
    },
    factory,
  );
  return withoutTokens(answer);
}

/** Tokens are random. */
function withoutTokens(answer: unknown): string {
  const replace = (key: string, value: unknown): unknown => {
    if (key === "lockToken" || key === "historyTag") return "random";
    return value instanceof Map ? [...value] : value;
  };
  return JSON.stringify(answer, replace) ?? "nothing";
}

const AsyncFunction = (async () => {}).constructor as new (
  ...source: readonly string[]
) => (...args: readonly unknown[]) => Promise<unknown>;
