/** The tags with which a child or a detached instance begins: those of its starter at the call. */
import { hasTags, type Tags } from "../../wire/tags.ts";
import type { RunningCode } from "../code/recorder.ts";

export function inherited(
  { tags }: RunningCode,
  { inheritTags = false }: { readonly inheritTags?: boolean },
): Tags | undefined {
  return inheritTags && hasTags(tags) ? tags : undefined;
}
