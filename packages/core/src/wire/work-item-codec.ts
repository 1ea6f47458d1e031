/**
 * Reads and writes work items. The tables are docs/reference/wire-format.md §3: fields in the order in which Rust
 * writes them, each with its type and its form of "none".
 */
import { errorDetails } from "./error-details-codec.ts";
import type { CarriedMessage } from "./event.ts";
import { parseJson } from "./json-text.ts";
import { ran } from "./ran-codec.ts";
import { replaces } from "./replaces-codec.ts";
import { scheduledRun } from "./scheduled-run.ts";
import { type Fields, struct } from "./struct.ts";
import { readTagged, refuseTag, splitTag } from "./tagged.ts";
import { tags } from "./tags.ts";
import {
  type Codec,
  defaulted,
  flag,
  inMemory,
  listOf,
  nullable,
  optional,
  text,
  textPair,
  u64,
  unknownToRust,
} from "./values.ts";
import { WireError } from "./wire-error.ts";
import type { WorkItem, WorkItemKind, WorkItemPayloads } from "./work-item.ts";

type PayloadTables = { readonly [K in WorkItemKind]: Fields<WorkItemPayloads[K]> };

const PAYLOADS: PayloadTables = {
  StartOrchestration: {
    instance: text,
    orchestration: text,
    input: text,
    version: nullable(text),
    parent_instance: nullable(text),
    parent_id: nullable(u64),
    parent_execution_id: optional(u64),
    execution_id: u64,
    deadline_ms: unknownToRust(u64),
    start_at_ms: unknownToRust(u64),
    debounced_since_ms: unknownToRust(u64),
    if_exists: unknownToRust(text),
    limit: unknownToRust(text),
    priority: unknownToRust(u64),
    tags: unknownToRust(tags),
    scheduled: unknownToRust(scheduledRun),
  },
  ActivityExecute: {
    instance: text,
    execution_id: u64,
    id: u64,
    name: text,
    input: text,
    session_id: optional(text),
    tag: optional(text),
    retry_of: unknownToRust(u64),
    timeout_ms: unknownToRust(u64),
    key_execution: unknownToRust(u64),
    run_id: unknownToRust(text),
    step_of: unknownToRust(text),
    limit: unknownToRust(text),
    priority: unknownToRust(u64),
  },
  ActivityCompleted: { instance: text, execution_id: u64, id: u64, result: text, ran: unknownToRust(ran) },
  ActivityFailed: {
    instance: text,
    execution_id: u64,
    id: u64,
    details: errorDetails,
    ran: unknownToRust(ran),
  },
  TimerFired: { instance: text, execution_id: u64, id: u64, fire_at_ms: u64 },
  ExternalRaised: { instance: text, name: text, data: text, replaces, sent_again: unknownToRust(flag) },
  QueueMessage: { instance: text, name: text, data: text, kept_event: unknownToRust(flag), replaces },
  SubOrchCompleted: { parent_instance: text, parent_execution_id: u64, parent_id: u64, result: text },
  SubOrchFailed: { parent_instance: text, parent_execution_id: u64, parent_id: u64, details: errorDetails },
  CancelInstance: {
    instance: text,
    reason: text,
    deadline_ms: unknownToRust(u64),
    parent_execution_id: unknownToRust(u64),
  },
  ContinueAsNew: {
    instance: text,
    orchestration: text,
    input: text,
    version: nullable(text),
    parent_instance: optional(text),
    parent_id: optional(u64),
    parent_execution_id: optional(u64),
    carry_forward_events: defaulted<readonly CarriedMessage[]>(listOf(textPair), () => []),
    initial_custom_status: optional(text),
    deadline_ms: unknownToRust(u64),
    limit: unknownToRust(text),
    kept_events: unknownToRust(listOf(text)),
    tags: unknownToRust(tags),
    scheduled: unknownToRust(scheduledRun),
  },
};

const KINDS = Object.keys(PAYLOADS) as readonly WorkItemKind[];

const WORK_ITEMS: ReadonlyMap<string, Codec<WorkItem>> = new Map(
  KINDS.map((kind) => [kind, workItemCodec(kind)]),
);

function workItemCodec(kind: WorkItemKind): Codec<WorkItem> {
  const table = { kind: inMemory(kind), ...PAYLOADS[kind] };
  return struct(table as unknown as Fields<WorkItem>);
}

/** Reads stored text; WireError if it cannot be read. */
export function decodeWorkItem(json: string): WorkItem {
  try {
    const [tag, body] = splitTag(parseJson(json), KINDS);
    return readTagged(tag, body, WORK_ITEMS, KINDS);
  } catch (error) {
    throw WireError.about("work item", error);
  }
}

/** Writes the text that Rust writes; WireError for an item that cannot be written. */
export function encodeWorkItem(item: WorkItem): string {
  try {
    const codec = WORK_ITEMS.get(item.kind) ?? refuseTag(item.kind, KINDS, "kind");
    return `{"${item.kind}":${codec.write(item)}}`;
  } catch (error) {
    throw WireError.about("work item", error);
  }
}
