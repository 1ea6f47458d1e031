/**
 * A start that is stored together with its first turn (docs/decisions/cosmos-turns.md). Here the call of the start
 * and the turn decide which of the two stores it. No I/O.
 *
 * - unstored-start.T1: It is stored once: by the commit of the turn, or by the call of the start. A commit takes it
 *   before it writes; after that the call waits for the commit.
 * - unstored-start.T2: After any failure before the commit is done, the call stores the start in the ordinary way. The
 *   turn has run in vain.
 * - unstored-start.T3: If the turn is not committed within some rounds of the event loop, the start is stored with a
 *   lock, and the turn continues. The limit is in rounds and not in ms, because a slow machine makes fewer rounds.
 * - unstored-start.T4: A start that another instance has sent is stored with its receipt. Where the receipt exists, the
 *   start was delivered before, and the commit is refused.
 */
import { invariant, nextRound } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";

/** More than a turn needs if its payloads are encoded without I/O. */
const MOST_ROUNDS = 32;

/**
 * `committed`: the turn has stored it. `late`: it is to be stored with a lock for the turn. `declined`: it is to be
 * stored without.
 */
type StartDecision = "committed" | "late" | "declined";

export class UnstoredStart {
  /** Stored with it, if another instance has sent it. */
  readonly receipt: Body | undefined;
  readonly decision: Promise<StartDecision>;
  /** The decision is carried out. */
  readonly over: Promise<void>;
  readonly #decide: (decision: StartDecision) => void;
  readonly #end: () => void;
  #state: "open" | "committing" | "decided" = "open";

  constructor(receipt?: Body) {
    this.receipt = receipt;
    const decision = Promise.withResolvers<StartDecision>();
    const over = Promise.withResolvers<void>();
    this.decision = decision.promise;
    this.over = over.promise;
    this.#decide = decision.resolve;
    this.#end = over.resolve;
  }

  /** The turn has begun. */
  async handedOut(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && this.#state === "open"; round++) await nextRound();
    if (this.#state === "open") this.#settle("late");
  }

  /** Takes the start for a commit. False if it is stored otherwise; then the turn continues after `over`. */
  take(): boolean {
    if (this.#state !== "open") return false;
    this.#state = "committing";
    return true;
  }

  /** Stores the start with a lock, for a renewal or a release of the turn. Resolves when it is stored. */
  store(): Promise<void> {
    if (this.#state === "open") this.#settle("late");
    return this.over;
  }

  /** Called by the commit that took it. False if the commit has called it before. */
  commitEnded(how: StartDecision): boolean {
    if (this.#state !== "committing") return false;
    this.#settle(how);
    return true;
  }

  /** The turn does not begin. */
  decline(): void {
    if (this.#state === "open") this.#settle("declined");
  }

  /** Called by the call of the start when the decision is carried out. */
  end(): void {
    this.#end();
  }

  #settle(decision: StartDecision): void {
    invariant(this.#state !== "decided", "unstored-start.T1");
    this.#state = "decided";
    this.#decide(decision);
  }
}
