/**
 * Completes work that a process could not complete: undelivered messages, commits, deletions, prunings. The processes
 * take turns at the physical partitions (fetching/membership/turns.ts), and each pass reads a bounded number of the oldest
 * intents. Nothing is done twice if several processes run a pass at the same time (hazards W41, W42).
 *
 * - reconciler.RC1: An intent is left to its writer until it is `ageMs` old, because the writer is usually about to
 *   complete it.
 * - reconciler.RC2: A document that waits for a later time hides none behind it: the next page is read.
 * - reconciler.RC3: A document that cannot be completed keeps no other waiting. What a retry would not mend is tried
 *   again after a growing time, so that it does not cost a request in each pass.
 * - reconciler.RC4: A process that fetches nothing runs a pass only while it has unfinished work of its own, and then
 *   alone (docs/decisions/cosmos-delivery.md).
 */
import type { CancelTimer } from "@duroxide-ts/core";
import { hasPassed, messageOf } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { attemptsOf, type Intent, IS_UNSENT, toIntent } from "../documents/intent.ts";
import { RANKED_MARK } from "../documents/limit-documents.ts";
import { alone } from "../fetching/membership/members.ts";
import { isFirst } from "../fetching/membership/turns.ts";
import { moveToDeadLetters } from "../fetching/move-to-dead-letters.ts";
import type { Searches } from "../fetching/searches.ts";
import { readInstance } from "../leases/read-instance.ts";
import { dropStaging } from "../leases/staged-commit.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { RANKED_ACTIVE_MS, RECONCILER_FACTOR, REMEMBER_LOCK_MS } from "../memory/waits.ts";
import { isPassing } from "../service/failure.ts";
import { unfinishedKey } from "../service/unfinished.ts";
import { deliver, type Undelivered } from "./deliver.ts";
import { countAttempt, inOrder, isDue } from "./redelivery.ts";

const OPERATION = "reconcile";

/** The most documents of a page, and about the most that one pass tries in a physical partition. */
const MOST = 100;

/** The most pages of one pass in a physical partition. Further ones are read only behind documents that wait. */
const MOST_PAGES = 10;

const WARN_EVERY_MS = 60_000;

/**
 * Uses the index of `type` and `status` only, so that the query reads only intents. A condition or an order on
 * `createdAt`, which every instance has, would read all instances. Without an order the service responds in the order
 * of creation, so the oldest come first.
 */
const UNFINISHED = `SELECT * FROM c WHERE ${IS_UNSENT}
  OR c.type IN ('commit_intent', 'staging', 'delete_intent', 'prune_intent', '${RANKED_MARK}')`;

/** Functions of the administration. Parameters, because this folder may not import it. */
export interface Finishers {
  readonly deletion: (work: Work, intent: Stored) => Promise<unknown>;
  readonly pruning: (work: Work, intent: Stored) => Promise<unknown>;
}

export interface ReconcilerOptions {
  readonly finish: Finishers;
  readonly intervalMs: number;
  /** How old an intent must be, so that its writer can complete it first. */
  readonly ageMs: number;
}

