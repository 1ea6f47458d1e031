/**
 * The things that the handler of an activity or a step waits for and that end without the test: timers, requests to the system, jobs of
 * other threads. A handler without any waits for the test.
 *
 * - pending-work.PW1: A resource belongs to the handler in whose async context it was created. A connection that was open
 *   before belongs to none, but keeps the process alive while a request uses it: so what keeps the process alive beyond
 *   what did before any handler ran counts too.
 * - pending-work.PW2: A timer that fires later than the environment waits does not count.
 * - pending-work.PW3: The hook is on only while a handler runs, because it slows promises down.
 */
import { AsyncLocalStorage, createHook } from "node:async_hooks";

/** Types of async resources that end by themselves; sockets, servers and ports may stay open. */
const ENDS =
  /REQ|CONNECTWRAP|^(Timeout|Immediate|QUERYWRAP|WRITEWRAP|SHUTDOWNWRAP|UDPSENDWRAP|ZLIB|WORKER|PROCESSWRAP)$/;

/** Longest delay of a timer that is waited for, ms (pending-work.PW2). */
export const LONGEST_WAIT_MS = 3_000;

const current = new AsyncLocalStorage<PendingWork>();
const owners = new Map<number, PendingWork>();

const hook = createHook({
  init(id, type, _trigger, resource) {
    if (type === "PROMISE" || !ENDS.test(type) || isLongTimer(type, resource)) return;
    const owner = current.getStore();
    if (owner === undefined) return;
    owners.set(id, owner);
    owner.begin(id);
  },
  destroy(id) {
    owners.get(id)?.end(id);
    owners.delete(id);
  },
});

function isLongTimer(type: string, resource: object): boolean {
  return type === "Timeout" && "_idleTimeout" in resource && Number(resource._idleTimeout) > LONGEST_WAIT_MS;
}

let running = 0;

/** The things that one call of a handler waits for. */
export class PendingWork {
  readonly #resources = new Set<number>();

  /** Runs the handler. */
  async of<T>(handler: () => T): Promise<Awaited<T>> {
    if (running++ === 0) hook.enable();
    try {
      return await current.run(this, handler);
    } finally {
      if (--running === 0) {
        hook.disable();
        owners.clear();
      }
    }
  }

  get isPending(): boolean {
    return this.#resources.size > 0;
  }

  begin(id: number): void {
    this.#resources.add(id);
  }

  end(id: number): void {
    this.#resources.delete(id);
  }
}

/** The number of resources that keep the process alive, by type, without timers, which their handlers know. */
export function activeResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    if (type !== "Timeout" && type !== "Immediate") counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

/** Whether more keeps the process alive than before. */
export function isMoreActive(before: ReadonlyMap<string, number>): boolean {
  return [...activeResources()].some(([type, count]) => count > (before.get(type) ?? 0));
}
