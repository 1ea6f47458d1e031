/** Draws random programs. */
import type { Chance } from "../world/chance.ts";
import { type Holds, heldBack } from "./held-back.ts";
import { withOperations, withoutReceive } from "./operations.ts";
import { withSaga } from "./saga.ts";
import { KEYS, type Message, type Program, type Start, type Step, type WorkStep } from "./step.ts";

export interface DrawOptions {
  /** Programs are drawn until they come to so many instances. */
  readonly leastInstances: number;
  /** At most so many programs, the first ones; for a smaller run. */
  readonly most: number | undefined;
  /** Time over which they are started, ms. */
  readonly overMs: number;
  /** The longest timer, ms. */
  readonly longestTimerMs: number;
  /** Some are cancelled by a client. */
  readonly cancels: boolean;
  /** Some results are so large that a commit does not fit into one batch. */
  readonly large: boolean;
  readonly sessions: boolean;
  /** Some activities are for processes that take their tag. */
  readonly tags: boolean;
  /** Some are suspended by a client for a while. */
  readonly suspensions: boolean;
  /** Some are changed by operators. What is drawn for that does not move what is drawn for the rest. */
  readonly operations: Chance | undefined;
  /** Programs take messages of clients. */
  readonly messages: boolean;
  /** How they are started. */
  readonly starts: Chance;
  /** The choice of the activities that are steps in place. */
  readonly inPlace: Chance;
  /** The choice of the programs with a saga, and what is in it. Operators change none of them. */
  readonly sagas: Chance;
  /** The choice of the programs that are asked. */
  readonly asks: Chance;
  readonly holds: Holds;
}

const LARGEST = 300_000;
/** Size limit of all results of a program together, which its output has: below the limit of a payload. */
const LARGEST_OUTPUT = 1_000_000;

/** The share of programs that operators change, where they change any. */
const OPERATED = 0.35;

/** The share of activities that are steps in place. */
const IN_PLACE = 0.3;

/** The share of programs that are asked, and the most questions of one. */
const ASKED = 0.2;
const MOST_QUESTIONS = 4;

/** The one tag of activities. */
export const TAG = "tagged";

export function drawPrograms(chance: Chance, options: DrawOptions): readonly Program[] {
  const programs: Program[] = [];
  for (let instances = 0; instances < options.leastInstances; ) {
    const any = new Draw(chance, options, `p${programs.length}`).program();
    const drawn = options.messages ? any : withoutMessages(any);
    const { operations } = options;
    const isOperated = operations?.happens(OPERATED) === true;
    const program = isOperated
      ? withOperations(drawn, operations)
      : heldBack(withSaga(drawn, options.sagas), options.holds);
    programs.push(program);
    instances += instancesIn(program);
  }
  return programs.slice(0, options.most);
}

function withoutMessages(program: Program): Program {
  return {
    ...program,
    steps: program.steps.map(withoutReceive),
    messages: [],
    start: { ...program.start, messages: 0 },
  };
}

/** Instances that are there in any case when all is over: its own, and those that it starts if it comes to its end. */
function instancesIn({ steps, cancelAfterMs, start, operations }: Program): number {
  const last = operations.at(-1)?.verb;
  if (last === "delete") return 0;
  const mayBeCancelled = cancelAfterMs !== undefined || start.timeoutMs !== undefined;
  return mayBeCancelled || last === "terminate" ? 1 : instancesOf(steps) + 1;
}

/** Instances that the steps start in any case: a branch that loses a race may not come to it. */
function instancesOf(steps: readonly Step[]): number {
  let count = 0;
  for (const step of steps) {
    if (step.do === "child" || step.do === "detach") count += 1 + instancesOf(step.steps);
    else if (step.do === "all") count += instancesOf(step.steps);
  }
  return count;
}

/** One program. */
class Draw {
  readonly #chance: Chance;
  readonly #options: DrawOptions;
  readonly #instanceId: string;
  readonly #messages: Message[] = [];
  #works = 0;
  #largeBytes = 0;
  #detached = 0;
  /** Every value is written once, so that a read says when it was true. */
  #values = 0;

  constructor(chance: Chance, options: DrawOptions, instanceId: string) {
    this.#chance = chance;
    this.#options = options;
    this.#instanceId = instanceId;
  }

