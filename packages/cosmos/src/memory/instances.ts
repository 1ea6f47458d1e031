/**
 * What this process knows of the instances that it served lately: their documents as it left them, and the messages
 * that it wrote itself. All of it may be wrong, because others write too; every use ends in a write on condition of
 * the ETag that is kept here (docs/decisions/0013-cosmos-provider.md).
 */
import type { Instance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import { DueTimes } from "./due-times.ts";
import { Looks } from "./looks.ts";

export interface Known {
  /** As our last write left it, unlocked. Undefined where the document must be read. */
  instance: Instance | undefined;
  /** This process holds the lock until then, ms since the epoch; 0 where it does not. */
  heldUntilMs: number;
  /** Messages that this process wrote and nobody was seen to take, by id. */
  readonly rows: Map<string, MessageRow>;
  /** The messages of the last turn, which are gone. An answer from before may still name them. */
  gone: ReadonlySet<string>;
  /** When the store was read for it. */
  readonly looks: Looks;
}

const NONE: ReadonlySet<string> = new Set();

export class Knowledge {
  readonly #instances = new Map<string, Known>();
  readonly #capacity: number;
  /** Instances with messages that are not known, and since when they may be looked for. */
  readonly #expected = new Map<string, number>();
  /** When messages that are known fall due. */
  readonly #due = new DueTimes();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(instanceId: string): Known | undefined {
    return this.#instances.get(instanceId);
  }

  /**
   * Others may have written the instance, and taken what was due. What is due later nobody can have taken yet, so
   * timers are still known.
   */
  forget(instanceId: string, nowMs: number): void {
    const known = this.#instances.get(instanceId);
    if (known === undefined) return;
    known.instance = undefined;
    known.heldUntilMs = 0;
    for (const [id, { visibleAtMs }] of known.rows) if (visibleAtMs <= nowMs) known.rows.delete(id);
    if (known.rows.size === 0) this.#instances.delete(instanceId);
  }

  /** The instance is gone with its messages. */
  drop(instanceId: string): void {
    this.#instances.delete(instanceId);
  }

  /** After a turn: the instance is unlocked, and the messages that were taken are gone. */
  left(instanceId: string, instance: Instance, taken: readonly string[], nowMs: number): void {
    const known = this.#touch(instanceId);
    known.looks.left(nowMs);
    known.gone = new Set(taken);
    known.instance = instance;
    known.heldUntilMs = 0;
    for (const id of taken) known.rows.delete(id);
    const nextMs = Math.min(...[...known.rows.values()].map(({ visibleAtMs }) => visibleAtMs));
    if (Number.isFinite(nextMs)) this.#due.add(nextMs, instanceId);
  }

  /** A turn has begun, with messages that were `read` for it or known before. */
  began(instanceId: string, isRead: boolean, nowMs: number): void {
    const { looks } = this.#touch(instanceId);
    if (isRead) looks.read(nowMs);
    else looks.wentOn(nowMs);
  }

  /** The lock is ours: what is known of the document is of no use until the instance is left, or the lock is over. */
  holds(instanceId: string, untilMs: number): void {
    const known = this.#touch(instanceId);
    known.instance = undefined;
    known.heldUntilMs = untilMs;
    if (known.rows.size > 0) this.#due.add(untilMs, instanceId);
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
    this.#touch(instanceId).rows.set(row.id, row);
    this.#due.add(row.visibleAtMs, instanceId);
  }

  /** An instance that is free as far as is known, and for which something is due; the oldest first. */
  takeDue(nowMs: number): string | undefined {
    for (;;) {
      const instanceId = this.#due.take(nowMs);
      if (instanceId === undefined || this.#isDue(instanceId, nowMs)) return instanceId;
    }
  }

  #isDue(instanceId: string, nowMs: number): boolean {
    const expectedAtMs = this.#expected.get(instanceId);
    if (expectedAtMs !== undefined && expectedAtMs <= nowMs) {
      this.#expected.delete(instanceId);
      return true;
    }
    const known = this.#instances.get(instanceId);
    if (known === undefined || known.heldUntilMs > nowMs) return false;
    return [...known.rows.values()].some(({ visibleAtMs }) => visibleAtMs <= nowMs);
  }

  /** The instant at which the next known message falls due. */
  get nextDueMs(): number {
    return this.#due.nextMs;
  }

  /** Something is there to be looked for then, though its messages are not known. */
  expect(instanceId: string, atMs: number): void {
    this.#expected.set(instanceId, Math.min(atMs, this.#expected.get(instanceId) ?? atMs));
    this.#due.add(atMs, instanceId);
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
    if (this.#instances.size > this.#capacity) {
      const [oldest] = this.#instances.keys();
      if (oldest !== undefined) this.#instances.delete(oldest);
    }
    return known;
  }
}
