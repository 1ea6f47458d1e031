/** The facts of a container that leases need: its partition key, and whether its account has one write region. */
import type { Container, PartitionKey } from "@azure/cosmos";
import { ProviderError } from "@duroxide-ts/core";
import type { Deadline } from "../service/call.ts";
import { type Pace, persist } from "../service/persist.ts";
import type { DocumentAddress, LeasableDocument } from "./lease.ts";
import { invalid, type LeaseSettings, type PropertyPath } from "./settings.ts";

export interface ContainerFacts {
  readonly partitionKeyPaths: readonly PropertyPath[];
}

/** Two requests. Throws `cannot-open` if leases would not be safe. */
export async function readFacts(container: Container, pace: Pace, call: Deadline): Promise<ContainerFacts> {
  const { client } = container.database;
  const account = await persist(pace, call, () => client.getDatabaseAccount());
  if (account.value.resource?.enableMultipleWritableLocations === true) {
    throw new ProviderError({
      code: "cannot-open",
      operation: call.operation,
      message:
        "the account is written to in several regions, so two holders could have the same lease, each in its own region. Use an account with one write region",
    });
  }
  const { value } = await persist(pace, call, () => container.read());
  return { partitionKeyPaths: (value.resource?.partitionKey?.paths ?? []).map(toPropertyPath) };
}

/** Returns a path such as `/tenant/id`; a name with special characters is quoted: `/"first name"`. */
function toPropertyPath(path: string): PropertyPath {
  const names = path.match(/"(?:[^"\\]|\\.)*"|[^/]+/g) ?? [];
  return names.map((name) => (name.startsWith('"') ? String(JSON.parse(name)) : name));
}

/** The partition key of a document that the caller named. */
export function partitionKeyAt(
  { partitionKeyPaths }: ContainerFacts,
  { partitionKeyOf }: LeaseSettings,
  operation: string,
  document: DocumentAddress,
): PartitionKey {
  if (typeof document !== "string") return document.partitionKey;
  if (partitionKeyOf !== undefined) return partitionKeyOf(document);
  const [path, ...more] = partitionKeyPaths;
  if (path?.join("/") === "id" && more.length === 0) return document;
  throw invalid(
    operation,
    `the container is not partitioned by id, so the id ${JSON.stringify(document)} alone does not lead to the document; give { id, partitionKey }, or partitionKeyOf in the options`,
  );
}

/** The partition key of a document that a query found. */
export function partitionKeyIn(
  { partitionKeyPaths }: ContainerFacts,
  document: LeasableDocument,
): PartitionKey {
  const values = partitionKeyPaths.map((path) => valueAt(document, path));
  const keys = values.map((value) => (value === undefined ? NO_VALUE : value)) as (string | number)[];
  const [key] = keys;
  return keys.length === 1 && key !== undefined ? key : keys;
}

/** The SDK's form of a partition key without a value. */
const NO_VALUE = {};

export function valueAt(document: unknown, path: PropertyPath): unknown {
  let value = document;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** Whether both documents lie in one partition. */
export function hasPartitionKeyOf(
  { partitionKeyPaths }: ContainerFacts,
  stored: object,
  written: object,
): boolean {
  return partitionKeyPaths.every((path) => valueAt(stored, path) === valueAt(written, path));
}
