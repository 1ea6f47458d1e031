/**
 * Instances that this process served recently: their documents after its last write, and the messages that it wrote.
 * Owns the agenda of turns and keeps it current.
 *
 * - instances.I1: All of this may be wrong, because other processes write too. Every use ends in a write on condition
 *   of the ETag that is kept here (docs/decisions/cosmos-turns.md).
 * - instances.I2: A message that is not visible yet is kept when the other data of an instance is forgotten, because
 *   only a holder of the lock takes messages, and never before their time. A timer is thus known even if another
 *   process has run turns of the instance.
 * - instances.I3: An instance is on the agenda once, at the earliest of: its first known message, but not while this
 *   process holds the lock; and the time at which an unknown message is expected. Taking it from the agenda keeps it
 *   there for later times.
 * - instances.I4: The messages of the last turn are remembered as consumed, because a query that was answered before
 *   the commit may still list them. They are forgotten after GONE_MS: a delayed request may store a message again, and
 *   then no other process may be there to take it.
 * - instances.I5: The most recently used instances are kept; the others are found by a query.
 * - instances.I6: A message is doubtful if it may be consumed although the instance in memory is current, so that the
 *   ETag does not refuse the turn. A turn with it reads the partition first. It is doubtful if the partition was read
 *   since its write was sent: the turn of that read, or one of another process before it, may have taken it, also
 *   before its time if the clock of that process is ahead. And it is doubtful if the write did not tell whether an
 *   earlier attempt had stored it.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Instance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import type { Agenda } from "./agenda.ts";
import { TurnReads } from "./turn-reads.ts";
import { type UnconfirmedWrite, UnconfirmedWrites } from "./unconfirmed-writes.ts";
import { GONE_MS } from "./waits.ts";

/** A message that this process wrote. */
export interface KnownMessage extends MessageRow {
  /** It may be consumed (instances.I6). */
  readonly mayBeConsumed?: boolean;
}

export interface Known {
  /** The document after the last write of this process, unlocked. Undefined if the document must be read. */
  instance: Instance | undefined;
  /** The end of this process's lock, ms since the epoch; 0 without a lock. */
  heldUntilMs: number;
  /** Messages that this process wrote and that are not known to be taken, by id. */
  readonly rows: Map<string, KnownMessage>;
  /** The messages of the last turn (instances.I4). */
  gone: ReadonlySet<string>;
  goneUntilMs: number;
  /** Reads of the store for it. */
  readonly reads: TurnReads;
}

/** An instance on the agenda of turns. */
export interface DueInstance {
  readonly id: string;
  readonly atMs: number;
  /** The time at which an unknown message is expected, ms since the epoch; infinite if none is. */
  readonly expectedMs: number;
}

const NONE: ReadonlySet<string> = new Set();
const NEVER: number = Number.POSITIVE_INFINITY;

export class Instances {
  readonly #agenda: Agenda<DueInstance>;
  readonly #capacity: number;
  /** Instances in the order of use; the most recently used is last. */
  readonly #instances = new Map<string, Known>();
  readonly #unconfirmedWrites = new UnconfirmedWrites();

  constructor(agenda: Agenda<DueInstance>, capacity: number) {
    this.#agenda = agenda;
    this.#capacity = capacity;
  }

  get(instanceId: string): Known | undefined {
    return this.#instances.get(instanceId);
  }

  /** Called when another process may have written the instance, and taken its due messages (instances.I2). */
  forget(instanceId: string, nowMs: number): void {
    const known = this.#instances.get(instanceId);
    if (known === undefined) return;
    known.instance = undefined;
    known.heldUntilMs = 0;
    for (const [id, { visibleAtMs }] of known.rows) if (visibleAtMs <= nowMs) known.rows.delete(id);
    this.#plan(instanceId, firstMs(known));
    if (known.rows.size === 0) this.#instances.delete(instanceId);
  }

  /** Called when the instance was deleted with its messages. */
  drop(instanceId: string): void {
    this.#instances.delete(instanceId);
    this.#agenda.remove(instanceId);
  }

  /** Called when a turn has begun, with messages that were read for it (`isRead`) or known before. */
  began(instanceId: string, isRead: boolean, nowMs: number): void {
    const { reads } = this.#touch(instanceId);
    if (isRead) reads.ranFromStore(nowMs);
    else reads.ranFromMemory(nowMs);
  }

  /** Called when this process has the lock: the document is not used until the turn or the lock ends. */
  holds(instanceId: string, untilMs: number): void {
    const known = this.#touch(instanceId);
    known.instance = undefined;
    known.heldUntilMs = untilMs;
    this.#plan(instanceId, firstMs(known));
  }

  /** Called when a turn has ended: the instance is unlocked, and the taken messages are consumed. */
  released(instanceId: string, instance: Instance, taken: readonly string[], nowMs: number): void {
    const known = this.#touch(instanceId);
    known.reads.ended(nowMs);
    known.gone = new Set(taken);
    known.goneUntilMs = nowMs + GONE_MS;
    known.instance = instance;
    known.heldUntilMs = 0;
    for (const id of taken) known.rows.delete(id);
    this.#plan(instanceId, firstMs(known));
  }

