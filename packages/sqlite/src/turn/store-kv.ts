/**
 * KV in two layers: `kv_store` is the merged state of ended executions, `kv_delta` has the changes of the current
 * execution, with NULL for a removal. The commit that ends an execution merges the delta into the store
 * (docs/reference/provider-contract.md §13). `kv_layers` says which layers may have rows, so that instances without KV
 * have no extra cost.
 */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

export const KV_STORE = 1;
export const KV_DELTA = 2;

const SET_KEY = `INSERT INTO kv_delta (instance_key, key, value, last_updated_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (instance_key, key) DO UPDATE SET value = excluded.value, last_updated_at = excluded.last_updated_at`;

const REMOVE_DELTA_KEYS = "UPDATE kv_delta SET value = NULL, last_updated_at = ? WHERE instance_key = ?";

const REMOVE_STORE_KEYS = `INSERT INTO kv_delta (instance_key, key, value, last_updated_at)
  SELECT instance_key, key, NULL, ? FROM kv_store WHERE instance_key = ?
  ON CONFLICT (instance_key, key) DO NOTHING`;

const MERGE_VALUES = `INSERT INTO kv_store (instance_key, key, value, last_updated_at)
  SELECT instance_key, key, value, last_updated_at FROM kv_delta WHERE instance_key = ? AND value IS NOT NULL
  ON CONFLICT (instance_key, key) DO UPDATE SET value = excluded.value, last_updated_at = excluded.last_updated_at`;

const MERGE_REMOVALS = `DELETE FROM kv_store WHERE instance_key = ?1 AND key IN
  (SELECT key FROM kv_delta WHERE instance_key = ?1 AND value IS NULL)`;

const EMPTY_DELTA = "DELETE FROM kv_delta WHERE instance_key = ?";

/** Returns the layers that may have rows afterwards. */
export function storeKv(tx: Transaction, instanceKey: number, layers: number, ack: PreparedTurn): number {
  const changed = ack.changesKv;
  if (changed) applyEvents(tx, instanceKey, ack);
  const withDelta = changed ? layers | KV_DELTA : layers;
  if (ack.metadata.status === undefined || (withDelta & KV_DELTA) === 0) return withDelta;
  tx.db.run(MERGE_VALUES, instanceKey);
  tx.db.run(MERGE_REMOVALS, instanceKey);
  tx.db.run(EMPTY_DELTA, instanceKey);
  return KV_STORE;
}

function applyEvents(tx: Transaction, instanceKey: number, ack: PreparedTurn): void {
  for (const { event } of ack.events) {
    if (event.type === "KeyValueSet") {
      const at = saturatedNumber(event.last_updated_at_ms);
      tx.db.run(SET_KEY, instanceKey, toText(event.key), toText(event.value), at);
    } else if (event.type === "KeyValueCleared") {
      tx.db.run(SET_KEY, instanceKey, toText(event.key), null, tx.nowMs);
    } else if (event.type === "KeyValuesCleared") {
      tx.db.run(REMOVE_DELTA_KEYS, tx.nowMs, instanceKey);
      tx.db.run(REMOVE_STORE_KEYS, tx.nowMs, instanceKey);
    }
  }
}
