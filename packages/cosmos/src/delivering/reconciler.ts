/**
 * Completes work that a process could not complete: undelivered messages, commits, deletions, prunings. The processes
 * take turns at the physical partitions (fetching/membership/turns.ts), and each pass reads a bounded number of the oldest
 * intents. Nothing is done twice if several processes run a pass at the same time (hazards W41, W42). A process that
 * fetches nothing runs a pass only while it has unfinished work of its own, and then alone
 * (docs/decisions/0059-reconciling-without-workers.md).
 */
import { type CancelTimer, ProviderError } from "@duroxide-ts/core";
import { messageOf } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { type Intent, toIntent } from "../documents/intent.ts";
import type { Sequence } from "../documents/queue-order.ts";
import { SEQUENCE_FIELD } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { alone, type Members } from "../fetching/membership/members.ts";
import { isFirst } from "../fetching/membership/turns.ts";
import { putAside } from "../fetching/put-aside.ts";
import { readInstance } from "../leases/read-instance.ts";
import { dropStaging } from "../leases/staged-commit.ts";
import type { Memory } from "../memory/memory.ts";
import {
  FIRST_REDELIVERY_MS,
  MOST_DELIVERIES,
  MOST_REDELIVERY_DOUBLINGS,
  RECONCILER_FACTOR,
  REMEMBER_LOCK_MS,
} from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call, Service } from "../service/service.ts";
import { unfinishedKey } from "../service/unfinished.ts";
import { deliver } from "./deliver.ts";

const OPERATION = "reconcile";

/** The most intents of each physical partition in one pass. */
const MOST = 100;

const WARN_EVERY_MS = 60_000;

/**
 * Uses the index of `type` and `status` only, so that the query reads only intents. A condition or an order on
 * `createdAt`, which every instance has, would read all instances. Without an order the service responds in the order
 * of creation, so the oldest come first.
 */
const UNFINISHED = `SELECT * FROM c WHERE (c.type = 'outbox_intent' AND c.status = 'pending')
  OR c.type IN ('commit_intent', 'staging', 'delete_intent', 'prune_intent')`;

/** Functions of the administration. Parameters, because this folder may not import it. */
export interface Finishers {
  readonly deletion: (call: Call, intent: Stored) => Promise<unknown>;
  readonly pruning: (call: Call, intent: Stored) => Promise<unknown>;
}

export interface ReconcilerOptions {
  readonly members: Members;
  readonly finish: Finishers;
  readonly intervalMs: number;
  /** How old an intent must be, so that its writer can complete it first. */
  readonly ageMs: number;
}