  /** Whether this process has taken the message recently, or wrote it and still has it in memory. */
  isKnown(instanceId: string, rowId: string, nowMs: number): boolean {
    return this.#instances.get(instanceId)?.rows.has(rowId) === true || this.isGone(instanceId, rowId, nowMs);
  }

  isGone(instanceId: string, rowId: string, nowMs: number): boolean {
    const known = this.#instances.get(instanceId);
    return known !== undefined && nowMs < known.goneUntilMs && known.gone.has(rowId);
  }

  /** Called before messages for the instance are written (instances.I6). */
  sending(instanceId: string): UnconfirmedWrite {
    return this.#unconfirmedWrites.begin(instanceId);
  }

  /** Called with the answer to a read of the partition (instances.I6). */
  read(instanceId: string): void {
    this.#unconfirmedWrites.notePartitionRead(instanceId);
    const known = this.#instances.get(instanceId);
    if (known === undefined) return;
    for (const [id, row] of known.rows)
      if (row.mayBeConsumed !== true) known.rows.set(id, { ...row, mayBeConsumed: true });
  }

  wrote(instanceId: string, row: KnownMessage): void {
    const known = this.#touch(instanceId);
    known.rows.set(row.id, row);
    // Does not call firstMs, because a fan-in writes thousands of messages for one instance.
    const { atMs = NEVER, expectedMs = NEVER } = this.#agenda.get(instanceId) ?? {};
    this.#put(instanceId, Math.min(atMs, Math.max(row.visibleAtMs, known.heldUntilMs)), expectedMs);
  }

  /** Called when messages were deleted before they were due. */
  withdrawn(instanceId: string, isDeleted: (row: KnownMessage) => boolean, nowMs: number): void {
    const known = this.#instances.get(instanceId);
    if (known === undefined) return;
    for (const [id, row] of known.rows) if (row.visibleAtMs > nowMs && isDeleted(row)) known.rows.delete(id);
    this.#plan(instanceId, firstMs(known));
  }

  /** Notes that unknown messages are expected at this time. */
  expect(instanceId: string, atMs: number): void {
    const before = this.#agenda.get(instanceId);
    const expectedMs = Math.min(atMs, before?.expectedMs ?? NEVER);
    this.#put(instanceId, Math.min(expectedMs, before?.atMs ?? NEVER), expectedMs);
  }

  /** An instance with a due message and, as far as known, without a lock; the oldest first (instances.I3). */
  takeDue(nowMs: number): string | undefined {
    const due = this.#agenda.first(nowMs);
    if (due === undefined) return undefined;
    this.#agenda.remove(due.id);
    const known = this.#instances.get(due.id);
    const laterMs = known === undefined ? NEVER : firstMs(known, nowMs);
    const expectedMs = due.expectedMs > nowMs ? due.expectedMs : NEVER;
    this.#put(due.id, Math.min(laterMs, expectedMs), expectedMs);
    invariant((this.#agenda.get(due.id)?.atMs ?? NEVER) > nowMs, "instances.I3");
    return due.id;
  }

  /** Time at which the next instance falls due, or an instance fell due that was not taken yet. */
  nextMs(nowMs: number): number {
    return this.#agenda.first(nowMs)?.atMs ?? this.#agenda.nextMs;
  }

  #plan(instanceId: string, rowsMs: number): void {
    const { expectedMs = NEVER } = this.#agenda.get(instanceId) ?? {};
    this.#put(instanceId, Math.min(rowsMs, expectedMs), expectedMs);
  }

  #put(id: string, atMs: number, expectedMs: number): void {
    const before = this.#agenda.get(id);
    if (before?.atMs === atMs && before.expectedMs === expectedMs) return;
    if (atMs === NEVER) this.#agenda.remove(id);
    else this.#agenda.put({ id, atMs, expectedMs });
  }

  #touch(instanceId: string): Known {
    const known = this.#instances.get(instanceId) ?? {
      instance: undefined,
      heldUntilMs: 0,
      rows: new Map(),
      gone: NONE,
      goneUntilMs: 0,
      reads: new TurnReads(),
    };
    this.#instances.delete(instanceId);
    this.#instances.set(instanceId, known);
    if (this.#instances.size > this.#capacity) this.#dropOldest();
    invariant(this.#instances.size <= this.#capacity, "instances.I5");
    return known;
  }

  #dropOldest(): void {
    const [oldest] = this.#instances.keys();
    if (oldest === undefined) return;
    this.#instances.delete(oldest);
    this.#plan(oldest, NEVER);
  }
}

/** Time at which the first known message after `afterMs` falls due, but not before the end of the held lock. */
function firstMs({ rows, heldUntilMs }: Known, afterMs = Number.NEGATIVE_INFINITY): number {
  let first = NEVER;
  for (const { visibleAtMs } of rows.values()) {
    if (visibleAtMs > afterMs && visibleAtMs < first) first = visibleAtMs;
  }
  return Math.max(first, heldUntilMs);
}
