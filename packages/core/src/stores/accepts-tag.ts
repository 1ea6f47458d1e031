import type { TagFilter } from "../contract/provider.ts";

/** Whether a worker takes an activity, by exact tag (docs/reference/provider-contract.md §12). */
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
