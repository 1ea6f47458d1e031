/** Stores the tags of an instance in place of those before (docs/decisions/queries.md). What stays is not written. */
import type { Tags } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { toTagColumn } from "../rows/tags.ts";

const STORED = "SELECT tag_key, tag_value FROM instance_tags WHERE instance_key = ?";

const REMOVE = "DELETE FROM instance_tags WHERE instance_key = ? AND tag_key = ?";

const SET = `INSERT INTO instance_tags (instance_key, tag_key, tag_value, instance_created_at)
  SELECT instance_key, ?2, ?3, created_at FROM instances WHERE instance_key = ?1
  ON CONFLICT (instance_key, tag_key) DO UPDATE SET tag_value = excluded.tag_value`;

interface TagRow {
  readonly tag_key: string;
  readonly tag_value: string | number;
}

export function storeTags(tx: Transaction, instanceKey: number, tags: Tags): void {
  const rows = tx.db.all<TagRow>(STORED, instanceKey);
  const before = new Map(rows.map((row) => [row.tag_key, row.tag_value]));
  const after = new Map(Object.entries(tags).map(([key, value]) => [toText(key), toTagColumn(value)]));
  for (const key of before.keys()) if (!after.has(key)) tx.db.run(REMOVE, instanceKey, key);
  for (const [key, value] of after) if (before.get(key) !== value) tx.db.run(SET, instanceKey, key, value);
}
