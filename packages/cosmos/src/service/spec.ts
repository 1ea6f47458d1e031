/** Query with its parameters. */
import type { JSONValue, SqlQuerySpec } from "@azure/cosmos";

/** Values by the names of the parameters, such as `@now`. */
export type Parameters = Readonly<Record<string, JSONValue | readonly JSONValue[]>>;

export function spec(query: string, parameters: Parameters = {}): SqlQuerySpec {
  const values = Object.entries(parameters);
  if (values.length === 0) return { query };
  return { query, parameters: values.map(([name, value]) => ({ name, value: value as JSONValue })) };
}
