/** Programs that are there for one purpose, which a random program serves too rarely. */
import type { Chance } from "../world/chance.ts";
import { backlogProgram, mailboxProgram } from "./crowded.ts";
import { familyProgram, livesProgram } from "./lives.ts";
import { KEYS, type Operation, type Program, plainProgram, type Step, workStep } from "./step.ts";
import { streamsProgram } from "./streams.ts";

/** Each is two writes of the turn that begins it, so that the commit does not fit into a batch of 100. */
const BRANCHES = 55;

/** Twice 1.2 MB: the activities are in the history and in their queue. */
const HEAVY = 4;
const HEAVY_CHARACTERS = 300_000;

/** More than one process begins at once. */
const DROPPED = 12;

/** Activities of one turn; fewer where a process runs one at a time, and theirs would take minutes. */
const FROZEN = 16;
const FROZEN_ONE_BY_ONE = 6;

/** Activities of one turn that have a key with a rate. */
const RATED = 14;

const LEAST_TIMEOUT_MS = 500;

/** It sets its custom status so often. */
const STATUSES = 8;

/** Number of steps of its executions that read and change entries. */
const ENTRY_STEPS = 12;

/** Sooner than its children begin. */
const SOON_MS = 10;

/** There are no faults before. */
const BEGIN_MS = 1_000;

/** After the faults, ms. By then nothing of them is under way any more (checks/double-runs.ts). */
const LONG_AFTER_MS = 30_000;

export interface SpecialOptions {
  /** Duration of the faults, virtual ms. */
  readonly badMs: number;
  readonly leaseMs: number;
  readonly wide: boolean;
  readonly heavy: boolean;
  readonly long: boolean;
  readonly limits: boolean;
  readonly frozen: boolean;
  readonly dropped: boolean;
  readonly waiting: boolean;
  readonly entries: boolean;
  readonly operators: boolean;
  readonly suspensions: boolean;
  readonly mailbox: boolean;
  /** Time between its messages, ms. */
  readonly mailGapMs: number;
  /** Number of messages that wait at once; 0 for none. */
  readonly backlog: number;
  readonly family: boolean;
  readonly lives: boolean;
  readonly streams: boolean;
  /** Activities that a process runs at a time. */
  readonly concurrency: number;
}

/** Returns the special programs that a seed has beside its `drawn` random ones. */
export function specialPrograms(chance: Chance, options: SpecialOptions, drawn: number): readonly Program[] {
  const { badMs, leaseMs, wide, long, frozen, dropped, waiting, suspensions, entries, backlog, mailGapMs } =
    options;
  const early = (): number => BEGIN_MS + chance.below(badMs / 2);
  const programs: Program[] = [];
  const nextId = (): string => `p${drawn + programs.length}`;
  if (wide) programs.push(wideProgram(nextId(), chance, badMs));
  if (long) programs.push(longProgram(nextId(), badMs + LONG_AFTER_MS, leaseMs));
  if (options.limits) programs.push(limitedProgram(nextId(), badMs + 2 * LONG_AFTER_MS));
  if (frozen) programs.push(frozenProgram(nextId(), options));
  if (dropped) programs.push(droppingProgram(nextId(), chance, badMs));
  if (waiting) programs.push(waitingProgram(nextId(), chance, options));
  if (suspensions) programs.push(suspendedProgram(nextId(), chance, badMs));
  if (entries) programs.push(entriesProgram(nextId(), chance, badMs));
  if (options.mailbox) programs.push(mailboxProgram(nextId(), BEGIN_MS, chance, { gapMs: mailGapMs }));
  if (options.family) programs.push(familyProgram(nextId(), early(), chance));
  if (options.lives) programs.push(livesProgram(nextId(), early(), chance));
  if (options.streams) programs.push(streamsProgram(nextId(), early(), chance));
  if (backlog > 0) programs.push(backlogProgram(nextId(), early(), chance, backlog));
  if (options.heavy) programs.push(heavyProgram(nextId(), chance));
  return programs;
}

/** Instances of those that replace random ones, so that a seed costs no more. */
export function instancesOfSpecial({ mailbox, family, lives, streams, backlog }: SpecialOptions): number {
  return (mailbox ? 1 : 0) + (streams ? 1 : 0) + (family ? 2 : 0) + (lives ? 1 : 0) + (backlog > 0 ? 1 : 0);
}

/**
 * One turn begins so many activities or timers that its commit is staged; that of the turn which the timers cause is
 * staged too. It comes early, while faults last.
 */
function wideProgram(instanceId: string, chance: Chance, overMs: number): Program {
  const hasTimers = chance.happens(0.5);
  const steps = Array.from({ length: BRANCHES }, (_, id): Step => {
    const ms = chance.pick([0, 0, 20]);
    return hasTimers ? { do: "timer", ms } : workStep(id, ms);
  });
  return plainProgram(instanceId, BEGIN_MS + chance.below(overMs / 3), [{ do: "all", steps }]);
}

