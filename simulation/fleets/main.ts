/**
 * `npm run dev -- fleet-costs [--processes 1,2,4,8] [--partitions 1,3,10] [--rates 0,2,20] [--members] [--throttled]`: what fleets cost on Cosmos DB
 * with and without membership, in virtual time and by the charges of the local endpoint. One line of JSON each.
 */
import { CommandLine } from "../../scripts/command-line.ts";
import { Globals } from "../world/globals.ts";
import type { Fleet } from "./measure-fleet.ts";

const line = CommandLine.read({
  call: "npm run dev -- fleet-costs",
  help: ` [flags]

Cosmos DB: requests, request units and the latency of a start, for fleets of so many processes on so many physical
partitions, with membership and without, in virtual time. The load of the machine does not change the figures.

  --processes LIST   of the fleet (1,2,4,8)
  --partitions LIST  physical ones (1,3,10)
  --rates LIST       orchestrations started a second, each of three activities of 50 ms (0,2,20)
  --concurrency N    turns, and activities, that a process runs at a time (the defaults of a runtime)
  --members          only with membership
  --throttled        each fleet twice, with the same arrivals: as it is, and with physical partition 0 refusing every
                     request; the arrivals of both lie in the other partitions
  --churn N          every N seconds one process is killed and another one joins (0: never)
  --seconds N        that are measured (60)
  --seed N           of the arrivals (1)
`,
  flags: {
    processes: { type: "string", default: "1,2,4,8" },
    partitions: { type: "string", default: "1,3,10" },
    rates: { type: "string", default: "0,2,20" },
    concurrency: { type: "string" },
    members: { type: "boolean", default: false },
    throttled: { type: "boolean", default: false },
    churn: { type: "string", default: "0" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
});

function numbers(flag: "processes" | "partitions" | "rates"): readonly number[] {
  const values = line.values[flag].split(",").map(Number);
  const isWrong = values.some((value) => !Number.isInteger(value) || value < (flag === "rates" ? 0 : 1));
  return isWrong ? line.refuse(`--${flag} is a list of whole numbers, such as 1,2`) : values;
}

const [processes, partitions, rates] = [numbers("processes"), numbers("partitions"), numbers("rates")];
const [seconds, seed] = [line.number("seconds", 1), line.number("seed", 0)];

const concurrency = line.values.concurrency === undefined ? undefined : line.number("concurrency", 1);
const churn = line.number("churn", 0);

type Variant = Pick<Fleet, "membership" | "throttled">;

function variantsOf(count: number): readonly Variant[] {
  if (line.values.throttled) return [false, true].map((throttled) => ({ membership: true, throttled }));
  const memberships = count === 1 || line.values.members ? [true] : [true, false];
  return memberships.map((membership) => ({ membership, throttled: undefined }));
}

const globals = new Globals(() => {});
globals.install();
// What is loaded from here on sees the time of the simulation.
const { measureFleet } = await import("./measure-fleet.ts");

for (const rate of rates) {
  for (const physicalPartitions of partitions) {
    for (const each of processes) {
      for (const variant of variantsOf(each)) {
        const fleet = {
          processes: each,
          physicalPartitions,
          startsPerSecond: rate,
          ...variant,
          concurrency,
          churn,
          seconds,
          seed,
        };
        process.stdout.write(`${JSON.stringify(await measureFleet(globals, fleet))}\n`);
      }
    }
  }
}
process.exit();