export class Reconciler {
  readonly #service: Service;
  readonly #memory: Memory;
  readonly #queues: FetchQueues;
  readonly #options: ReconcilerOptions;
  #factor = 1;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #cancel: CancelTimer | undefined;
  #pass: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(service: Service, memory: Memory, queues: FetchQueues, options: ReconcilerOptions) {
    this.#service = service;
    this.#memory = memory;
    this.#queues = queues;
    this.#options = options;
  }

  start(): void {
    if (this.#closed) return;
    this.#cancel = this.#service.clock.schedule(this.#options.intervalMs * this.#factor, () => {
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
    const nowMs = this.#service.clock.now();
    if (nowMs - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = nowMs;
    this.#service.warn(`a pass over unfinished work failed: ${messageOf(error)}`, {});
  }

  /** Drops expired locks and sessions from memory. */
  #forget(): void {
    const { heldTurns, heldActivities, sessions } = this.#memory;
    const nowMs = this.#service.clock.now();
    heldTurns.dropExpired(nowMs - REMEMBER_LOCK_MS);
    heldActivities.dropExpired(nowMs - REMEMBER_LOCK_MS);
    sessions.dropExpired(nowMs);
  }

  /** Runs one pass; resolves to how many documents it tried to complete. Those that wait for a later time do not count. */
  async pass(): Promise<number> {
    const { clock, unfinished } = this.#service;
    this.#forget();
    const { isServing } = this.#queues;
    if (!isServing && unfinished.isEmpty) return 0;
    const { members, intervalMs, ageMs } = this.#options;
    const call = this.#service.call(OPERATION, intervalMs);
    const beganMs = clock.now();
    const team = (isServing ? members : alone).team();
    const interval = Math.floor(beganMs / (intervalMs * RECONCILER_FACTOR));
    const seen = new Set<string>();
    let isWhole = true;
    let tried = 0;
    await call.inEachRange(async (range) => {
      if (!isFirst(team, range, interval)) {
        isWhole = false;
        return;
      }
      const page = await call.rangePage<Stored>(range, { query: UNFINISHED }, MOST, undefined);
      for (const { instanceId, id } of page.results) seen.add(unfinishedKey(String(instanceId), id));
      if (page.continuation !== undefined) isWhole = false;
      const due = page.results.filter(({ createdAt }) => Number(createdAt) <= beganMs - ageMs);
      tried += await this.#finishThose(call, due);
    });
    if (isWhole) unfinished.searched(seen, beganMs);
    return tried;
  }

  async #finishThose(call: Call, results: readonly Stored[]): Promise<number> {
    const [messages, others] = [results.filter(isMessage), results.filter((each) => !isMessage(each))];
    const nowMs = this.#service.clock.now();
    const due = (await this.#decode(call, messages)).filter((intent) => this.#isDue(intent, nowMs));
    await this.#deliver(call, due);
    for (const document of others) await this.#finish(call, document);
    return due.length + others.length;
  }

  #isDue(intent: Intent, nowMs: number): boolean {
    return isDue(intent, nowMs) && this.#memory.refusedRemovals.untilMs(intent.id, nowMs) === undefined;
  }

  /** Sets intents aside that cannot be decoded, so that they do not fill the page of the oldest. */
  async #decode(call: Call, found: readonly Stored[]): Promise<readonly Intent[]> {
    const intents: Intent[] = [];
    for (const document of found) {
      try {
        intents.push(toIntent(document));
      } catch (error) {
        const reason = `a message for another instance: ${messageOf(error)}`;
        await putAside(call, String(document["instanceId"]), [{ document, reason }]);
      }
    }
    return intents;
  }

  async #deliver(call: Call, intents: readonly Intent[]): Promise<void> {
    const sorted = intents.toSorted((a, b) => a.createdAt - b.createdAt || sequenceOf(a) - sequenceOf(b));
    const arrived = new Set(await deliver(this.#memory, this.#queues, call, sorted));
    for (const intent of sorted) if (!arrived.has(intent)) await this.#noteAttempt(call, intent);
  }

  /** Best effort: if the partition of the sender cannot be written either, the next pass retries. */
  async #noteAttempt(call: Call, intent: Intent): Promise<void> {
    try {
      await this.#countAttempt(call, intent);
    } catch (error) {
      this.#service.warn(`a failed delivery is not counted: ${messageOf(error)}`, {
        instanceId: intent.source,
      });
    }
  }

  /** Dead messages are dead letters (admin/queries/dead-letters.ts); to put one back sets its status to `pending`. */
  async #countAttempt(call: Call, { id, source, attempts, etag }: Intent): Promise<void> {
    const attemptCount = attempts + 1;
    const isDead = attemptCount >= MOST_DELIVERIES;
    if (isDead) {
      this.#service.warn(
        `message ${id} was abandoned after ${attemptCount} attempts, and an instance that waits for it never continues; put it back from the dead letters to retry`,
        {
          instanceId: source,
        },
      );
    }
    const operation: BatchOperation = {
      kind: "set",
      id,
      values: {
        attemptCount,
        lastAttemptAt: this.#service.clock.now(),
        ...(isDead && { status: "dead" }),
      },
      ...(etag !== undefined && { ifMatch: etag }),
    };
    await call.batch(source, [operation]);
  }

  async #finish(call: Call, document: Stored): Promise<void> {
    const { type, instanceId } = document;
    const partition = String(instanceId);
    try {
      if (type === "delete_intent") {
        await this.#options.finish.deletion(call, document);
      } else if (type === "prune_intent") {
        await this.#options.finish.pruning(call, document);
      } else if (type === "commit_intent") {
        // A fetch may no longer find the instance: the first piece of the commit may have consumed its messages.
        await readInstance(call, partition);
      } else if (type === "staging") {
        await dropStaging(call, document);
      }
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      this.#service.warn(`unfinished work waits for the next pass: ${error.message}`, {
        instanceId: partition,
      });
    }
  }
}

function isMessage({ type }: Stored): boolean {
  return type === "outbox_intent";
}

/** The position in its commit; intents of Rust have none. */
function sequenceOf({ payload }: Intent): number {
  return (payload[SEQUENCE_FIELD] as Sequence | undefined)?.number ?? 0;
}

function isDue({ attempts, lastAttemptAt }: Intent, nowMs: number): boolean {
  return (
    lastAttemptAt === null ||
    lastAttemptAt + FIRST_REDELIVERY_MS * 2 ** Math.min(attempts, MOST_REDELIVERY_DOUBLINGS) <= nowMs
  );
}
