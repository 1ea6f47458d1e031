/**
 * Stores the pieces of a commit, and then the batch that decides it, under the lock of the instance
 * (leases/staged-commit.ts). An instance that is not locked is locked by the first write.
 *
 * - staging.SG1: Each piece is created under an id of its own, so it is stored once. A piece that is there already,
 *   after a lost answer, is left out.
 * - staging.SG2: A write of the instance document whose ETag is refused is repeated alone while the document has the
 *   secret: a renewal changes the ETag, too. The pieces do not depend on the ETag and stay as they are.
 * - staging.SG3: Pieces take as long as the throughput of the container says, and renewals wait for it like every other
 *   request. So a piece that would come near the end of the lock extends the lock in the same batch. If the lock is
 *   lost, that batch is refused, and no further piece is written.
 * - staging.SG4: A request is retried until the lock ends. Then the commit fails for good: under this lock it is not
 *   staged again. The caller gets an error that says which throughput it needs.
 * - staging.SG5: What takes long is noted in the instance as blocked by the store, once, and told as a warning.
 * - staging.SG6: A request that arrives after the piece was applied or removed does not store it again: it needs the
 *   note of the pieces.
 */
import { type BlockedReason, invariant, later, messageOf, ProviderError } from "@duroxide-ts/core/stores";
import { blockedAgain } from "../documents/blocked.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Notes, writtenInstance } from "../documents/instance.ts";
import { keptLock } from "../leases/keep-lock.ts";
import { type Outcome, write, writeUnder } from "../leases/lease.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import { COMMIT_MARGIN_MS, MEASURED_STAGE_MS, SLOW_STAGE_MS, STAGE_LOCK_MS } from "../memory/waits.ts";
import { type BatchOperation, sizeOf } from "../service/batch.ts";
import { isPassing } from "../service/failure.ts";

/** Cost of applying a piece, relative to storing it: it creates what is in the piece, and deletes the piece. */
const APPLYING = 2;
/** Request units for each document that is created, beyond its size. */
const EACH = 8;

/** Amount of the whole commit. */
export interface Amount {
  readonly bytes: number;
  readonly operations: number;
}

export class Staging {
  readonly #work: Work;
  readonly #amount: Amount;
  readonly #beganMs: number;
  #lease: TurnLease;
  /** Request units of the pieces so far. */
  #charge = 0;
  #bytes = 0;
  #slow: BlockedReason | undefined;
  #isNoted = false;

  constructor(work: Work, lease: TurnLease, amount: Amount) {
    this.#work = work;
    this.#lease = lease;
    this.#amount = amount;
    this.#beganMs = work.clock.now();
  }

  /** Lease as the process knows it: a renewal may have extended it. */
  get lease(): TurnLease {
    return this.#work.memory.heldTurns.get(this.#lease.secret) ?? this.#lease;
  }

  /** Writes the note of the pieces together with the lock; resolves to the ETag of the note. */
  note(note: BatchOperation): Promise<string> {
    return this.#until((work) => this.#extend(work, note));
  }

