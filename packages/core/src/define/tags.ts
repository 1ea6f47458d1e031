/** Checks of tags that a start or an orchestration sets. */
import { changesFault, countFault, type TagFault } from "../contract/tag-limits.ts";
import { InvalidInputError, LimitExceededError } from "../errors/duroxide-error.ts";
import { changedTags, type TagChanges, type Tags } from "../wire/tags.ts";

/** The tags after changes. InvalidInputError or LimitExceededError for what no instance may have. */
export function checkedTags(call: string, before: Tags, changes: TagChanges): Tags {
  refuse(call, changesFault(changes));
  const after = changedTags(before, changes);
  refuse(call, countFault(after));
  return after;
}

function refuse(call: string, fault: TagFault | undefined): void {
  if (fault === undefined) return;
  const message = `${call}: ${fault.message}`;
  throw fault.isLimit === true ? new LimitExceededError(message) : new InvalidInputError(message);
}
