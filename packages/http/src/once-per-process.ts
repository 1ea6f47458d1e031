/**
 * Things of which a process has one, such as a runtime, in servers that evaluate modules more than once: Next evaluates
 * a module for its instrumentation and for its routes, and development servers again after each change.
 */

/**
 * Returns what `make` resolved to when it was called first in this process under this name, in whatever copy of the
 * calling module. If `make` rejects, the next call makes it anew.
 *
 * @example
 * ```ts
 * import { oncePerProcess } from "@duroxide-ts/http";
 *
 * const runtime = await oncePerProcess("runtime", () => Runtime.start({ provider, orchestrations }));
 * ```
 */
export function oncePerProcess<T>(name: string, make: () => Promise<T>): Promise<T> {
  const key = Symbol.for(`duroxide.once.${name}`);
  const known = Reflect.get(globalThis, key) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const made = (async () => make())();
  Reflect.set(globalThis, key, made);
  made.catch(() => Reflect.deleteProperty(globalThis, key));
  return made;
}
