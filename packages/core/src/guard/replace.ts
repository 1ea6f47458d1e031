/**
 * Replaces a property, and undoes that later.
 *
 * - replace.RP1: Undoing keeps a value that other code has set since, such as that of fake timers.
 * - replace.RP2: When that code puts back what it found, which is the replacement, the property becomes what it was
 *   before. An assignment is noticed at once, `Object.defineProperty` by a look some time later. The looks do not keep
 *   the process alive, and end.
 */
import { setTimeout } from "../host/originals.ts";

/** A look comes after twice the time of the one before: for more than ten minutes. */
const FIRST_LOOK_MS = 10;
const LOOKS = 16;

/** Whether `replace` can replace it: the intrinsics of a process may be frozen. */
export function canReplace(target: object, key: string): boolean {
  const own = Object.getOwnPropertyDescriptor(target, key);
  return own === undefined ? Object.isExtensible(target) : own.configurable === true;
}

/** Returns a function that undoes it; it is called once. */
export function replace(target: object, key: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, key);
  Object.defineProperty(target, key, {
    value,
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? false,
  });
  const isInPlace = (): boolean => Object.getOwnPropertyDescriptor(target, key)?.value === value;
  const restore = (): void => {
    if (own === undefined) Reflect.deleteProperty(target, key);
    else Object.defineProperty(target, key, own);
  };
  return () => {
    if (isInPlace()) restore();
    else restoreLater(target, key, { value, isInPlace, restore });
  };
}

interface Replacement {
  readonly value: unknown;
  isInPlace(): boolean;
  restore(): void;
}

function restoreLater(target: object, key: string, { value, isInPlace, restore }: Replacement): void {
  const theirs = Object.getOwnPropertyDescriptor(target, key);
  if (theirs === undefined || !("value" in theirs) || theirs.configurable !== true) return;
  let current: unknown = theirs.value;
  let isRestored = false;
  Object.defineProperty(target, key, {
    configurable: true,
    enumerable: theirs.enumerable ?? false,
    get: () => current,
    set(next: unknown) {
      if (next !== value) current = next;
      else {
        isRestored = true;
        restore();
      }
    },
  });
  const look = (number: number): void => {
    if (isRestored || number === LOOKS) return;
    const again = (): void => (isInPlace() ? restore() : look(number + 1));
    setTimeout(again, FIRST_LOOK_MS * 2 ** number).unref();
  };
  look(0);
}
