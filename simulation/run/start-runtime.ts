/** Starts the runtime of a process, with the settings of the seed. */
import { type Provider, Runtime, type TagFilter } from "@duroxide-ts/core";
import type { ObserverFaults } from "../faults/observers.ts";
import { activities, orchestrations, VERSIONS } from "../programs/carry-out.ts";
import { RULES } from "../programs/held-back.ts";
import type { Ledger } from "../programs/ledger.ts";
import type { SchedulePlan } from "../programs/schedules.ts";
import type { Settings } from "../settings.ts";
import { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { tracingLogger } from "../world/tracing-logger.ts";
import type { World } from "../world/world.ts";

export interface RuntimeParts {
  readonly world: World;
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly observers: ObserverFaults;
  readonly schedules: readonly SchedulePlan[];
}

/** Code of a process. */
export interface Code {
  /** Versions of the orchestrations; the newest code has all. */
  readonly versions: readonly string[];
  readonly tagFilter: TagFilter;
}

export function startRuntime(
  { world, settings, ledger, observers, schedules }: RuntimeParts,
  machine: Machine,
  provider: Provider,
  { versions, tagFilter }: Code,
): Promise<Runtime> {
  const ofMachine = observers.of(machine);
  const { leaseMs, liveExecutions, concurrency } = settings;
  if (!settings.fusedTurns) Object.assign(provider, { maxFusedActivities: 0 });
  return Runtime.start({
    provider,
    limits: RULES,
    orchestrations: orchestrations(versions, { machine, ledger }),
    activities: activities({ machine, ledger }, (tag) => takes(tagFilter, tag)),
    schedules: schedules.map(({ definitions: [older, newest] }) =>
      versions.length < VERSIONS.length ? older : newest,
    ),
    clock: machine,
    random: Chance.of(world.seed, `runtime ${machine.name}`),
    logger: ofMachine.logger(tracingLogger(world, machine)),
    ...ofMachine.options,
    orchestratorLockTimeoutMs: leaseMs,
    workerLockTimeoutMs: leaseMs,
    sessionLockTimeoutMs: leaseMs,
    sessionIdleTimeoutMs: 10_000,
    orchestrationConcurrency: concurrency,
    workerConcurrency: concurrency,
    liveExecutions,
    determinismGuard: "off",
    workerTagFilter: tagFilter,
  });
}

/** The rule of a filter once more, so that the product is compared with it. */
function takes({ kind }: TagFilter, tag: string | undefined): boolean {
  return kind === "any" || (kind === "tags") === (tag !== undefined);
}
