import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@duroxide-ts/source"] },
  ssr: { resolve: { conditions: ["@duroxide-ts/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    pool: "threads",
    // No module keeps state, so files share a thread and its loaded modules; that halves the time of a run.
    isolate: false,
    maxWorkers: "100%",
  },
});
