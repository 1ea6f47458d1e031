/** The tags of instances, by their keys; an instance without tags has no entry. */
import { shownTags, type Tags, type TagValue } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText } from "../rows/codec.ts";
import { fromTagColumn } from "../rows/tags.ts";

const TAGS = `SELECT instance_key, tag_key, tag_value FROM instance_tags
  WHERE instance_key IN (SELECT value FROM json_each(?)) ORDER BY instance_key, tag_key`;

interface TagRow {
  readonly instance_key: number;
  readonly tag_key: string;
  readonly tag_value: string | number;
}

export function readTags(db: Database, keys: readonly number[]): ReadonlyMap<number, Tags> {
  const entries = new Map<number, [string, TagValue][]>();
  for (const { instance_key: key, tag_key: name, tag_value: value } of db.all<TagRow>(
    TAGS,
    JSON.stringify(keys),
  )) {
    const ofInstance = entries.get(key) ?? [];
    ofInstance.push([fromText(name), fromTagColumn(value)]);
    entries.set(key, ofInstance);
  }
  return new Map(
    [...entries].flatMap(([key, ofInstance]) => {
      const tags = shownTags(Object.fromEntries(ofInstance));
      return tags === undefined ? [] : [[key, tags] as const];
    }),
  );
}
