/** The sizes of the current execution and the KV (docs/reference/provider-contract.md §14). */
import { ANSWER_PREFIX, carriedMessages, type InstanceStats } from "@duroxide-ts/core/stores";
import { snapshot } from "../commit/reader.ts";
import type { Database } from "../connection/database.ts";
import { toText } from "../rows/codec.ts";

const OPERATION = "getInstanceStats";

const INSTANCE = `SELECT instance_key, execution_id FROM instances
  WHERE instance_id = ? AND orchestration_name IS NOT NULL`;

const HISTORY = `SELECT coalesce(sum(event_count), 0) AS events, coalesce(sum(octet_length(event) - event_count + 1), 0) AS bytes
  FROM history WHERE instance_key = ? AND execution_id = ?`;

const FIRST_EVENT = `SELECT event FROM history WHERE instance_key = ? AND execution_id = ?
  AND event_id = 1`;

/** Answers to questions are no entries. */
const IS_ENTRY = `key NOT GLOB '${ANSWER_PREFIX}*'`;

/** An escaped character (codec.ts) is stored with one byte more than it counts. */
const KV = `WITH live (value) AS (
    SELECT value FROM kv_delta WHERE instance_key = ?1 AND value IS NOT NULL AND ${IS_ENTRY}
    UNION ALL
    SELECT value FROM kv_store AS s WHERE instance_key = ?1
      AND NOT EXISTS (SELECT 1 FROM kv_delta AS d WHERE d.instance_key = ?1 AND d.key = s.key)
      AND ${IS_ENTRY})
  SELECT count(*) AS keys,
    coalesce(sum(octet_length(value) - (length(value) - length(replace(value, char(1), '')))), 0) AS bytes
  FROM live`;

export function getInstanceStats(db: Database, instanceId: string): InstanceStats | undefined {
  return snapshot(db, () => {
    const instance = db.get<{ instance_key: number; execution_id: number }>(INSTANCE, toText(instanceId));
    if (instance === undefined) return undefined;
    const { instance_key: key, execution_id: execution } = instance;
    const history = db.get<{ events: number; bytes: number }>(HISTORY, key, execution);
    const first = db.get<{ event: string }>(FIRST_EVENT, key, execution);
    const kv = db.get<{ keys: number; bytes: number }>(KV, key);
    return {
      historyEventCount: history?.events ?? 0,
      historySizeBytes: history?.bytes ?? 0,
      queuePendingCount: first === undefined ? 0 : carriedMessages(OPERATION, first.event),
      kvUserKeyCount: kv?.keys ?? 0,
      kvTotalValueBytes: kv?.bytes ?? 0,
    };
  });
}
