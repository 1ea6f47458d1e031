/**
 * Instances that this process served lately: their documents as it left them, and the messages that it wrote itself.
 * Owns the agenda of turns and keeps it up to date.
 *
 * I1. All of this may be wrong, because other processes write too. Every use ends in a write on condition of the ETag
 *     that is kept here (docs/decisions/0013-cosmos-provider.md).
 * I2. A message that is not visible yet is kept when the rest is forgotten: only a holder of the lock takes messages,
 *     and none takes one before its time. So a timer is known although another process went on with the instance.
 * I3. An instance is on the agenda once, at the earliest of: its first known message, but not while this process holds
 *     the lock; and the instant at which something is expected that is not known. Taking it from the agenda leaves it
 *     there for what is due later.
 * I4. The messages of the last turn are remembered as gone: a query that was answered before the commit may list them.
 * I5. The instances that were used last are kept; the others are found by a query.
 */
import type { Instance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import type { Agenda } from "./agenda.ts";
import { Looks } from "./looks.ts";

export interface Known {
  /** As the last write of this process left it, unlocked. Undefined where the document must be read. */
  instance: Instance | undefined;
  /** This process holds the lock until then, ms since the epoch; 0 where it does not. */
  heldUntilMs: number;
  /** Messages that this process wrote and did not see taken, by id. */
  readonly rows: Map<string, MessageRow>;
  /** The messages of the last turn (I4). */
  gone: ReadonlySet<string>;
  /** When the store was read for it. */
  readonly looks: Looks;
}

/** An instance on the agenda of turns. */
export interface DueInstance {
  readonly id: string;
  readonly atMs: number;
  /** Something is there from then on that is not known, ms since the epoch; infinite for nothing. */
  readonly expectedMs: number;
}

const NONE: ReadonlySet<string> = new Set();
const NEVER: number = Number.POSITIVE_INFINITY;

export class Instances {
  readonly #agenda: Agenda<DueInstance>;
  readonly #capacity: number;
  /** The one that was used last comes last. */
  readonly #instances = new Map<string, Known>();

  constructor(agenda: Agenda<DueInstance>, capacity: number) {
    this.#agenda = agenda;
    this.#capacity = capacity;
  }

  get(instanceId: string): Known | undefined {
    return this.#instances.get(instanceId);
  }

  /** Others may have written the instance, and taken what was due (I2). */
  forget(instanceId: string, nowMs: number): void {
    const known = this.#instances.get(instanceId);
    if (known === undefined) return;
    known.instance = undefined;
    known.heldUntilMs = 0;
    for (const [id, { visibleAtMs }] of known.rows) if (visibleAtMs <= nowMs) known.rows.delete(id);
    this.#plan(instanceId, firstMs(known));
    if (known.rows.size === 0) this.#instances.delete(instanceId);
  }

  /** The instance is gone with its messages. */
  drop(instanceId: string): void {
    this.#instances.delete(instanceId);
    this.#agenda.remove(instanceId);
  }

  /** A turn has begun, with messages that were `read` for it or known before. */
  began(instanceId: string, isRead: boolean, nowMs: number): void {
    const { looks } = this.#touch(instanceId);
    if (isRead) looks.read(nowMs);
    else looks.wentOn(nowMs);
  }

  /** This process has the lock: the document is of no use until the turn ends, or the lock. */
  holds(instanceId: string, untilMs: number): void {
    const known = this.#touch(instanceId);
    known.instance = undefined;
    known.heldUntilMs = untilMs;
    this.#plan(instanceId, firstMs(known));
  }

  /** A turn has ended: the instance is unlocked, and the messages that were taken are gone. */
  released(instanceId: string, instance: Instance, taken: readonly string[], nowMs: number): void {
    const known = this.#touch(instanceId);
    known.looks.left(nowMs);
    known.gone = new Set(taken);
    known.instance = instance;
    known.heldUntilMs = 0;
    for (const id of taken) known.rows.delete(id);
    this.#plan(instanceId, firstMs(known));
  }

  /** Whether this process has taken the message, or written it and knows it. */
  isKnown(instanceId: string, rowId: string): boolean {
    const known = this.#instances.get(instanceId);
    return known?.rows.has(rowId) === true || known?.gone.has(rowId) === true;
  }

  isGone(instanceId: string, rowId: string): boolean {
    return this.#instances.get(instanceId)?.gone.has(rowId) === true;
  }

  wrote(instanceId: string, row: MessageRow): void {
    const known = this.#touch(instanceId);
    known.rows.set(row.id, row);
    // Not firstMs: a fan-in writes thousands of messages for one instance.
    const { atMs = NEVER, expectedMs = NEVER } = this.#agenda.get(instanceId) ?? {};
    this.#put(instanceId, Math.min(atMs, Math.max(row.visibleAtMs, known.heldUntilMs)), expectedMs);
  }

  /** Something is there to be looked for then, though its messages are not known. */
  expect(instanceId: string, atMs: number): void {
    const before = this.#agenda.get(instanceId);
    const expectedMs = Math.min(atMs, before?.expectedMs ?? NEVER);
    this.#put(instanceId, Math.min(expectedMs, before?.atMs ?? NEVER), expectedMs);
  }

  /** An instance for which something is due and that is free as far as is known; the oldest first (I3). */
  takeDue(nowMs: number): string | undefined {
    const due = this.#agenda.first(nowMs);
    if (due === undefined) return undefined;
    this.#agenda.remove(due.id);
    const known = this.#instances.get(due.id);
    const laterMs = known === undefined ? NEVER : firstMs(known, nowMs);
    const expectedMs = due.expectedMs > nowMs ? due.expectedMs : NEVER;
    this.#put(due.id, Math.min(laterMs, expectedMs), expectedMs);
    return due.id;
  }

  /** When the next instance falls due, or the instant at which one fell due that was not taken yet. */
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
      looks: new Looks(),
    };
    this.#instances.delete(instanceId);
    this.#instances.set(instanceId, known);
    if (this.#instances.size > this.#capacity) this.#dropOldest();
    return known;
  }

  #dropOldest(): void {
    const [oldest] = this.#instances.keys();
    if (oldest === undefined) return;
    this.#instances.delete(oldest);
    this.#plan(oldest, NEVER);
  }
}

/** When the first known message that is visible after the instant falls due, and not while the lock is held. */
function firstMs({ rows, heldUntilMs }: Known, afterMs = Number.NEGATIVE_INFINITY): number {
  let first = NEVER;
  for (const { visibleAtMs } of rows.values()) {
    if (visibleAtMs > afterMs && visibleAtMs < first) first = visibleAtMs;
  }
  return Math.max(first, heldUntilMs);
}
