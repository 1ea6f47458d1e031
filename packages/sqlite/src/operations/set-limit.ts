/** Replaces or removes the rule of a key (docs/reference/provider-contract.md §12.1). */
import type { LimitChange } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { openAll } from "../limits/queues.ts";
import { toOptionalText, toText } from "../rows/codec.ts";

const LAST = "SELECT rule, applied FROM limits WHERE limit_key = ?";

const NOTE_APPLIED = "UPDATE limits SET applied = ?2 WHERE limit_key = ?1";

/** A rule that was deleted leaves its row, so that the code that has stored it does not bring it back. */
const SET = `INSERT INTO limits (limit_key, rule, per_ms, changed_at, changed_by, reason, applied)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
  ON CONFLICT (limit_key) DO UPDATE SET rule = ?2, per_ms = ?3, changed_at = ?4, changed_by = ?5, reason = ?6,
    applied = coalesce(?7, applied)`;

export function setLimit(givenKey: string, change: LimitChange): WriteOperation<void> {
  const { rule, perMs, by, reason, applied = null } = change;
  const key = toText(givenKey);
  const text = rule === undefined ? null : JSON.stringify(rule);
  return (tx) => {
    const last = tx.db.get<{ rule: string | null; applied: string | null }>(LAST, key);
    if (applied !== null && last?.applied === applied) return;
    if (applied !== null && last?.rule === text) {
      tx.db.run(NOTE_APPLIED, key, applied);
      return;
    }
    tx.db.run(SET, key, text, perMs, tx.nowMs, toOptionalText(by), toOptionalText(reason), applied);
    openAll(tx, key);
  };
}