export class Reconciler {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #options: ReconcilerOptions;
  #factor = 1;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #cancel: CancelTimer | undefined;
  #pass: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: Parts, searches: Searches, options: ReconcilerOptions) {
    this.#parts = parts;
    this.#searches = searches;
    this.#options = options;
  }

  start(): void {
    if (this.#closed) return;
    this.#cancel = this.#parts.clock.schedule(this.#options.intervalMs * this.#factor, () => {
      this.#pass = this.#passAndGoOn();
    });
  }

  /** Waits for the current pass. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#pass;
  }

  async #passAndGoOn(): Promise<void> {
    try {
      const tried = await this.pass();
      this.#factor = tried > 0 ? 1 : Math.min(this.#factor * 2, RECONCILER_FACTOR);
      this.#warnedAtMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.#warn(error);
    }
    this.start();
  }

  /** At the first failure, and once a minute while passes fail. */
  #warn(error: unknown): void {
    const nowMs = this.#parts.clock.now();
    if (!hasPassed(nowMs, this.#warnedAtMs, WARN_EVERY_MS)) return;
    this.#warnedAtMs = nowMs;
    this.#parts.service.warn(`a pass over unfinished work failed: ${messageOf(error)}`, {});
  }

  /** Drops expired locks and sessions from memory. */
  #forget(): void {
    const { heldTurns, heldActivities, sessions } = this.#parts.memory;
    const nowMs = this.#parts.clock.now();
    heldTurns.dropExpired(nowMs - REMEMBER_LOCK_MS);
    heldActivities.dropExpired(nowMs - REMEMBER_LOCK_MS);
    sessions.dropExpired(nowMs);
  }

  /** Runs one pass; resolves to how many documents it tried to complete. Those that wait for a later time do not count. */
  async pass(): Promise<number> {
    const { clock, service } = this.#parts;
    const { unfinished } = service.wire;
    this.#forget();
    const { isServing } = this.#searches;
    if (!isServing && unfinished.isEmpty) return 0;
    const { intervalMs } = this.#options;
    const work = new Work(this.#parts, OPERATION, intervalMs);
    const beganMs = clock.now();
    const peerGroup = (isServing ? this.#searches.settings.members : alone).peerGroup();
    const interval = Math.floor(beganMs / (intervalMs * RECONCILER_FACTOR));
    const seen = new Set<string>();
    let isWhole = true;
    let tried = 0;
    await work.inEachRange(async (range) => {
      if (!isFirst(peerGroup, range, interval)) {
        isWhole = false;
        return;
      }
      const { ready, isAll } = await this.#readReady(work, range, seen);
      isWhole &&= isAll;
      tried += await this.#finishThose(work, ready);
    });
    if (isWhole) unfinished.searched(seen, beganMs);
    return tried;
  }

  /** Reads what may be tried now (reconciler.RC1, reconciler.RC2). */
  async #readReady(
    work: Work,
    range: string,
    seen: Set<string>,
  ): Promise<{ readonly ready: readonly Stored[]; readonly isAll: boolean }> {
    const ready: Stored[] = [];
    let continuation: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await work.rangePage<Stored>(range, { query: UNFINISHED }, MOST, continuation);
      for (const document of page.results) this.#note(document, seen);
      ready.push(...page.results.filter((each) => this.#isReady(each)));
      continuation = page.continuation;
      if (continuation === undefined || ready.length >= MOST) break;
    }
    return { ready, isAll: continuation === undefined };
  }

  /** A process whose queues are never idle meets the mark of ranked rows here (docs/decisions/limits.md). */
  #note(document: Stored, seen: Set<string>): void {
    seen.add(keyOf(document));
    const { memory, clock } = this.#parts;
    if (document["type"] === RANKED_MARK) memory.activities.rankedUntilMs = clock.now() + RANKED_ACTIVE_MS;
  }

  #isReady(document: Stored): boolean {
    const nowMs = this.#parts.clock.now();
    const isOld = Number(document["createdAt"]) <= nowMs - this.#options.ageMs;
    if (!isOld) return false;
    if (this.#parts.memory.refusedIntents.untilMs(keyOf(document), nowMs) !== undefined) return false;
    return !isMessage(document) || isDue(attemptsOf(document), nowMs);
  }

  /** Resolves to how many it tried. */
  async #finishThose(work: Work, ready: readonly Stored[]): Promise<number> {
    const others = ready.filter((each) => !isMessage(each));
    const intents = await this.#decode(work, ready.filter(isMessage));
    const due = inOrder(intents);
    for (const undelivered of await deliver(work, due)) await this.#noteAttempt(work, undelivered);
    for (const document of others) await this.#finish(work, document);
    return due.length + others.length;
  }

  /** Sets intents aside that cannot be decoded, so that they do not fill the page of the oldest. */
  async #decode(work: Work, found: readonly Stored[]): Promise<readonly Intent[]> {
    const intents: Intent[] = [];
    for (const document of found) {
      try {
        intents.push(toIntent(document));
      } catch (error) {
        const reason = `a message for another instance: ${messageOf(error)}`;
        const { instanceId } = document;
        await this.#orLater("a message that cannot be decoded is not put aside", document, () =>
          moveToDeadLetters(work, String(instanceId), [{ document, reason }]),
        );
      }
    }
    return intents;
  }

  /** Best effort: if the partition of the sender cannot be written either, a later pass retries. */
  async #noteAttempt(work: Work, undelivered: Undelivered): Promise<void> {
    const { id, source: instanceId } = undelivered.intent;
    await this.#orLater("a failed delivery is not counted", { id, instanceId }, () =>
      countAttempt(work, undelivered),
    );
  }

  async #finish(work: Work, document: Stored): Promise<void> {
    const { deletion, pruning } = this.#options.finish;
    await this.#orLater("unfinished work waits", document, async () => {
      switch (document["type"]) {
        case "delete_intent":
          await deletion(work, document);
          break;
        case "prune_intent":
          await pruning(work, document);
          break;
        case "commit_intent":
          // A fetch may no longer find the instance: the first piece of the commit may have consumed its messages.
          await readInstance(work, String(document["instanceId"]));
          break;
        default:
          await dropStaging(work, document);
      }
    });
  }

  /** reconciler.RC3. */
  async #orLater(what: string, document: Unfinishable, act: () => Promise<unknown>): Promise<void> {
    const { refusedIntents } = this.#parts.memory;
    const key = keyOf(document);
    try {
      await act();
      refusedIntents.delete(key);
    } catch (error) {
      const passes = isPassing(error);
      const delayMs = passes ? 0 : refusedIntents.add(key, this.#parts.clock.now());
      const again = passes ? "in the next pass" : `in ${Math.round(delayMs / 1_000)} s`;
      const instanceId = String(document["instanceId"]);
      this.#parts.service.warn(`${what}: ${messageOf(error)}; it is tried again ${again}`, { instanceId });
    }
  }
}

type Unfinishable = Stored | { readonly id: string; readonly instanceId: string };

function keyOf({ id, instanceId }: Unfinishable): string {
  return unfinishedKey(String(instanceId), id);
}

function isMessage({ type }: Stored): boolean {
  return type === "outbox_intent";
}
