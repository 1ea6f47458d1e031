import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@duroxide-ts/source"] },
  ssr: { resolve: { conditions: ["@duroxide-ts/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    pool: "threads",
  },
});
