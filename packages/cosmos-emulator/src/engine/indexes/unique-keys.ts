/**
 * Unique keys: the values at their paths may be stored once in a logical partition, an absent value counting as
 * null (docs/reference/cosmos-protocol.md §1.15). SQLite's unique indexes see to it.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { parsePropertyPath } from "../../protocol/property-path.ts";
import type { Connection } from "../store/connection.ts";

export function createUniqueIndexes(
  connection: Connection,
  table: string,
  uniqueKeys: readonly (readonly string[])[],
): void {
  uniqueKeys.forEach((paths, index) => {
    const values = paths.map((path) => `ifnull(body -> ${jsonPath(path)}, 'null')`);
    connection.exec(`CREATE UNIQUE INDEX ${table}_unique_${index} ON ${table} (pk, ${values.join(", ")})`);
  });
}

/** Writes a path in SQLite's notation, as a string literal. */
function jsonPath(path: string): string {
  const names = parsePropertyPath(path);
  if (names.some((name) => name.includes('"'))) {
    throw CosmosError.badRequest(
      `The unique key path ${path} is invalid: names must not contain double quotes.`,
    );
  }
  return `'$${names.map((name) => `."${name.replaceAll("'", "''")}"`).join("")}'`;
}
