/** Reads and replaces a part of a JSON value by its path. */

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** A copy with the part replaced; `undefined` removes it, and objects that become empty by that. */
export function withValue(value: unknown, path: readonly string[], part: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return part;
  const entries = new Map(isObject(value) ? Object.entries(value) : []);
  const inner = withValue(entries.get(name), rest, part);
  if (inner === undefined) entries.delete(name);
  else entries.set(name, inner);
  return entries.size === 0 ? undefined : Object.fromEntries(entries);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
