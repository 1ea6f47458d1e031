/**
 * Callbacks for signals that many callers wait on, and for a long time.
 *
 * - on-abort.OA1: A signal has one listener, whatever the number of its callbacks, because the cost of adding a
 *   listener grows with the number of listeners. Without callbacks it has none.
 * - on-abort.OA2: Adding and removing a callback take constant time and leave nothing behind. Who waits for something
 *   else, too, removes the callback when that has come: the signal of a runtime lives as long as its process.
 */
import { type Member, Members } from "../collections/members.ts";

interface Callback extends Member {
  readonly call: () => void;
}

const callbacksOf = new WeakMap<AbortSignal, Members<Callback>>();

/**
 * Calls `callback` when the signal aborts, unless the returned function is called before. A signal that has aborted
 * already calls nothing.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined || signal.aborted) return () => {};
  const callbacks = callbacksOf.get(signal) ?? listen(signal);
  const entry: Callback = { call: callback, left: false, place: 0 };
  callbacks.add(entry);
  return () => {
    callbacks.delete(entry);
    if (callbacks.size === 0 && callbacksOf.get(signal) === callbacks) forget(signal);
  };
}

function listen(signal: AbortSignal): Members<Callback> {
  const callbacks = new Members<Callback>();
  callbacksOf.set(signal, callbacks);
  signal.addEventListener("abort", callAll, { once: true });
  return callbacks;
}

function forget(signal: AbortSignal): void {
  callbacksOf.delete(signal);
  signal.removeEventListener("abort", callAll);
}

function callAll({ target }: Event): void {
  const signal = target as AbortSignal;
  const callbacks = callbacksOf.get(signal);
  callbacksOf.delete(signal);
  // A callback may remove a later one.
  for (const entry of callbacks?.all() ?? []) if (!entry.left) entry.call();
}
