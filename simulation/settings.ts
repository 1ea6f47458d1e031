/** The settings that follow from a seed: number of processes, faults and amount of work. */
import {
  CLOCK_FAULTS,
  COSMOS_FAULTS,
  type Fault,
  PROCESS_FAULTS,
  SQLITE_FAULTS,
  STAGING_FAULTS,
} from "./faults/fault.ts";
import { BACKLOGS } from "./programs/crowded.ts";
import { Chance } from "./world/chance.ts";

export const STORES = ["cosmos", "sqlite"] as const;
export type StoreName = (typeof STORES)[number];

/** Limits that make a run smaller than its seed says, for finding the smallest run that fails. */
export interface Limits {
  /** Operators change instances by hand in some of the seeds, unless this is false. */
  readonly operators?: boolean;
  readonly servers?: number;
  readonly programs?: number;
  /** Only these faults, of those that the seed has. */
  readonly faults?: readonly Fault[];
}

export interface Settings {
  readonly store: StoreName;
  readonly seed: number;
  readonly servers: number;
  readonly clients: number;
  /** At most so many programs of clients, for a smaller run. */
  readonly programs: number | undefined;
  /** Least number of instances: programs, children, detached ones. */
  readonly leastOrchestrations: number;
  /** Faults go on until so many have hit something. */
  readonly leastFaults: number;
  readonly faults: ReadonlySet<Fault>;
  /** Duration of the faults, virtual ms. */
  readonly badMs: number;
  /** Longest time between two troubles, ms. */
  readonly calmMs: number;
  readonly leaseMs: number;
  readonly membership: false | { readonly beatMs: number; readonly leaseMs: number };
  readonly requestTimeoutMs: number;
  readonly pollIntervalMs: { readonly min: number; readonly max: number };
  readonly physicalPartitions: number;
  readonly fusedTurns: boolean;
  readonly liveExecutions: number;
  readonly large: boolean;
  readonly sessions: boolean;
  readonly tags: boolean;
  readonly suspensions: boolean;
  readonly cancels: boolean;
  /** Operators change instances by hand. */
  readonly operators: boolean;
  readonly concurrency: number;
  /** A turn begins more activities than fit into one batch of Cosmos DB. */
  readonly wide: boolean;
  /** A turn has more bytes than the batch that decides a staged commit. */
  readonly heavy: boolean;
  /** Activities that take longer than their locks last, when all faults are over. */
  readonly long: boolean;
  /** Many activities run when the only process stands still. */
  readonly frozen: boolean;
  /** A program that has dropped children is started over, maybe before they have begun. */
  readonly dropped: boolean;
  /** A program ends whose children do not end by themselves. */
  readonly waiting: boolean;
  /** A program writes, erases and reads key-value entries only. */
  readonly entries: boolean;
  /** Clients list instances. */
  readonly lists: boolean;
  /** Messages arrive all the time at a program that goes on in new executions. */
  readonly mailbox: boolean;
  /** Time between its messages, ms. */
  readonly mailGapMs: number;
  /** Number of messages that wait at once for a program; 0 for none. */
  readonly backlog: number;
  /** An operator changes a program whose child goes on in new executions. */
  readonly family: boolean;
  /** An id has several lives. */
  readonly lives: boolean;
  /** Processes only die in order, so that no attempt of an activity counts. */
  readonly isOrderly: boolean;
  /** Programs begin later than they are started. */
  readonly delays: boolean;
  /** Work and starts have limits. */
  readonly limits: boolean;
  /** Several calls become one start. */
  readonly debounces: boolean;
  /** Schedules start instances. */
  readonly schedules: boolean;
  /** A program writes to a stream. */
  readonly streams: boolean;
  /** The processes of clients have runtimes too, so that an instance is begun where it is started. */
  readonly embeds: boolean;
  /** A client reads everything when all is over. */
  readonly inspects: boolean;
}

const BY_STORE: Readonly<Record<StoreName, readonly Fault[]>> = {
  cosmos: [...PROCESS_FAULTS, ...COSMOS_FAULTS],
  sqlite: [...PROCESS_FAULTS, ...SQLITE_FAULTS],
};

/** Faults that end processes that have the store open. */
const ENDS: readonly Fault[] = ["kill", "deploy", "client-kill", "power-loss", "death-at-write"];

/** Ends no process in half of the seeds in which the file is replaced, so that each must notice it. */
function withoutEnds(seed: number, faults: readonly Fault[]): readonly Fault[] {
  if (!faults.includes("file-replaced") || Chance.of(seed, "ends").happens(0.5)) return faults;
  const left = faults.filter((fault) => !ENDS.includes(fault));
  return [...new Set([...left, "freeze", "busy"] as const)];
}

/** Deployments by the dozen. */
const ORDERLY: readonly Fault[] = ["deploy", "client-kill"];

