import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests start threads and processes that run the sources as they are; older versions of Node 22 have to be asked for it. */
const STRIP_TYPES: readonly string[] = process.features.typescript ? [] : ["--experimental-strip-types"];
const NODE_OPTIONS = [process.env["NODE_OPTIONS"] ?? "", ...STRIP_TYPES].join(" ").trim();

// The command line prints local times. Threads take their zone from this process, not from their own variables.
process.env["TZ"] = "UTC";

/** A minute and more of waiting: these begin first, so that no run ends with one of them. */
const LONGEST = /\/(attempts\/processes|soak)/;

/** Paths of tests that take many seconds, most of them waiting for processes. */
const SLOW = /\/(storm|crash|attempts|browser|demo)\/|validation/;

/** Slow files are spread over the first half of a run: the processors are idle while all threads wait. */
class SlowBetweenQuick extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kinds = Object.groupBy(await super.sort(files), ({ moduleId }) => {
      if (LONGEST.test(moduleId)) return "longest";
      return SLOW.test(moduleId) ? "slow" : "quick";
    });
    const { longest = [], slow = [], quick = [] } = kinds;
    const gap = Math.ceil(quick.length / (2 * slow.length + 1));
    const between = slow.flatMap((file, index) => [...quick.slice(index * gap, (index + 1) * gap), file]);
    return [...longest, ...between, ...quick.slice(slow.length * gap)];
  }
}

export default defineConfig({
  resolve: { conditions: ["@duroxide-ts/source"] },
  ssr: { resolve: { conditions: ["@duroxide-ts/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "simulation/test/**/*.test.ts"],
    setupFiles: ["test/support/invariants.ts"],
    pool: "threads",
    // No module keeps state, so files share a thread and its loaded modules; that halves the time of a run.
    isolate: false,
    sequence: { sequencer: SlowBetweenQuick },
    // Many tests wait for real time or for another process, so two threads for each processor keep it busy. Three take
    // longer.
    maxWorkers: 2 * availableParallelism(),
    // On an account, most of a test is waiting for locks to expire.
    maxConcurrency: (process.env["COSMOSDB_ENDPOINT"] ?? "") === "" ? 5 : 8,
    // Warnings of a runtime without a logger stand beside a test that fails, and nowhere else.
    silent: "passed-only",
    // Only what hangs takes so long: a machine with ten times the load is no failure. A test needs no limit of its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 600_000 } },
    execArgv: [...STRIP_TYPES],
    env: { NODE_OPTIONS },
  },
});
