/** The rules for instance ids (docs/reference/runtime-semantics.md §2.6 and §4). */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { shown } from "../options/option-list.ts";
import { exceedsUtf8, utf8Bytes } from "../wire/utf8.ts";
import { MAX_INSTANCE_ID_BYTES, surrogateFault } from "./limits.ts";

/** The prefix of the suffix in ids that the runtime generates for children. */
export const CHILD_MARKER: string = "sub::";

/** Checks an id of a client's start or a detached start. */
export function checkRootId(instanceId: string): void {
  checkLength(instanceId);
  if (instanceId.startsWith(CHILD_MARKER) || instanceId.includes(`::${CHILD_MARKER}`)) {
    throw new InvalidInputError(
      `instance id '${instanceId}' uses the reserved sub-orchestration marker '${CHILD_MARKER}'; use another id`,
    );
  }
}

/** Checks the explicit id of a child; it may contain the marker, but not begin with it. */
export function checkChildId(instanceId: string): void {
  checkLength(instanceId);
  if (instanceId.startsWith(CHILD_MARKER)) {
    throw new InvalidInputError(
      `sub-orchestration instance id '${instanceId}' starts with the reserved marker '${CHILD_MARKER}', which the ` +
        "runtime uses to mark auto-generated child ids; use an id that does not begin with it",
    );
  }
}

/** Checks the id of an instance that may exist already, children included. */
export function checkInstanceId(instanceId: string): void {
  checkLength(instanceId);
}

function checkLength(instanceId: unknown): void {
  if (
    typeof instanceId === "string" &&
    instanceId !== "" &&
    !exceedsUtf8(instanceId, MAX_INSTANCE_ID_BYTES)
  ) {
    const fault = surrogateFault("an instance id", instanceId);
    if (fault === undefined) return;
    throw new InvalidInputError(fault);
  }
  throw new InvalidInputError(
    `an instance id must be a string of 1 to ${MAX_INSTANCE_ID_BYTES} UTF-8 bytes; got ${describe(instanceId)}`,
  );
}

function describe(value: unknown): string {
  return typeof value === "string" ? `one of ${utf8Bytes(value)}` : shown(value);
}
