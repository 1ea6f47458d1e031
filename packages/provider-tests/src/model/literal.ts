/** Values as the source text that makes them, as short as that can be. */

/** How single values are written: by the name of a variable, or by the call that made them. */
export type Names = ReadonlyMap<unknown, string>;

export function literal(value: unknown, names: Names = new Map()): string {
  const name = names.get(value);
  if (name !== undefined) return name;
  if (typeof value === "function") return value.name;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const write = (each: unknown): string => literal(each, names);
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (value instanceof Map) return `new Map(${write([...value])})`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "{}";
  return `{ ${fields.map(([key, field]) => `${propertyName(key)}: ${write(field)}`).join(", ")} }`;
}

/** A call of a function that is in scope under its own name. */
export function callText(name: string, args: readonly unknown[], names: Names): string {
  const last = args.findLastIndex((arg) => arg !== undefined);
  return `${name}(${args
    .slice(0, last + 1)
    .map((arg) => literal(arg, names))
    .join(", ")})`;
}

function propertyName(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}
