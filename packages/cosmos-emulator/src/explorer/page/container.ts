/** One container as the page knows it: where it is, how its documents are addressed, how it can be queried. */
import { call, link, listOf } from "./endpoint.ts";
import { isObject, type Json, type JsonObject } from "./exact-json.ts";

export interface ContainerInfo {
  readonly database: string;
  readonly container: string;
  /** `dbs/<database>/colls/<container>` */
  readonly path: string;
  readonly definition: JsonObject;
  /** Paths such as `/tenant`, `/user/id`. */
  readonly partitionKeyPaths: readonly string[];
  readonly ranges: readonly JsonObject[];
}

export async function readContainer(database: string, container: string): Promise<ContainerInfo> {
  const path = link("dbs", database, "colls", container);
  const [{ body: definition }, ranges] = await Promise.all([call(path), call(`${path}/pkranges`)]);
  const key = definition["partitionKey"];
  const paths = isObject(key) && Array.isArray(key["paths"]) ? key["paths"].map(String) : [];
  return {
    database,
    container,
    path,
    definition,
    partitionKeyPaths: paths,
    ranges: listOf(ranges, "PartitionKeyRanges"),
  };
}

/**
 * Leads a request to one partition: to a logical one by the key that the user typed (JSON, one value or an array of
 * them), or else to the container's only physical one. A query there is always answered; one over several physical
 * partitions may not be.
 */
export function partitionHeaders({ ranges }: ContainerInfo, typedKey: string): Record<string, string> {
  const key = typedKey.trim();
  if (key !== "") return { "x-ms-documentdb-partitionkey": keyHeader(parseKey(key)) };
  const [range] = ranges;
  return ranges.length === 1 && range !== undefined
    ? { "x-ms-documentdb-partitionkeyrangeid": String(range["id"]) }
    : { "x-ms-documentdb-query-enablecrosspartition": "true" };
}

/** Makes the header for the partition in which a document is. */
export function documentHeaders(
  { partitionKeyPaths }: ContainerInfo,
  document: JsonObject,
): Record<string, string> {
  return { "x-ms-documentdb-partitionkey": keyHeader(partitionKeyOf(partitionKeyPaths, document)) };
}

/** Reads the key of a document. `{}` stands for a property that is absent. */
export function partitionKeyOf(paths: readonly string[], document: JsonObject): readonly Json[] {
  return paths.map((path) => {
    const value = valueAt(path, document);
    return value === undefined ? {} : value;
  });
}

function valueAt(path: string, document: JsonObject): Json | undefined {
  let value: Json | undefined = document;
  for (const name of path.split("/").slice(1)) {
    value = isObject(value) ? value[name.replace(/^"(.*)"$/, "$1")] : undefined;
  }
  return value;
}

function parseKey(text: string): readonly Json[] {
  try {
    const value = JSON.parse(text) as Json;
    return Array.isArray(value) ? value : [value];
  } catch {
    throw new Error(`The partition key is JSON: write "${text}" in quotation marks if it is a text.`);
  }
}

/** Headers hold ASCII only. */
function keyHeader(key: readonly Json[]): string {
  return JSON.stringify(key).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
