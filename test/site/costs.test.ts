/** The cost calculator of the site, and the figures of docs/cosmos/costs.md. */
import { describe, expect, it } from "vitest";
import { costsOf, type Load, measuredIn, type Prices } from "../../docs/.vitepress/theme/costs.ts";
import { read } from "../tidy/repository.ts";

const { lines } = JSON.parse(read("benchmarks/results/cosmos-requests.json")) as {
  readonly lines: Parameters<typeof measuredIn>[0];
};
const measured = measuredIn(lines);
const nothing: Load = {
  perDay: 0,
  activities: 1,
  atOnce: false,
  peak: 1,
  peakHours: 24,
  processes: 1,
  partitions: 1,
  margin: 0,
};
const prices: Prices = { million: 0.25, provisioned: 0.008, autoscale: 0.012 };

describe("costs of a container", () => {
  it("are those of the workloads that were measured", () => {
    expect(costsOf(nothing, measured, prices).each).toBe(measured.one);
    expect(costsOf({ ...nothing, activities: 5 }, measured, prices).each).toBeCloseTo(
      measured.fiveInSequence,
    );
    const tenAtOnce = costsOf({ ...nothing, activities: 10, atOnce: true }, measured, prices);
    expect(tenAtOnce.each).toBeCloseTo(measured.tenAtOnce);
  });

  it("without work are those of looking for it, and of the least that Azure sells", () => {
    const costs = costsOf(nothing, measured, prices);
    expect([costs.idle, costs.mean, costs.peak]).toEqual([3, 3, 3]);
    expect(costs.serverless).toBeCloseTo(3 * 2.628 * 0.25);
    expect(costs.provisioned).toBeCloseTo(4 * 0.008 * 730);
    expect(costs.autoscale).toBeCloseTo(1 * 0.012 * 730);
  });

  it("of fleets have the membership of each process, once for all partitions", () => {
    const { idle } = costsOf({ ...nothing, processes: 10, partitions: 10 }, measured, prices);
    expect(idle).toBeCloseTo(39.7); // measured: 39 RU/s
  });

  it("are provisioned for the peak, and paid by the hour with autoscale", () => {
    const costs = costsOf({ ...nothing, perDay: 8_640_000, peak: 2, peakHours: 6 }, measured, prices);
    expect(costs.mean).toBeCloseTo(100 * measured.one + 3);
    expect(costs.provisionedRus).toBe(11_500);
    expect(costs.autoscaleRus).toBe(12_000);
    expect(costs.autoscale).toBeCloseTo(((6 * costs.peak + 18 * costs.mean) / 2_400) * 0.012 * 730);
  });

  it("rise by the margin of an account", () => {
    const [less, more] = [0, 20].map((margin) => costsOf({ ...nothing, margin }, measured, prices));
    expect((more?.mean ?? 0) / (less?.mean ?? 0)).toBeCloseTo(1.2);
  });
});

it("docs/cosmos/costs.md has the figures of the results file", () => {
  const page = read("docs/cosmos/costs.md");
  const { one, fiveInSequence, tenAtOnce } = measured;
  for (const [what, value] of [
    ["an orchestration with one activity", one],
    ["each further activity, one after the other", (fiveInSequence - one) / 4],
    ["each further activity, at once with the others", (tenAtOnce - one) / 9],
  ] as const)
    expect(page).toContain(`| ${what} | ${value.toFixed(2)} |`);
});
