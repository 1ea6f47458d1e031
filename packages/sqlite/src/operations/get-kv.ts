/**
 * Live KV: the entries of earlier executions with the current one's changes (docs/reference/provider-contract.md §13).
 */
import { checkKey } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText, toText } from "../rows/codec.ts";

const VALUE = `SELECT CASE WHEN d.key IS NULL THEN s.value ELSE d.value END AS value FROM instances AS i
  LEFT JOIN kv_delta AS d ON d.instance_key = i.instance_key AND d.key = ?2
  LEFT JOIN kv_store AS s ON s.instance_key = i.instance_key AND s.key = ?2
  WHERE i.instance_id = ?1`;

const ALL_VALUES = `WITH owner (instance_key) AS (SELECT instance_key FROM instances WHERE instance_id = ?)
  SELECT key, value FROM kv_delta WHERE instance_key = (SELECT instance_key FROM owner) AND value IS NOT NULL
  UNION ALL
  SELECT key, value FROM kv_store AS s WHERE instance_key = (SELECT instance_key FROM owner)
    AND NOT EXISTS (SELECT 1 FROM kv_delta AS d WHERE d.instance_key = s.instance_key AND d.key = s.key)
  ORDER BY key`;

/** All of them, or the one of `key`. */
export function getKvValues(db: Database, instanceId: string, key?: string): ReadonlyMap<string, string> {
  if (key === undefined) {
    const rows = db.all<{ key: string; value: string }>(ALL_VALUES, toText(instanceId));
    return new Map(rows.map((row) => [fromText(row.key), fromText(row.value)]));
  }
  checkKey("getKvValues", key);
  const row = db.get<{ value: string | null }>(VALUE, toText(instanceId), toText(key));
  return new Map(typeof row?.value === "string" ? [[key, fromText(row.value)]] : []);
}
