/** The costs and the latency of a fleet in virtual time: figures that the load of the machine does not change. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { IS_DEEP } from "../../test/support/effort.ts";
import type { FleetCost } from "../fleets/measure-fleet.ts";

const MAIN = path.resolve(import.meta.dirname, "../fleets/main.ts");
const FROM_SOURCE = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

/** Measures in a process of its own, because a simulation replaces the time of the whole process. */
async function fleetCosts(...flags: readonly string[]): Promise<readonly FleetCost[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [...FROM_SOURCE, MAIN, ...flags]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as FleetCost);
}

function costOf(costs: readonly FleetCost[], wanted: Partial<FleetCost>): FleetCost {
  const found = costs.find((cost) =>
    Object.entries(wanted).every(([name, value]) => cost[name as keyof FleetCost] === value),
  );
  if (found === undefined) throw new Error(`no fleet with ${JSON.stringify(wanted)}`);
  return found;
}

it("orchestrations take at most half as long again while another of four partitions refuses everything", async () => {
  const flags = ["--throttled", "--processes", "1", "--partitions", "4", "--rates", "6", "--seconds", "10"];
  const costs = await fleetCosts(...flags);
  const [plain, throttled] = [false, true].map((each) => costOf(costs, { throttled: each }).elsewhereMs);
  if (plain === undefined || throttled === undefined) throw new Error("nothing was measured");
  // The same arrivals, of which the last ones may still be under way.
  expect(plain.count).toBeGreaterThan(30);
  expect(throttled.count).toBeGreaterThan(0.9 * plain.count);
  expect(throttled.p50 / plain.p50).toBeLessThanOrEqual(1.5);
  expect(throttled.mean / plain.mean).toBeLessThanOrEqual(1.5);
});

/** Each with one partition and four, and with one process and four. */
const GRID = ["--members", "--processes", "1,4", "--partitions", "1,4", "--seconds", "10"];

function expectNoProduct(costs: readonly FleetCost[]): void {
  const cost = (processes: number, physicalPartitions: number): FleetCost =>
    costOf(costs, { processes, physicalPartitions });
  const [few, many, both] = [cost(4, 1), cost(1, 4), cost(4, 4)];
  expect(both.scansPerSecond).toBeLessThanOrEqual(few.scansPerSecond + many.scansPerSecond);
  expect(both.requestsPerSecond).toBeLessThanOrEqual(few.requestsPerSecond + many.requestsPerSecond);
  // Four processes of which each asks four partitions would ask sixteen times as often as one process asks one.
  expect(both.scansPerSecond).toBeLessThan(8 * cost(1, 1).scansPerSecond);
}

it("an idle fleet costs as much as its processes and partitions, not as their product", async () => {
  expectNoProduct(await fleetCosts(...GRID, "--rates", "0"));
});

it.runIf(IS_DEEP)(
  "a fleet that works asks for work as often as its processes and partitions, not as their product",
  async () => {
    expectNoProduct(await fleetCosts(...GRID, "--rates", "2"));
  },
);

it("half of the starts of a fleet begin within 80 ms, on one physical partition and on ten", async () => {
  const flags = ["--members", "--processes", "4", "--partitions", "1,10", "--rates", "5", "--seconds", "30"];
  const costs = await fleetCosts(...flags);
  expect(costs.map(({ startMs }) => startMs?.count ?? 0).every((count) => count > 100)).toBe(true);
  expect(Math.max(...costs.map(({ startMs }) => startMs?.p50 ?? 0))).toBeLessThanOrEqual(80);
  // What the fleet sent when a start waited for its preferred process, 128 to 266 ms.
  const [one, ten] = [1, 10].map((physicalPartitions) => costOf(costs, { physicalPartitions }));
  expect(one?.requestsPerSecond).toBeLessThanOrEqual(53);
  expect(ten?.requestsPerSecond).toBeLessThanOrEqual(171);
});

it("a fleet on one physical partition has no members", async () => {
  const idle = ["--processes", "4", "--partitions", "1", "--rates", "0", "--seconds", "10"];
  const [withMembership, without] = await fleetCosts(...idle);
  expect(withMembership?.requestsPerSecond).toBe(without?.requestsPerSecond);
});
