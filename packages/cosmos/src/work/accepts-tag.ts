/** Which activities a worker takes (docs/reference/provider-contract.md §12): as a query, and in this process. */
import type { TagFilter } from "@duroxide-ts/core";

export function acceptsTag(filter: TagFilter, tag: string | undefined): boolean {
  switch (filter.kind) {
    case "default-only":
      return tag === undefined;
    case "tags":
      return tag !== undefined && filter.tags.includes(tag);
    case "default-and":
      return tag === undefined || filter.tags.includes(tag);
    case "any":
      return true;
    case "none":
      return false;
  }
}

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