  /** staging.SG1, staging.SG6. */
  piece(piece: BatchOperation, noteId: string): Promise<void> {
    return this.#until(async (work) => {
      const nowMs = work.clock.now();
      this.#slow ??= this.#slowness(nowMs);
      const isToBeNoted = this.#slow !== undefined && !this.#isNoted;
      if (isToBeNoted || this.lease.lockedUntilMs - nowMs < STAGE_LOCK_MS / 2)
        await this.#extend(work, piece, { kind: "read", id: noteId });
      else await work.batch(this.lease.instanceId, [piece, { kind: "read", id: noteId }]);
      this.#bytes += sizeOf(piece);
    });
  }

  /** staging.SG2. */
  decide<T>(attempt: (lease: TurnLease, work: Work) => Promise<Outcome<T>>): Promise<T> {
    return this.#until(async (work) => {
      const outcome = await writeUnder(TURN_LEASE, work, this.lease, (held) => attempt(held, work));
      if (outcome.kind === "done") return outcome.value;
      const message = `a part of the decision was refused (${outcome.status}), because its pieces are removed`;
      throw new ProviderError({ code: "unavailable", operation: work.operation, message });
    });
  }

  /**
   * staging.SG2, staging.SG3. Resolves to the ETag of the document that is written beside the lock; empty if it was
   * there already. Where what is `needed` is gone, the lock is lost.
   */
  async #extend(work: Work, beside: BatchOperation, ...needed: readonly BatchOperation[]): Promise<string> {
    const { clock, memory } = work;
    const { secret } = this.lease;
    const outcome = await writeUnder(TURN_LEASE, work, this.lease, (held) => {
      const { instance, instanceId, rows } = held;
      const id = instanceDocumentId(instanceId);
      const lockedUntilMs = Math.max(held.lockedUntilMs, later(clock.now(), STAGE_LOCK_MS));
      const body = keptLock(held, { lockedUntilMs, rows, notes: this.#notesOf(instance.notes, clock.now()) });
      return write(work, {
        partition: instanceId,
        operations: [{ kind: "replace", id, body, ifMatch: instance.etag }, beside, ...needed],
        isOptional: (operation) => operation === beside,
        stored: ({ etags: [etag, ofBeside = ""] }) => {
          return {
            lease: {
              ...held,
              kind: "stored" as const,
              lockedUntilMs,
              instance: writtenInstance(work.operation, id, body, etag),
            },
            etag: ofBeside,
          };
        },
      });
    });
    if (outcome.kind !== "done") throw ProviderError.lockLost(work.operation);
    const { lease, etag } = outcome.value;
    this.#isNoted = this.#slow !== undefined;
    invariant(lease.secret === secret, "staging.SG2");
    this.#lease = lease;
    if (memory.heldTurns.get(secret) !== undefined) {
      memory.heldTurns.set(lease);
      memory.instances.holds(lease.instanceId, lease.lockedUntilMs);
    }
    return etag;
  }

  /** staging.SG4. */
  async #until<T>(act: (work: Work) => Promise<T>): Promise<T> {
    const { clock, memory, operation } = this.#work;
    const nowMs = clock.now();
    const untilMs = Math.max(this.#work.untilMs, this.lease.lockedUntilMs - COMMIT_MARGIN_MS);
    const work = this.#work.within(untilMs - nowMs);
    try {
      return await act(work);
    } catch (error) {
      if (!isPassing(error)) throw error;
      const message = `${messageOf(error)}; ${this.#need(clock.now())}`;
      const failure = new ProviderError({ code: "unavailable", operation, message, cause: error });
      const held = memory.heldTurns.get(this.#lease.secret);
      if (held !== undefined) memory.heldTurns.set({ ...held, failure });
      throw failure;
    } finally {
      this.#charge += work.charge;
    }
  }

  #notesOf(notes: Notes, nowMs: number): Notes {
    const reason = this.#slow;
    if (reason === undefined || this.#isNoted) return notes;
    return { ...notes, blocked: blockedAgain(notes.blocked, reason, { nowMs, nextTryAtMs: nowMs }) };
  }

  /** staging.SG5. */
  #slowness(nowMs: number): BlockedReason | undefined {
    const tookMs = nowMs - this.#beganMs;
    if (tookMs < MEASURED_STAGE_MS || this.#leftMs(tookMs) < SLOW_STAGE_MS) return undefined;
    const { service } = this.#work;
    const detail = `the store does not take its turn in ${SLOW_STAGE_MS / 1_000} s; ${this.#need(nowMs)}`;
    service.warn(`a large commit goes on slowly: ${detail}`, { instanceId: this.#lease.instanceId });
    return { reason: "store", detail };
  }

  /** How long the rest takes if the container gives as much as before, ms. */
  #leftMs(tookMs: number): number {
    const needed = this.#needed();
    return needed === undefined ? 0 : ((needed - this.#charge) * tookMs) / this.#charge;
  }

  /** Request units of the whole commit, by those of its first pieces; undefined before there are any. */
  #needed(): number | undefined {
    if (this.#charge === 0 || this.#bytes === 0) return undefined;
    const { bytes, operations } = this.#amount;
    return (1 + APPLYING) * this.#charge * (bytes / this.#bytes) + EACH * operations;
  }

  #need(nowMs: number): string {
    const tookMs = nowMs - this.#beganMs;
    const needed = this.#needed();
    const perSecond = (this.#charge * 1_000) / Math.max(1, tookMs);
    const facts =
      needed === undefined
        ? `the container gave none of the request units that its ${this.#amount.bytes} bytes take in ${seconds(tookMs)}`
        : `its ${this.#amount.bytes} bytes take about ${Math.ceil(needed)} request units, and the container gave it ${perSecond.toFixed(0)} a second in ${seconds(tookMs)}`;
    return `${facts}. Give the container more throughput, schedule less in one turn, or keep large payloads outside of it (@duroxide-ts/core/offload)`;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(0)} s`;
}
