/**
 * The tags of a turn (docs/decisions/queries.md): what the code has set is compared with what history says, so that neither
 * a replay nor a repetition by hand sets tags again, and code that is added sets them.
 */
import { hasTags, sameTags, type Tags } from "../../wire/tags.ts";
import type { EventWriter } from "./event-writer.ts";
import type { HistoryIndex } from "./history-index.ts";

/**
 * The tags that the commit stores; `undefined` if it changes none. A turn from history stores them also where they are
 * the same, because Rust removes them when it writes the instance.
 */
export function recordTags(
  tags: Tags,
  index: HistoryIndex,
  writer: EventWriter,
  isFromMemory: boolean,
): Tags | undefined {
  if (!sameTags(tags, index.tags)) return writer.markTags(tags) ? tags : undefined;
  return !isFromMemory && hasTags(tags) ? tags : undefined;
}
