/** A short soak; `npm run dev -- storm --soak --minutes 5` is a long one. */

import { describe, expect, it } from "vitest";
import { describeReport, violationsOf } from "../storm/report.ts";
import { SEED, sample } from "../support/effort.ts";
import { runSoak } from "./soak.ts";
import { STORE_NAMES } from "./stores/soak-store.ts";

/** Time that a slow machine may need for one more instance, and for all of them, ms. */
const SETTLE_MS = 120_000;

describe.each(sample(STORE_NAMES))("on %s", (store) => {
  it("innocent instances keep their results beside hostile handlers, in processes that are killed and frozen", async () => {
    const seed = SEED;
    const lines: string[] = [];
    const result = await runSoak({
      store,
      seed,
      durationMs: 10_000,
      processes: 3,
      instances: 20,
      hostile: 6,
      lockMs: 8_000,
      settleMs: SETTLE_MS,
      print: (line) => lines.push(line),
    });
    const report = [`soak, seed ${seed}`, ...lines, describeReport(result)].join("\n");
    if (violationsOf(result).length > 0) expect.fail(report);
  });
});
