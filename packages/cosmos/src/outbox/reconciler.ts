/**
 * Finishes what a process began and could not end: messages that were not delivered, commits, deletions, prunings. Every
 * process looks from time to time, at a bounded number of the oldest; nothing is done twice if several look at once
 * (hazards W41, W42).
 */
import type { CancelTimer } from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core/stores";
import { finishDeletion, toDeletion } from "../admin/delete-instances.ts";
import { finishPruning } from "../admin/prune-executions.ts";
import { messageOf } from "../message-of.ts";
import type { BatchOperation } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { dispatchSlot } from "../schema/dispatch-slot.ts";
import type { Sequence } from "../schema/queue-order.ts";
import { SEQUENCE_FIELD } from "../schema/rows.ts";
import { readInstance } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { putAside } from "../turn/put-aside.ts";
import { deliver } from "./deliver.ts";
import { type Intent, toIntent } from "./intent.ts";

const OPERATION = "reconcile";

/** From each physical partition, in one pass. */
const MOST = 50;

/** With nothing to do the passes become rarer, up to so much longer intervals. */
const LONGEST_FACTOR = 4;

/** Deliveries that fail so often are left to an operator. */
const MOST_ATTEMPTS = 10;

/** An expired lock may still be given back. */
const MEMORY_MS = 600_000;

const FIRST_BACKOFF_MS = 1_000;

/** Passes are up to 8 s apart. */
const HEAD_START_MS = 10_000;

const UNFINISHED = `SELECT * FROM c
  WHERE c.createdAt <= @cutoff AND (c.type = 'outbox_intent' AND c.status = 'pending'
    OR c.type = 'commit_intent' OR c.type = 'delete_intent' OR c.type = 'prune_intent')
  ORDER BY c.createdAt`;

export interface ReconcilerOptions {
  readonly intervalMs: number;
  /** How old an intent must be, so that whoever wrote it has had its chance. */
  readonly ageMs: number;
}

export class Reconciler {
  readonly #store: Store;
  readonly #options: ReconcilerOptions;
  #factor = 1;
  #cancel: CancelTimer | undefined;
  #pass: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(store: Store, options: ReconcilerOptions) {
    this.#store = store;
    this.#options = options;
  }

  start(): void {
    if (this.#closed) return;
    this.#cancel = this.#store.clock.schedule(this.#options.intervalMs * this.#factor, () => {
      this.#pass = this.#passAndGoOn();
    });
  }

  /** Awaits what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#pass;
  }

  async #passAndGoOn(): Promise<void> {
    try {
      const found = await this.pass();
      this.#factor = found > 0 ? 1 : Math.min(this.#factor * 2, LONGEST_FACTOR);
    } catch (error) {
      this.#store.settings.onWarning(`a pass over unfinished work failed: ${messageOf(error)}`, {});
    }
    this.start();
  }

  /** What this process remembers and nobody will ask for any more. */
  #forget(): void {
    const { clock, turns, activities, sessions } = this.#store;
    const nowMs = clock.now();
    turns.dropExpired(nowMs - MEMORY_MS);
    activities.dropExpired(nowMs - MEMORY_MS);
    for (const [id, { lockedUntilMs }] of sessions) if (lockedUntilMs < nowMs) sessions.delete(id);
  }

  /** Once; resolves to the number of what was found. */
  async pass(): Promise<number> {
    const { requests, clock } = this.#store;
    this.#forget();
    const call = requests.call(OPERATION, this.#options.intervalMs);
    const parameters = [{ name: "@cutoff", value: clock.now() - this.#options.ageMs }];
    const { results } = await requests.pages<Stored>(call, { query: UNFINISHED, parameters }, MOST);
    const ours = this.#oursOf(results);
    const intents = await this.#decode(
      call,
      ours.filter(({ type }) => type === "outbox_intent"),
    );
    await this.#deliver(
      call,
      intents.filter((intent) => isDue(intent, clock.now())),
    );
    for (const document of ours) await this.#finish(call, document);
    return results.length;
  }

  /** Those in the slots of this process; of the others what is so old that whoever has their slots seems not to look. */
  #oursOf(results: readonly Stored[]): readonly Stored[] {
    const { clock, settings } = this.#store;
    const slots = settings.slots.served("orch_queue");
    const lateMs = clock.now() - this.#options.ageMs - HEAD_START_MS;
    return results.filter(
      ({ instanceId, createdAt }) =>
        slots.has(dispatchSlot(String(instanceId))) || Number(createdAt) <= lateMs,
    );
  }

  /** Those that cannot be decoded are put aside, so that they do not fill the page of the oldest. */
  async #decode(call: Call, found: readonly Stored[]): Promise<readonly Intent[]> {
    const intents: Intent[] = [];
    for (const document of found) {
      try {
        intents.push(toIntent(document));
      } catch (error) {
        const reason = `a message for another instance: ${messageOf(error)}`;
        await putAside(this.#store, call, String(document["instanceId"]), [{ document, reason }]);
      }
    }
    return intents;
  }

  async #deliver(call: Call, intents: readonly Intent[]): Promise<void> {
    const sorted = intents.toSorted((a, b) => a.createdAt - b.createdAt || sequenceOf(a) - sequenceOf(b));
    const arrived = new Set(await deliver(this.#store, call, sorted));
    for (const intent of sorted) if (!arrived.has(intent)) await this.#countAttempt(call, intent);
  }

  /** An operator finds dead messages by their status, and lets them be tried again by setting it to `pending`. */
  async #countAttempt(call: Call, { id, source, attempts, etag }: Intent): Promise<void> {
    const attemptCount = attempts + 1;
    const isDead = attemptCount >= MOST_ATTEMPTS;
    if (isDead) {
      this.#store.settings.onWarning(
        `message ${id} was given up after ${attemptCount} attempts, and whoever waits for it waits for ever; set its status from "dead" to "pending" to try again`,
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
        lastAttemptAt: this.#store.clock.now(),
        ...(isDead && { status: "dead" }),
      },
      ...(etag !== undefined && { ifMatch: etag }),
    };
    await this.#store.requests.batch(call, source, [operation]);
  }

  async #finish(call: Call, document: Stored): Promise<void> {
    const { type, instanceId, executionIds } = document;
    const partition = String(instanceId);
    try {
      if (type === "delete_intent") {
        await finishDeletion(this.#store, call, toDeletion(document));
      } else if (type === "prune_intent") {
        await finishPruning(this.#store, call, partition, executionIds as readonly number[]);
      } else if (type === "commit_intent") {
        // The messages that would lead a fetch there may be gone already, with the first piece of the commit.
        await readInstance(this.#store, call, partition);
      }
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      this.#store.settings.onWarning(`unfinished work waits for the next pass: ${error.message}`, {
        instanceId: partition,
      });
    }
  }
}

/** Of one commit; what Rust wrote has none. */
function sequenceOf({ payload }: Intent): number {
  return (payload[SEQUENCE_FIELD] as Sequence | undefined)?.number ?? 0;
}

function isDue({ attempts, lastAttemptAt }: Intent, nowMs: number): boolean {
  return lastAttemptAt === null || lastAttemptAt + FIRST_BACKOFF_MS * 2 ** Math.min(attempts, 8) <= nowMs;
}