/** One turn has so many bytes that its pieces are stored before the batch that decides; a client may suspend it then. */
function heavyProgram(instanceId: string, chance: Chance): Program {
  const steps = Array.from({ length: HEAVY }, (_, id): Step => {
    return { ...workStep(id, 20), givenSize: HEAVY_CHARACTERS };
  });
  const suspension = { afterMs: chance.between(500, 6_000), forMs: 1_000 };
  return {
    ...plainProgram(instanceId, BEGIN_MS, [{ do: "all", steps }]),
    suspension: chance.happens(0.7) ? suspension : undefined,
  };
}

/** Activities that take longer than their locks last, some of them in one session. */
function longProgram(instanceId: string, startsAtMs: number, leaseMs: number): Program {
  const ofSession = [2, 3, 4].map((id): Step => ({ ...workStep(id, 0.5 * leaseMs), session: "long" }));
  return plainProgram(instanceId, startsAtMs, [
    { do: "all", steps: [workStep(0, 2.5 * leaseMs), workStep(1, 1.5 * leaseMs), ...ofSession] },
  ]);
}

/** More work of some keys than their limits let begin at once, when no fault excuses anything any more. */
function limitedProgram(instanceId: string, startsAtMs: number): Program {
  const rated = Array.from({ length: RATED }, (_, id): Step => ({ ...workStep(id, 20), limit: "rate" }));
  const held = ["one", "one", "two/a", "two/a", "two/b", "two/c"].map((limit, n): Step => {
    return { ...workStep(RATED + n, 400), limit };
  });
  return plainProgram(instanceId, startsAtMs, [{ do: "all", steps: [...rated, ...held] }]);
}

/**
 * At any time of the faults some of its activities run. When the process stands still for longer than their locks, the
 * store delivers them again to it, maybe while it stores their outcomes.
 */
function frozenProgram(instanceId: string, { leaseMs, concurrency }: SpecialOptions): Program {
  const length = concurrency === 1 ? FROZEN_ONE_BY_ONE : FROZEN;
  const steps = Array.from({ length }, (_, id) => workStep(id, ((id + 1) * leaseMs) / 4));
  return plainProgram(instanceId, BEGIN_MS, [{ do: "all", steps }]);
}

/**
 * It ends while some of its children have not begun, and is started over: once after a client has read which instances
 * it leaves, and once as soon as it has ended.
 */
function droppingProgram(instanceId: string, chance: Chance, overMs: number): Program {
  const steps = Array.from({ length: DROPPED }, (_, id) => workStep(id, chance.pick([0, 20])));
  const program = plainProgram(instanceId, BEGIN_MS + chance.below(overMs), [{ do: "drop", steps }]);
  const atOnce: Operation = { verb: "start over", afterMs: 0, againMs: SOON_MS };
  return { ...program, operations: [{ ...atOnce, looks: true }, atOnce] };
}

/** Its child and the child of that wait for a message that nobody sends, so they end by their cancellation only. */
function waitingProgram(instanceId: string, chance: Chance, { badMs, operators }: SpecialOptions): Program {
  const wait: Step = { do: "receive", from: "queue", name: "nobody" };
  const child: Step = { do: "child", steps: [{ do: "child", steps: [wait] }] };
  const first: readonly Step[] = chance.happens(0.5) ? [{ do: "again" }] : [];
  const program = plainProgram(instanceId, BEGIN_MS + chance.below(badMs), [...first, child]);
  const afterMs = chance.pick([0, 200, 2_000]);
  switch (chance.pick(["drops", "is cancelled", "is late", ...(operators ? ["is terminated"] : [])])) {
    case "is cancelled":
      return { ...program, cancelAfterMs: afterMs };
    case "is late":
      return { ...program, start: { ...program.start, timeoutMs: LEAST_TIMEOUT_MS + afterMs } };
    case "is terminated":
      return { ...program, operations: [{ verb: "terminate", afterMs }] };
    default:
      return { ...program, steps: [...first, { do: "race", steps: [{ do: "timer", ms: afterMs }, child] }] };
  }
}

/** It changes its status with every turn, so that a client sees the turns of its suspension. */
function suspendedProgram(instanceId: string, chance: Chance, overMs: number): Program {
  const steps = Array.from({ length: STATUSES }, (_, value): Step[] => [
    { do: "timer", ms: chance.pick([100, 400]) },
    { do: "status", value },
  ]).flat();
  const program = plainProgram(instanceId, BEGIN_MS + chance.below(overMs), steps);
  return { ...program, suspension: { afterMs: chance.below(1_500), forMs: 4_000 } };
}

/** Entries are written, erased and read by several executions. */
function entriesProgram(instanceId: string, chance: Chance, overMs: number): Program {
  const steps = Array.from({ length: ENTRY_STEPS }, (_, value): Step => {
    const key = chance.pick(KEYS);
    switch (chance.below(7)) {
      case 0:
      case 1:
        return { do: "again" };
      case 2:
      case 3:
        return { do: "read", key };
      case 4:
        return chance.happens(0.2) ? { do: "erase" } : { do: "erase", key };
      default:
        return { do: "write", key, value };
    }
  });
  return plainProgram(instanceId, BEGIN_MS + chance.below(overMs), steps);
}