export function settingsOf(seed: number, store: StoreName, limits: Limits = {}): Settings {
  const chance = Chance.of(seed, `settings ${store}`);
  const share = chance.pick([0.2, 0.5, 0.8]);
  const isOrderly = Chance.of(seed, "orderly").happens(0.06);
  const areClocksRight = Chance.of(seed, "right clocks").happens(0.3);
  const some = BY_STORE[store].filter((fault) => {
    const isDrawn = chance.happens(fault === "file-replaced" ? share / 4 : share);
    return isDrawn && !(areClocksRight && CLOCK_FAULTS.includes(fault));
  });
  const usual = isOrderly ? ORDERLY : some.length === 0 ? [PROCESS_FAULTS[0]] : withoutEnds(seed, some);
  const heavy = store === "cosmos" && !isOrderly && Chance.of(seed, "heavy").happens(0.12);
  const drawn = heavy ? [...usual, ...STAGING_FAULTS] : usual;
  const faults = new Set(drawn.filter((fault) => limits.faults?.includes(fault) ?? true));
  const leaseMs = chance.pick([2_000, 5_000]);
  // A client cannot tell which of its messages an older copy of the file has.
  const isReplaced = faults.has("file-replaced");
  const servers = Math.min(chance.pick([1, 2, 2, 3]), limits.servers ?? 3);
  const badMs = chance.pick([4_000, 6_000, 9_000]);
  // No process may have the newest code for a while.
  const mayBlock = servers === 1 && faults.has("deploy");
  const mayStandStill = faults.has("freeze") && servers === 1;
  const operators = Chance.of(seed, "operators").happens(0.4) && limits.operators !== false;
  return {
    store,
    seed,
    servers,
    clients: chance.between(1, 2),
    programs: limits.programs,
    leastOrchestrations: 20,
    leastFaults: faults.size === drawn.length ? 10 : 0,
    faults,
    badMs,
    calmMs: isOrderly ? 300 : chance.pick([300, 600, 1_200]),
    leaseMs,
    membership: chance.happens(0.5) && { beatMs: 2_000, leaseMs: 6_000 },
    requestTimeoutMs: chance.pick([2_000, 10_000]),
    pollIntervalMs: chance.pick([
      { min: 50, max: 1_500 },
      { min: 150, max: 3_000 },
      { min: 400, max: 6_000 },
    ]),
    physicalPartitions: chance.pick([1, 1, 2, 3]),
    fusedTurns: chance.happens(0.7),
    liveExecutions: chance.pick([0, 2, 1_000, 1_000]),
    large: chance.happens(0.3),
    sessions: chance.happens(0.4),
    cancels: chance.happens(0.5),
    concurrency: chance.pick([1, 4, 50]),
    tags: chance.happens(0.3),
    suspensions: chance.happens(0.4),
    operators,
    wide: chance.happens(faults.has("death-at-batch") ? 0.6 : 0.05),
    heavy,
    long: chance.happens(0.15),
    frozen: mayStandStill && Chance.of(seed, "frozen").happens(0.7),
    dropped:
      limits.operators !== false &&
      Chance.of(seed, "dropped").happens(faults.has("death-at-batch") ? 0.9 : 0.5),
    waiting: Chance.of(seed, "waiting").happens(0.4),
    entries: Chance.of(seed, "entries").happens(0.25),
    lists: Chance.of(seed, "lists").happens(0.5),
    mailbox: !isReplaced && (mayBlock || Chance.of(seed, "mailbox").happens(0.35)),
    mailGapMs: mayBlock ? badMs / 8 : Chance.of(seed, "mail gap").pick([0, 100, 200]),
    backlog: isReplaced ? 0 : backlogOf(Chance.of(seed, "backlog"), store),
    family: operators && Chance.of(seed, "family").happens(0.4),
    lives: operators && Chance.of(seed, "lives").happens(0.4),
    isOrderly,
    delays: Chance.of(seed, "delays").happens(0.3),
    limits: Chance.of(seed, "limits").happens(0.35),
    debounces: Chance.of(seed, "debounces").happens(0.25),
    schedules: Chance.of(seed, "schedules").happens(0.35),
    streams: Chance.of(seed, "streams").happens(0.3),
    // What counts attempts, or lets the only process stand still, has its processes for itself.
    embeds: !isOrderly && !mayStandStill && !faults.has("deploy") && Chance.of(seed, "embeds").happens(0.6),
    inspects: Chance.of(seed, "inspects").happens(0.3),
  };
}

/** Large ones take long. */
const BACKLOG_SHARE = { cosmos: 0.1, sqlite: 0.06 } as const;

function backlogOf(chance: Chance, store: StoreName): number {
  return chance.happens(BACKLOG_SHARE[store]) ? chance.pick<number>(BACKLOGS[store]) : 0;
}
