/** The KV with which each execution begins, rebuilt from the histories of earlier ones. */
import type { KvEntry } from "../../contract/provider.ts";
import type { HistoryEvent, RevisionMark } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import type { StoredExecution } from "./stored-executions.ts";

type Kv = ReadonlyMap<string, KvEntry>;

const NO_ENTRIES: Kv = new Map();

export class CarriedKv {
  /** Entries with which each execution began, by instance and execution. */
  readonly #begun = new Map<string, Kv>();
  /** Entries that the newest execution of each instance left. */
  readonly #left = new Map<string, Kv>();

  /** Asked once for each execution, in their order. */
  before({ instanceId, executionId, started, events }: StoredExecution): Kv {
    const entries = this.#entriesFor(instanceId, started.revision) ?? NO_ENTRIES;
    this.#begun.set(keyOf(instanceId, executionId), entries);
    this.#left.set(instanceId, carry(entries, events));
    return entries;
  }

  /** Retry and rewind set the entries back, and a restart begins with none (docs/decisions/verbs.md). */
  #entriesFor(instanceId: string, revision: RevisionMark | undefined): Kv | undefined {
    if (revision === undefined) return this.#left.get(instanceId);
    return revision.verb === "restart" ? undefined : this.#begun.get(keyOf(instanceId, Number(revision.of)));
  }
}

function keyOf(instanceId: string, executionId: number): string {
  return JSON.stringify([instanceId, executionId]);
}

function carry(before: Kv, events: readonly HistoryEvent[]): Kv {
  const entries = new Map(before);
  for (const event of events) {
    if (event.type === "KeyValuesCleared") entries.clear();
    else if (event.type === "KeyValueCleared") entries.delete(event.key);
    else if (event.type === "KeyValueSet") {
      const lastUpdatedAtMs = saturatedNumber(event.last_updated_at_ms);
      entries.set(event.key, { value: event.value, lastUpdatedAtMs });
    }
  }
  return entries;
}
