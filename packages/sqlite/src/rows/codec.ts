/**
 * Rows ↔ domain. Events and work items are stored as their wire JSON, text columns as text.
 *
 * SQLite keeps NUL characters, but some supported versions of Node read a text column only up to its first one.
 * Raw text is therefore escaped: NUL becomes U+0001 U+0002 and U+0001 becomes U+0001 U+0003. The mapping is
 * one to one, so escaped ids and keys can be compared in SQL. JSON needs none of it.
 */
import {
  type ActivityExecute,
  encodeEvent as eventToJson,
  formatSemver,
  type HistoryEvent,
  invalidInput,
  decodeWorkItem as jsonToWorkItem,
  messageOf,
  type OrchestratorItem,
  parseSemver,
  type Semver,
  saturatedNumber,
  type U64,
  WireError,
  type WorkItem,
  encodeWorkItem as workItemToJson,
} from "@duroxide-ts/core/stores";

export function toText(value: string): string {
  return value.includes("\u0000") || value.includes("\u0001")
    ? value.replaceAll("\u0001", "\u0001\u0003").replaceAll("\u0000", "\u0001\u0002")
    : value;
}

export function fromText(text: string): string {
  return text.includes("\u0001")
    ? text.replaceAll("\u0001\u0002", "\u0000").replaceAll("\u0001\u0003", "\u0001")
    : text;
}

export function toOptionalText(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : toText(value);
}

export function fromOptionalText(text: string | null): string | null {
  return text === null ? null : fromText(text);
}

/** Ids of activities and executions as columns. Only data of other programs has larger ids. */
export function toInteger(value: U64): number {
  return saturatedNumber(value);
}

/** A column for the tag of an activity: '' is "no tag", which differs from the tag ''. */
export function toLane(tag: string | undefined): string {
  return tag === undefined ? "" : `=${toText(tag)}`;
}

/**
 * `worker_queue.due_at` of an activity with a limit or a priority of its own that waits (limits/queues.ts). Every fetch
 * searches for rows that fall due and so learns that there are any; no other statement reads them.
 */
export const RANKED_AT = 1;

/**
 * Rows that are locked or delayed. The index of them has those with `due_at > 0`, and serves no statement without this
 * condition. The first one is where the search begins, so ranked rows are not walked over.
 */
export const BEHIND_RANKED: string = `due_at > ${RANKED_AT} AND due_at > 0`;

/** `worker_queue.limit_key` of those that have only a priority; all other activities have NULL. */
export const NO_KEY = "";

export function toPin(version: Semver | undefined): string {
  return version === undefined ? "" : formatSemver(version);
}

export function fromPin(pin: string): Semver | undefined {
  return pin === "" ? undefined : parseSemver(pin);
}

/** A failure is `invalid-input`, because only arguments of the caller can fail to encode. */
export function encodeEvent(operation: string, event: HistoryEvent): string {
  try {
    return eventToJson(event);
  } catch (cause) {
    throw invalidInput(operation, messageOf(cause), cause);
  }
}

export function encodeWorkItem(operation: string, item: WorkItem): string {
  try {
    return workItemToJson(item);
  } catch (cause) {
    throw invalidInput(operation, messageOf(cause), cause);
  }
}

/** Throws a WireError. */
export function decodeOrchestratorItem(json: string): OrchestratorItem {
  const item = jsonToWorkItem(json);
  if (item.kind !== "ActivityExecute") return item;
  throw new WireError({ code: "unknown-variant", detail: "an activity is no orchestrator message" });
}

/** Throws a WireError. */
export function decodeActivity(json: string): ActivityExecute {
  const item = jsonToWorkItem(json);
  if (item.kind === "ActivityExecute") return item;
  throw new WireError({ code: "unknown-variant", detail: `a ${item.kind} is no activity` });
}
