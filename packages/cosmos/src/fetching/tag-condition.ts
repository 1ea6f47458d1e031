/** The tag filter of a worker as a condition of a query (docs/reference/provider-contract.md §12). */
import type { TagFilter } from "@duroxide-ts/core/stores";

const UNTAGGED = "(NOT IS_DEFINED(c.tag) OR c.tag = null)";
const ONE_OF = "ARRAY_CONTAINS(@tags, c.tag)";

/** A condition on `@tags`. */
export function tagCondition({ kind }: TagFilter): string {
  switch (kind) {
    case "default-only":
      return UNTAGGED;
    case "tags":
      return ONE_OF;
    case "default-and":
      return `(${UNTAGGED} OR ${ONE_OF})`;
    case "any":
    case "none":
      return "true";
  }
}

export function tagsOf(filter: TagFilter): readonly string[] {
  return "tags" in filter ? filter.tags : [];
}
