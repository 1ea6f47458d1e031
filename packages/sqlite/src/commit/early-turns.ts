/**
 * Decides which turns may begin in the open transaction (docs/decisions/0004-sqlite-group-commit.md). While one
 * does, the process holds the write lock of the file, and synchronous code cannot be interrupted: a turn that
 * computes for seconds would keep every other process from writing. So a turn joins only where turns like it
 * were short; everything else begins after the commit, when the lock is free.
 *
 * E1  A turn joins only if turns of its kind were short: of the same orchestration, after about as many events.
 *     The first turns of a kind never join, because nothing is known of them.
 * E2  A turn is measured from its hand-over to its acknowledgement, whichever transaction it began in. What
 *     other code did meanwhile counts too, because a transaction would have stayed open for as long; only other
 *     turns of the same time are allowed a little each, because a hundred are handed over at once.
 * E3  A long turn of an orchestration makes what is known of all its kinds void, and it has to prove itself
 *     with many more short ones. A pause of the machine thus costs speed, and not for ever.
 * E4  After a round of the event loop that took long nothing joins for ten times as long, so slow rounds hold
 *     the lock for a tenth of the time at most.
 */
import type { Clock } from "@duroxide-ts/core";
import { ChurningMap, type FetchedOrchestration } from "@duroxide-ts/core/stores";

/** Far more than a turn needs, and far less than another process waits for the lock. */
const LONG_TURN_MS = 100;
const OTHER_TURN_MS = 2;

const LONG_ROUND_MS = 100;
const PAUSE_PER_ROUND = 10;

/** Short turns of a kind before it may join; at first, and more with each long turn up to the most. */
const FIRST_PROOF = 2;
const MORE_PROOF = 64;
const MOST_PROOF = 8_192;

/** A program has fewer orchestrations, and fewer turns at a time; more cost speed, not memory. */
const MOST_NAMES = 1_000;
const MOST_TURNS = 10_000;

interface Kind {
  readonly name: string;
  readonly stage: number;
}

/** A turn that was served; it is open once it is handed over. */
interface OpenTurn extends Kind {
  /** Of its hand-over. */
  sinceMs: number | undefined;
  /** How many turns had ended by then. */
  endedBefore: number;
}

/** What is known of an orchestration. */
interface Record {
  proof: number;
  /** Short turns by stage. */
  readonly shortTurns: Map<number, number>;
}

export class EarlyTurns {
  readonly #clock: Clock;
  readonly #records = new Map<string, Record>();
  /** By lock token, from the transaction that serves them on. */
  readonly #turns = new ChurningMap<string, OpenTurn>();
  #open = 0;
  #ended = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a turn that a transaction serves, after so many events of its execution, may begin in it. */
  served(lockToken: string, name: string, lastEventId: number): boolean {
    const turn = { name, stage: stageOf(lastEventId), sinceMs: undefined, endedBefore: 0 };
    this.#forgetOldestTurn();
    this.#turns.set(lockToken, turn);
    return this.#mayJoin(turn);
  }

  /** The caller of the fetch has the turn. */
  began({ lockToken }: FetchedOrchestration): void {
    const turn = this.#turns.get(lockToken);
    if (turn === undefined || turn.sinceMs !== undefined) return;
    this.#open++;
    turn.sinceMs = this.#clock.now();
    turn.endedBefore = this.#ended;
  }

  /** It was acknowledged or given back. */
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

  /** The event loop has gone round, or what stands for a round. */
  roundTook(ms: number): void {
    if (ms > LONG_ROUND_MS) this.#pausedUntilMs = this.#clock.now() + PAUSE_PER_ROUND * ms;
  }

  /** The oldest turns are those of undone transactions, and of callers that neither acknowledged nor gave back. */
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

/** 0 for a first turn; then one more at 4, 16, 64, … events, so that a loop has few stages. */
function stageOf(lastEventId: number): number {
  return lastEventId === 0 ? 0 : 1 + Math.floor(Math.log2(lastEventId) / 2);
}
