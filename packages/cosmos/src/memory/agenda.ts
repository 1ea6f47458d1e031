/**
 * Candidates for locks without a query: items that this process wrote, found or released. There are two agendas: the
 * instances for turns, and the rows of activities. An agenda owns the times, the order, the lock attempts in progress,
 * and the items that are left to other processes; it makes no requests. An entry may be wrong, because other processes
 * take rows too, so every use ends in a conditional write (docs/decisions/cosmos-turns.md,
 * docs/decisions/repository.md).
 *
 * - agenda.A1: One entry for each id. Adding an item again replaces it and keeps its position among equal ones, so that
 *   a renewed lock does not move an activity behind later ones.
 * - agenda.A2: Only a full agenda visits every entry, and at most once a second, because a commit adds thousands of
 *   items in one synchronous loop, and each poll checks each row that it found.
 * - agenda.A3: An item is returned from its time on, in queue order and not in the order of the times. The caller may
 *   decline it; skipping it costs one call, because the due items are a sorted list.
 * - agenda.A4: `nextMs` leaves out the items that were due at the last call of `first`, so that a fetch that declined
 *   all of them and sleeps until `nextMs` does not spin.
 * - agenda.A5: The number of entries is bounded. Further items are found by a query.
 */
import type { Clock } from "@duroxide-ts/core";
import { invariant } from "@duroxide-ts/core/stores";
import { Heap } from "./heap.ts";
import { LeftToOthers } from "./left-to-others.ts";
import { LockAttempts } from "./lock-attempts.ts";
import { RefusedWrites } from "./refused-writes.ts";
import { AGENDA_PURGE_MS, AGENDA_STALE_MS } from "./waits.ts";

export interface AgendaOptions<Item> {
  readonly clock: Clock;
  /** Negative if `a` is tried first. Equal items are tried in the order in which they were added. */
  readonly compare: (a: Item, b: Item) => number;
  /** The earliest time of the item, ms since the epoch. */
  readonly atMs: (item: Item) => number;
  readonly capacity: number;
}

interface Entry<Item> {
  readonly item: Item;
  readonly atMs: number;
  readonly arrival: number;
  /** Whether it was replaced or removed; the heap and the list skip it then. */
  isGone: boolean;
  /** Whether it was moved from the heap to the list. */
  isDue: boolean;
}

/** Removed entries are deleted when there are more than this, and more of them than of the others. */
const FEW = 64;

export class Agenda<Item extends { readonly id: string }> {
  /** Items that a fetch is about to lock. */
  readonly attempts: LockAttempts;
  /** Items that this process could not use. */
  readonly left: LeftToOthers = new LeftToOthers();
  /** Items whose lock the service refused to write. */
  readonly refused: RefusedWrites = new RefusedWrites();
  readonly #options: AgendaOptions<Item>;
  readonly #entries = new Map<string, Entry<Item>>();
  /** Later items by their times. */
  #later = newHeap<Item>();
  /** Due items in queue order. */
  #due: Entry<Item>[] = [];
  #goneOfDue = 0;
  #arrivals = 0;
  #purgedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AgendaOptions<Item>) {
    this.#options = options;
    this.attempts = new LockAttempts(options.clock);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** How many are due, including those that nobody accepts. */
  dueCount(nowMs: number): number {
    this.#ripen(nowMs);
    return this.#due.length - this.#goneOfDue;
  }

  items(): readonly Item[] {
    return [...this.#entries.values()].map(({ item }) => item);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  get(id: string): Item | undefined {
    return this.#entries.get(id)?.item;
  }

  put(item: Item): void {
    const known = this.#entries.get(item.id);
    const atMs = this.#options.atMs(item);
    if (known === undefined && !this.#hasRoom(atMs)) return;
    const entry = { item, atMs, arrival: known?.arrival ?? this.#arrivals++, isGone: false, isDue: false };
    if (known !== undefined) this.#drop(known);
    this.#entries.set(item.id, entry);
    this.#later.add(entry);
    invariant(this.#entries.size <= this.#options.capacity, "agenda.A5");
    if (this.#later.size > FEW + 2 * this.#entries.size) this.#rebuildLater();
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#drop(entry);
    this.#entries.delete(id);
  }

  /** The first due item that `accepts` returns true for. It is kept until it is removed or replaced. */
  first(nowMs: number, accepts: (item: Item) => boolean = () => true): Item | undefined {
    this.#ripen(nowMs);
    return this.#due.find(({ isGone, item }) => !isGone && accepts(item))?.item;
  }

  /** Time at which the next item becomes due; infinite if none will. */
  get nextMs(): number {
    while (this.#later.first?.isGone === true) this.#later.take();
    return this.#later.first?.atMs ?? Number.POSITIVE_INFINITY;
  }

  #drop(entry: Entry<Item>): void {
    entry.isGone = true;
    if (entry.isDue) this.#goneOfDue++;
  }

  /** Moves due items from the heap to their positions in the list. */
  #ripen(nowMs: number): void {
    this.#clearDue();
    while ((this.#later.first?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const entry = this.#later.take();
      if (entry === undefined || entry.isGone) continue;
      entry.isDue = true;
      this.#due.splice(this.#placeOf(entry), 0, entry);
    }
  }

  #placeOf(entry: Entry<Item>): number {
    const { compare } = this.#options;
    let [from, to] = [0, this.#due.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#due[middle];
      const order =
        other === undefined ? 0 : compare(entry.item, other.item) || entry.arrival - other.arrival;
      if (order < 0) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #clearDue(): void {
    while (this.#due[0]?.isGone === true) {
      this.#due.shift();
      this.#goneOfDue--;
    }
    invariant(this.#goneOfDue >= 0, "agenda.A2");
    if (this.#goneOfDue <= FEW || this.#goneOfDue * 2 <= this.#due.length) return;
    this.#due = this.#due.filter(({ isGone }) => !isGone);
    this.#goneOfDue = 0;
  }

  #rebuildLater(): void {
    this.#later = newHeap();
    for (const entry of this.#entries.values()) if (!entry.isDue) this.#later.add(entry);
  }

  #hasRoom(atMs: number): boolean {
    const { capacity } = this.#options;
    if (this.#entries.size < capacity) return true;
    if (atMs < this.#purgedAtMs + AGENDA_PURGE_MS) return false;
    this.#purgedAtMs = atMs;
    for (const [id, entry] of this.#entries) if (entry.atMs <= atMs - AGENDA_STALE_MS) this.remove(id);
    return this.#entries.size < capacity;
  }
}

function newHeap<Item extends { readonly id: string }>(): Heap<Entry<Item>> {
  return new Heap((a, b) => a.atMs < b.atMs);
}
