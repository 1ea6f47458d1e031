/**
 * Returns an object that all copies of this package in a process share. A process may load it more than once: reloads
 * of a development server, test runners that reset modules, bundles. What replaces a global, or must be read before
 * others replace it, exists once for all of them. The names have a version: copies share only what has one form.
 */
export function shared<T>(name: string, make: () => T): T {
  const key = Symbol.for(`duroxide.${name}`);
  const known = Reflect.get(globalThis, key) as T | undefined;
  if (known !== undefined) return known;
  const made = make();
  Object.defineProperty(globalThis, key, { value: made });
  return made;
}
