/** A short storm; `npm run dev -- storm --minutes 5` is a long one. */
import { expect, it } from "vitest";
import { describeReport, violationsOf } from "../../../../test/storm/report.ts";
import { runStorm } from "./storm.ts";

it("every orchestration ends right while processes die and 30 % of the requests fail", async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const result = await runStorm({ seed, durationMs: 8_000, processes: 2, lanes: 6, faultRate: 0.3 });
  process.stdout.write(`storm, seed ${seed}: ${describeReport(result)}\n`);
  expect(violationsOf(result)).toEqual([]);
});
