/**
 * Stores the last CustomStatusUpdated of a turn; each turn increments the version once
 * (docs/reference/provider-contract.md §14).
 */
import type { Transaction } from "../commit/transaction.ts";
import { toOptionalText } from "../rows/codec.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

const SET_STATUS = `INSERT INTO custom_statuses (instance_key, custom_status, version) VALUES (?, ?, 1)
  ON CONFLICT (instance_key) DO UPDATE SET custom_status = excluded.custom_status, version = version + 1`;

export function storeCustomStatus(tx: Transaction, instanceKey: number, ack: PreparedTurn): void {
  if (ack.customStatus === undefined) return;
  tx.db.run(SET_STATUS, instanceKey, toOptionalText(ack.customStatus.status));
}
