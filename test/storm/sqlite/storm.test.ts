/** A short storm; `npm run dev -- storm --provider sqlite --minutes 5` is a long one. */
import { expect, it } from "vitest";
import { describeReport, violationsOf } from "../report.ts";
import { runStorm } from "./storm.ts";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

it.skipIf(!CAN_RUN_SOURCES)(
  "every orchestration ends right while processes on one file die and stand still",
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const options = { seed, durationMs: 5_000, processes: 4, lanes: 8, leaseMs: 4_000 };
    const result = await runStorm({ ...options, calmMs: [400, 1_200] });
    process.stdout.write(`storm on SQLite, seed ${seed}: ${describeReport(result)}\n`);
    expect(violationsOf(result)).toEqual([]);
  },
);
