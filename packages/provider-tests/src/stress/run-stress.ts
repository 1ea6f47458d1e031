/** One stress run: load, checks of the remaining data, and report. */
import { Client, Runtime, systemRandom } from "@duroxide-ts/core";
import type { Provider } from "@duroxide-ts/core/stores";
import { checkHistories, checkLocks, checkQueues } from "./invariants.ts";
import { Ledger } from "./ledger.ts";
import { applyLoad, type Ended } from "./load.ts";
import type { FailureCategory, StressResult } from "./report.ts";
import type { Scenario } from "./scenario.ts";

const MIN_POLL_INTERVAL_MS = 100;
const GRACE_MS = 30_000;
/** The number of instances whose locks are checked, with three calls each. */
const MOST_LOCKS = 100;

export async function runStress(provider: Provider, scenario: Scenario): Promise<StressResult> {
  const { clock, orchestrationConcurrency, workerConcurrency } = scenario.settings;
  const ledger = new Ledger(provider);
  const runtime = await Runtime.start({
    provider: ledger.provider,
    orchestrations: scenario.orchestrations,
    activities: scenario.activities,
    clock,
    orchestrationConcurrency,
    workerConcurrency,
    minPollIntervalMs: MIN_POLL_INTERVAL_MS,
  });
  const startedAtMs = clock.now();
  // A run after another one on the same store must not meet the other one's instances.
  const prefix = `stress-test-${systemRandom.uuid().slice(0, 8)}`;
  const ended = await applyLoad(new Client(ledger.provider, { clock }), scenario, prefix);
  const totalMs = clock.now() - startedAtMs;
  await runtime.shutdown({ graceMs: GRACE_MS });
  const violations = await findViolations(provider, ledger, ended);
  return { ...resultOf(provider, scenario, ended, totalMs, ledger), violations };
}

async function findViolations(
  provider: Provider,
  ledger: Ledger,
  ended: readonly Ended[],
): Promise<readonly string[]> {
  const ids = ended.map(({ instanceId }) => instanceId);
  const histories = await checkHistories(provider, ids);
  const queues = await checkQueues(provider);
  const books = ledger.violations();
  return [...histories, ...books, ...queues, ...(await checkLocks(provider, ids.slice(0, MOST_LOCKS)))];
}

function resultOf(
  provider: Provider,
  { name, configuration, settings }: Scenario,
  ended: readonly Ended[],
  totalMs: number,
  ledger: Ledger,
): Omit<StressResult, "violations"> {
  const count = (end: Ended["end"]): number => ended.filter((each) => each.end === end).length;
  const completed = count("completed");
  const failures: Record<FailureCategory, number> = {
    infrastructure: count("infrastructure"),
    configuration: count("configuration"),
    application: count("application"),
    notStarted: count("notStarted"),
    timedOut: count("timedOut"),
    wrongOutput: count("wrongOutput"),
  };
  const seconds = totalMs / 1_000;
  const { maxConcurrent, orchestrationConcurrency, workerConcurrency } = settings;
  const slots = `${maxConcurrent} at a time, slots ${orchestrationConcurrency}/${workerConcurrency}`;
  return {
    scenario: name,
    provider: provider.name,
    configuration: `${configuration}, ${slots}`,
    launched: ended.length,
    completed,
    failed: ended.length - completed,
    failures,
    successRate: ended.length === 0 ? 0 : completed / ended.length,
    totalMs,
    orchestrationsPerSecond: seconds === 0 ? 0 : completed / seconds,
    activitiesPerSecond: seconds === 0 ? 0 : ledger.completedActivities / seconds,
    msPerOrchestration: completed === 0 ? 0 : totalMs / completed,
    repeatedActivities: ledger.repeatedActivities,
  };
}