  program(): Program {
    const chance = this.#chance;
    const { overMs, cancels, suspensions, asks } = this.#options;
    const steps = Array.from({ length: chance.between(1, 5) }, () => this.#step(2));
    const cancelAfterMs = cancels && chance.happens(0.15) ? chance.below(5_000) : undefined;
    return {
      instanceId: this.#instanceId,
      startsAtMs: chance.below(overMs),
      steps,
      messages: this.#messages,
      gapMs: chance.pick([0, 50, 500, 2_000]),
      cancelAfterMs,
      suspension:
        suspensions && chance.happens(0.15)
          ? { afterMs: chance.below(3_000), forMs: chance.pick([100, 1_000, 4_000]) }
          : undefined,
      cleansUp: cancels && chance.happens(0.4),
      ...(asks.happens(ASKED) && { asks: asks.between(1, MOST_QUESTIONS) }),
      start: this.#start(cancelAfterMs !== undefined),
      operations: [],
    };
  }

  #start(isCancelled: boolean): Start {
    const { starts } = this.#options;
    // A client that cancels what its timeout has cancelled ends the clean-up.
    const mayTimeOut = starts.happens(0.06) && !isCancelled;
    return {
      ifExists: starts.happens(0.2) ? "fail" : "reuse",
      messages: starts.happens(0.3) ? starts.below(1 + this.#messages.length) : 0,
      timeoutMs: mayTimeOut ? starts.pick([1_000, 5_000, 20_000]) : undefined,
    };
  }

  /** A step that may stand between the steps of the program itself. */
  #step(depth: number): Step {
    const chance = this.#chance;
    const kind = chance.below(13);
    if (kind === 0) return { do: "again" };
    if (kind === 1 || kind === 2) return this.#receive();
    if ((kind === 3 || kind === 12) && depth === 2) return this.#detach();
    if (kind === 4) return { do: "read", key: chance.pick(KEYS) };
    return this.#plain(depth, true);
  }

  /** A step that may lose a race or be repeated in a child: it takes no messages. */
  #plain(depth: number, mayWrite: boolean): Step {
    const chance = this.#chance;
    const kind = chance.below(depth > 0 ? 12 : 6);
    if (kind < 3) return this.#work();
    if (kind === 3) return { do: "timer", ms: this.#timerMs() };
    if (kind === 4) return { do: "system" };
    if (kind === 5) return mayWrite ? this.#write() : this.#work();
    if (kind < 8) return { do: "all", steps: this.#several(depth - 1, chance.happens(0.05) ? 30 : 4) };
    if (kind === 8) return { do: "race", steps: this.#several(depth - 1, 3) };
    return { do: "child", steps: this.#ofChild(depth - 1) };
  }

  /** A child may go on in new executions. */
  #ofChild(depth: number): readonly Step[] {
    const steps = this.#several(depth, 3);
    return steps.flatMap((step): readonly Step[] =>
      this.#chance.happens(0.2) ? [{ do: "again" }, step] : [step],
    );
  }

  #several(depth: number, most: number): readonly Step[] {
    return Array.from({ length: this.#chance.between(1, most) }, () => this.#plain(depth, false));
  }

  #write(): Step {
    const chance = this.#chance;
    const value = ++this.#values;
    const kind = chance.below(8);
    if (kind < 3) return { do: "status", value };
    if (kind === 7) return chance.happens(0.3) ? { do: "erase" } : { do: "erase", key: chance.pick(KEYS) };
    return { do: "write", key: chance.pick(KEYS), value };
  }

  #work(): WorkStep {
    const chance = this.#chance;
    const { large, sessions, tags, inPlace } = this.#options;
    const failures = chance.happens(0.2) ? chance.between(1, 3) : 0;
    return {
      do: "work",
      id: this.#works++,
      takesMs: chance.pick([0, 0, 20, 200, 3_000]),
      failures,
      attempts: failures > 0 ? chance.between(1, 4) : 1,
      size: large && chance.happens(0.1) ? this.#largeSize() : chance.below(20),
      ...(tags && chance.happens(0.3) && { tag: TAG }),
      ...(sessions && chance.happens(0.3) && { session: `s${chance.below(3)}` }),
      ...(inPlace.happens(IN_PLACE) && { inPlace: true }),
    };
  }

  #largeSize(): number {
    const size = Math.min(this.#chance.below(LARGEST), LARGEST_OUTPUT - this.#largeBytes);
    this.#largeBytes += size;
    return size;
  }

  #timerMs(): number {
    const chance = this.#chance;
    return chance.pick([
      0,
      chance.below(200),
      chance.below(2_000),
      chance.below(this.#options.longestTimerMs),
    ]);
  }

  #receive(): Step {
    const chance = this.#chance;
    const from = chance.pick(["queue", "event"] as const);
    const name = chance.pick([`${from}-a`, `${from}-b`]);
    this.#messages.push({ to: from, name, value: `${this.#messages.length}` });
    if (chance.happens(0.6)) return { do: "receive", from, name };
    return { do: "receive", from, name, patienceMs: chance.pick([200, 500, 1_500]) };
  }

  #detach(): Step {
    const instanceId = `${this.#instanceId}-d${this.#detached++}`;
    return { do: "detach", instanceId, steps: this.#several(0, 2) };
  }
}
