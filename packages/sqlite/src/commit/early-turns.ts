/**
 * Decides which turns may begin in the open transaction (docs/decisions/sqlite-commits.md). While such a turn
 * runs, the process holds the write lock of the file, and synchronous code cannot be interrupted: a turn that computes
 * for seconds would block the writes of every other process. Therefore a turn joins only if similar turns were short;
 * all other turns begin after the commit, when the lock is free. Without it W1 is 19 %, W2 4 %, W3 1 % and W5 23 % slower
 * (`npm run dev -- bench pairs`, 20 pairs), because a start and its first turn then need two syncs.
 *
 * - early-turns.E1: A turn joins only if turns of its kind were short: of the same orchestration, after about as many
 *   events. The first turns of a kind never join, because their duration is unknown.
 * - early-turns.E2: The duration of a turn is measured from its hand-over to its acknowledgement, in whichever
 *   transaction it began. Other code in this time counts too, because a transaction would have stayed open for as long.
 *   Only for other turns of the same time a small allowance is subtracted, because a hundred turns are handed over at
 *   once.
 * - early-turns.E3: A long turn of an orchestration clears the record of all its kinds, and many more short turns are
 *   required before they join again. A pause of the machine thus costs speed for a limited time.
 * - early-turns.E4: After a long round of the event loop no turn joins for ten times as long, so slow rounds hold the
 *   lock for at most a tenth of the time.
 */
import type { Clock } from "@duroxide-ts/core";
import { ChurningMap, type FetchedOrchestration, invariant } from "@duroxide-ts/core/stores";

/** Much longer than a normal turn, and much shorter than other processes wait for the lock. */
const LONG_TURN_MS = 100;
const OTHER_TURN_MS = 2;

const LONG_ROUND_MS = 100;
const PAUSE_PER_ROUND = 10;

/** The number of short turns before a kind may join: at first, and increased by each long turn up to the maximum. */
const FIRST_PROOF = 2;
const MORE_PROOF = 64;
const MOST_PROOF = 8_192;

/** More than a program has orchestrations or concurrent turns. Beyond it records are forgotten, which costs speed. */
const MOST_NAMES = 1_000;
const MOST_TURNS = 10_000;

interface Kind {
  readonly name: string;
  readonly stage: number;
}

/** A served turn; it is open after its hand-over. */
interface OpenTurn extends Kind {
  /** The time of its hand-over. */
  sinceMs: number | undefined;
  /** The number of turns that had ended at that time. */
  endedBefore: number;
}

/** The record of an orchestration. */
interface Record {
  proof: number;
  /** Short turns by stage. */
  readonly shortTurns: Map<number, number>;
}

export class EarlyTurns {
  readonly #clock: Clock;
  readonly #records = new Map<string, Record>();
  /** Turns by lock token, from the transaction that serves them. */
  readonly #turns = new ChurningMap<string, OpenTurn>();
  #open = 0;
  #ended = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a turn that a transaction serves may begin in it; `lastEventId` determines its kind. */
  served(lockToken: string, name: string, lastEventId: number): boolean {
    const turn = { name, stage: stageOf(lastEventId), sinceMs: undefined, endedBefore: 0 };
    invariant(!this.#turns.has(lockToken), "early-turns.E1");
    this.#forgetOldestTurn();
    this.#turns.set(lockToken, turn);
    return this.#mayJoin(turn);
  }

  /** Called at the hand-over of the turn. */
  began({ lockToken }: FetchedOrchestration): void {
    const turn = this.#turns.get(lockToken);
    if (turn === undefined || turn.sinceMs !== undefined) return;
    this.#open++;
    turn.sinceMs = this.#clock.now();
    turn.endedBefore = this.#ended;
  }

  /** Called when the turn was acknowledged or released. */
  ended(lockToken: string): void {
    const turn = this.#turns.get(lockToken);
    if (turn === undefined) return;
    this.#turns.delete(lockToken);
    if (turn.sinceMs === undefined) return;
    this.#open--;
    const others = this.#ended - turn.endedBefore + this.#open;
    this.#ended++;
    const record = this.#recordOf(turn.name);
    if (this.#clock.now() - turn.sinceMs <= LONG_TURN_MS + OTHER_TURN_MS * others) {
      record.shortTurns.set(turn.stage, (record.shortTurns.get(turn.stage) ?? 0) + 1);
    } else {
      record.proof = Math.min(record.proof * MORE_PROOF, MOST_PROOF);
      record.shortTurns.clear();
    }
  }

  /** Called after each round of the event loop, or its equivalent in tests. */
  roundTook(ms: number): void {
    if (ms > LONG_ROUND_MS) this.#pausedUntilMs = this.#clock.now() + PAUSE_PER_ROUND * ms;
  }

  /**
   * Removes the oldest turn: of a rolled-back transaction, or of a caller that neither acknowledged nor released it.
   */
  #forgetOldestTurn(): void {
    if (this.#turns.size < MOST_TURNS) return;
    const token = this.#turns.oldestKey;
    if (token === undefined) return;
    if (this.#turns.get(token)?.sinceMs !== undefined) this.#open--;
    this.#turns.delete(token);
  }

  #mayJoin({ name, stage }: Kind): boolean {
    if (this.#clock.now() < this.#pausedUntilMs) return false;
    const record = this.#records.get(name);
    return record !== undefined && (record.shortTurns.get(stage) ?? 0) >= record.proof;
  }

  #forgetOldestRecord(): void {
    const [oldest] = this.#records.keys();
    if (oldest !== undefined) this.#records.delete(oldest);
  }

  #recordOf(name: string): Record {
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    if (this.#records.size >= MOST_NAMES) this.#forgetOldestRecord();
    const record = { proof: FIRST_PROOF, shortTurns: new Map<number, number>() };
    this.#records.set(name, record);
    return record;
  }
}

/** 0 for a first turn; incremented at 4, 16, 64, … events, so that a loop has few stages. */
function stageOf(lastEventId: number): number {
  return lastEventId === 0 ? 0 : 1 + Math.floor(Math.log2(lastEventId) / 2);
}
