/**
 * Tries the known items one after the other, until one is locked.
 *
 * - try-each.T1: No two fetches of a process try the same item at once. An item that another fetch is about to lock is
 *   passed over, and looked at again if that attempt may end without the lock (memory/lock-attempts.ts).
 * - try-each.T2: Before the first try the fetch leaves the head of the queue, so that the next fetch polls.
 */
import type { LockAttempts } from "../memory/lock-attempts.ts";
import type { Work } from "../memory/parts.ts";

export interface Item {
  readonly id: string;
}

/** One pass over the items that are known. */
export interface Pass<Found extends Item, Result> {
  /** The next item that is not busy; undefined where there is none. */
  readonly next: (isBusy: (item: Found) => boolean) => Found | undefined;
  /** Undefined if it could not be locked. */
  readonly lock: (item: Found) => Promise<Result | undefined>;
}

interface Look<Found extends Item, Result> extends Pass<Found, Result> {
  readonly work: Work;
  readonly attempts: LockAttempts;
  readonly isOver: () => boolean;
  /** Called before a try or a wait. */
  readonly onFound: () => void;
  /** The items that a fetch accepts, and whether it waits for new ones. */
  readonly asks: string;
  readonly waits: boolean;
}

export async function tryEach<Found extends Item, Result>(
  look: Look<Found, Result>,
): Promise<Result | undefined> {
  const { attempts, isOver, next, lock, onFound } = look;
  /** Items that other fetches were trying, and may leave unlocked. */
  const met = new Map<string, Found>();
  const isBusy = (item: Found): boolean => {
    if (!attempts.has(item.id)) return false;
    if (attempts.mayLeave(item.id, look)) met.set(item.id, item);
    return true;
  };
  while (!isOver()) {
    const item = next(isBusy) ?? (met.size > 0 ? await firstLeft(look, met) : undefined);
    if (item === undefined) return undefined;
    if (isBusy(item)) continue;
    onFound();
    const result = await lock(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** The first item whose attempt ends without the lock; undefined if all were locked. */
async function firstLeft<Found extends Item>(
  { attempts, work, onFound }: Look<Found, unknown>,
  met: Map<string, Found>,
): Promise<Found | undefined> {
  for (const [id, item] of met) {
    onFound();
    met.delete(id);
    if (await attempts.isLeft(id, work)) return item;
  }
  return undefined;
}
