/**
 * Costs of a container of Azure Cosmos DB a month, from the request units that were measured
 * (benchmarks/results/cosmos-requests.json) and from prices. docs/cosmos/costs.md has the same formulas in words.
 */

/** Request units of the orchestrations from which those of others are computed. */
export interface Measured {
  /** An orchestration with one activity. */
  readonly one: number;
  /** An orchestration with five activities, one after the other. */
  readonly fiveInSequence: number;
  /** An orchestration with ten activities at once. */
  readonly tenAtOnce: number;
}

/** A line of the results file. */
interface Line {
  readonly workload: string;
  readonly processes: number;
  readonly charge: number;
}

export interface Load {
  /** Orchestrations that are started in a day. */
  readonly perDay: number;
  /** Activities of each. */
  readonly activities: number;
  readonly atOnce: boolean;
  /** Load of the busiest minutes, as a multiple of the mean of the day. */
  readonly peak: number;
  /** Hours of a day in which such minutes occur. */
  readonly peakHours: number;
  /** Processes with a runtime. */
  readonly processes: number;
  /** Physical partitions of the container. */
  readonly partitions: number;
  /** Share of request units that an account charges beyond the local endpoint, in percent. */
  readonly margin: number;
}

export interface Prices {
  /** Serverless: money for a million request units. */
  readonly million: number;
  /** Provisioned throughput: money for 100 RU/s in an hour. */
  readonly provisioned: number;
  /** Autoscale: money for 100 RU/s in an hour. */
  readonly autoscale: number;
}

export interface Costs {
  /** Request units of one orchestration. */
  readonly each: number;
  /** Request units a second of processes that wait for work. */
  readonly idle: number;
  /** Request units a second on the mean of a day, and in the busiest minutes. */
  readonly mean: number;
  readonly peak: number;
  /** Throughput to provision, and the highest of autoscale, in RU/s. */
  readonly provisionedRus: number;
  readonly autoscaleRus: number;
  /** Money a month. */
  readonly serverless: number;
  readonly provisioned: number;
  readonly autoscale: number;
}

const DAY_S = 86_400;
/** Azure bills by the hour; a month has 730. */
const MONTH_H = 730;

/** Request units a second: a query for work of each partition, whoever sends it, and the membership of a process. */
const IDLE_OF_PARTITION = 3;
const IDLE_OF_MEMBER = 0.97;

/** Least that Azure sells: RU/s of a container, of the highest of autoscale, and the share of it that is always paid. */
const LEAST_PROVISIONED = 400;
const LEAST_AUTOSCALE = 1_000;
const AUTOSCALE_KEEPS = 0.1;

/** Request units in the lines of the results file; NaN where a workload is missing. */
export function measuredIn(lines: readonly Line[]): Measured {
  const chargeOf = (workload: string): number =>
    lines.find((line) => line.workload === workload && line.processes === 1)?.charge ?? Number.NaN;
  return {
    one: chargeOf("hello"),
    fiveInSequence: chargeOf("five in sequence"),
    tenAtOnce: chargeOf("fan-out of ten"),
  };
}

export function costsOf(load: Load, measured: Measured, prices: Prices): Costs {
  const more = 1 + load.margin / 100;
  const each = more * unitsOf(load, measured);
  const members = load.processes > 1 ? load.processes : 0;
  const idle = more * (load.partitions * IDLE_OF_PARTITION + members * IDLE_OF_MEMBER);
  const work = (load.perDay * each) / DAY_S;
  const [mean, peak] = [work + idle, work * load.peak + idle];
  const provisionedRus = Math.max(LEAST_PROVISIONED, upTo(peak, 100));
  const autoscaleRus = Math.max(LEAST_AUTOSCALE, upTo(peak, 1_000));
  // Autoscale bills each hour by its busiest second.
  const quiet = Math.max(mean, autoscaleRus * AUTOSCALE_KEEPS);
  const hours = Math.min(load.peakHours, 24);
  const billed = (hours * Math.max(peak, quiet) + (24 - hours) * quiet) / 24;
  return {
    each,
    idle,
    mean,
    peak,
    provisionedRus,
    autoscaleRus,
    serverless: ((mean * 3_600 * MONTH_H) / 1e6) * prices.million,
    provisioned: (provisionedRus / 100) * prices.provisioned * MONTH_H,
    autoscale: (billed / 100) * prices.autoscale * MONTH_H,
  };
}

/** An orchestration without activities costs what its start and its end do: that of one, less a further one. */
function unitsOf({ activities, atOnce }: Load, { one, fiveInSequence, tenAtOnce }: Measured): number {
  const further = atOnce ? (tenAtOnce - one) / 9 : (fiveInSequence - one) / 4;
  return one + further * (activities - 1);
}

function upTo(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
