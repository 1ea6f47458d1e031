/** The live values: both layers in one view, read by one query (docs/reference/provider-contract.md §13; hazard W69). */
import { checkKey } from "@duroxide-ts/core/stores";
import { readInstance } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

const OPERATION = "getKvValues";

const COLUMNS = "SELECT c.type, c.key, c['value'] FROM c WHERE (c.type = 'kv' OR c.type = 'kv_delta')";

interface ValueRow {
  readonly type: string;
  readonly key: string;
  readonly value: string | null;
}

/** All of them, or the one of `key`. */
export async function getKvValues(
  parts: Parts,
  instanceId: string,
  key?: string,
): Promise<ReadonlyMap<string, string>> {
  if (key !== undefined) checkKey(OPERATION, key);
  const work = new Work(parts, OPERATION, READ_TIMEOUT_MS);
  if ((await readInstance(work, instanceId)) === undefined) return new Map();
  const rows =
    key === undefined
      ? await work.query<ValueRow>(instanceId, COLUMNS)
      : await work.query<ValueRow>(instanceId, `${COLUMNS} AND c.key = @key`, { "@key": key });
  return merged(rows);
}

export function merged(rows: readonly ValueRow[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { type, key, value } of rows) if (type === "kv" && value !== null) values.set(key, value);
  for (const { type, key, value } of rows) {
    if (type !== "kv_delta") continue;
    if (value === null) values.delete(key);
    else values.set(key, value);
  }
  return values;
}
