import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests start threads and processes that run the sources as they are; older versions of Node 22 have to be asked for it. */
const STRIP_TYPES: readonly string[] = process.features.typescript ? [] : ["--experimental-strip-types"];
const NODE_OPTIONS = [process.env["NODE_OPTIONS"] ?? "", ...STRIP_TYPES].join(" ").trim();

// The command line prints local times. Threads take their zone from this process, not from their own variables.
process.env["TZ"] = "UTC";

/** Where tests take half a minute or wait for processes. */
const SLOW = /\/(soak|storm|crash|attempts|browser)\/|validation/;

/** The slow files begin first, so that no single one is left at the end of a run. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  resolve: { conditions: ["@duroxide-ts/source"] },
  ssr: { resolve: { conditions: ["@duroxide-ts/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "simulation/test/**/*.test.ts"],
    pool: "threads",
    // No module keeps state, so files share a thread and its loaded modules; that halves the time of a run.
    isolate: false,
    sequence: { sequencer: SlowFirst },
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
