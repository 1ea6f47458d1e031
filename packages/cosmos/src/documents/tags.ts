/**
 * Tags as the instance document has them: texts `key=value` in one array, which has one path of the index
 * (docs/decisions/queries.md). In the key `\` and `=` have a backslash in front, and the value is its JSON, so that no two
 * tags have the same text: `2` is not `"2"`, and the key `a` with the value `b=c` is not the key `a=b` with `c`.
 */
import { isTagValue, shownTags, storedJson, type Tags, type TagValue } from "@duroxide-ts/core/stores";

/** The text of a tag. */
export function tagText(key: string, value: TagValue): string {
  return `${key.replaceAll(/[\\=]/g, "\\$&")}=${JSON.stringify(value)}`;
}

/** `undefined` if there are none. */
export function toTagTexts(tags: Tags): readonly string[] | undefined {
  const texts = Object.entries(tags).map(([key, value]) => tagText(key, value));
  return texts.length === 0 ? undefined : texts;
}

const TEXT = /^((?:[^\\=]|\\.)*)=(.*)$/s;

/** Leaves out what is no text of a tag, because somebody has changed the document. */
export function fromTagTexts(texts: unknown): Tags | undefined {
  if (!Array.isArray(texts)) return undefined;
  const entries = texts.flatMap((text) => {
    const tag = fromTagText(String(text));
    return tag === undefined ? [] : [tag];
  });
  return entries.length === 0 ? undefined : shownTags(Object.fromEntries(entries));
}

function fromTagText(text: string): readonly [string, TagValue] | undefined {
  const [, key, json] = TEXT.exec(text) ?? [];
  const value = json === undefined ? undefined : storedJson(json);
  return isTagValue(value) && key !== undefined ? [key.replaceAll(/\\(.)/gs, "$1"), value] : undefined;
}
