/** The contents of the container at an instant. */
import type { HistoryEvent, Tags } from "@duroxide-ts/core";
import type { Document } from "../../packages/cosmos/test/invariants/documents.ts";
import { leftoversIn } from "../../packages/cosmos/test/invariants/leftovers.ts";
import type { DecodedEvents } from "../store/decoded-events.ts";
import type { ShownInstance, Stored, StoredEnd } from "../store/simulated-store.ts";

/** Types of the other documents of an instance; they are created after its document, and deleted before it. */
const OF_INSTANCES: ReadonlySet<string> = new Set(["history", "execution", "kv", "kv_delta"]);

/**
 * Types of documents that belong to no instance. The permit of an instance stays where its return failed, until others
 * want it (commit/sweep-permits.ts).
 */
const OF_LIMITS: ReadonlySet<string> = new Set(["limit_rule", "limit_use", "limit_permit", "ranked_mark"]);

export class StoredDocuments implements Stored {
  readonly histories: ReadonlyMap<string, readonly string[]>;
  readonly #events: DecodedEvents;
  readonly #documents: readonly Document[];
  /** Instances with a document, also those whose first turn is decided and has no name yet. */
  readonly #known: ReadonlySet<string>;

  constructor(documents: readonly Document[], events: DecodedEvents) {
    this.#events = events;
    this.#documents = documents.filter(isShown);
    const instances = documents.filter(({ type }) => type === "instance");
    this.#known = new Set(instances.map(({ instanceId }) => instanceId));
    const rows = documents
      .filter(({ type }) => type === "history")
      .toSorted((a, b) => Number(a["eventId"]) - Number(b["eventId"]));
    const executions = Map.groupBy(rows, ({ instanceId, executionId }) => `${instanceId}#${executionId}`);
    this.histories = new Map(
      [...executions].map(([key, each]) => [key, each.map(({ eventData }) => String(eventData))]),
    );
  }

  decode(event: string): HistoryEvent {
    return this.#events.decode(event);
  }

  get leftovers(): readonly string[] {
    return leftoversIn(this.#documents);
  }

  get ends(): readonly StoredEnd[] {
    return this.#instanceDocuments().map(({ instanceId, currentExecutionId, status }) => ({
      key: `${instanceId}#${currentExecutionId}`,
      status: String(status),
    }));
  }

  get instances(): readonly ShownInstance[] {
    const byInstance = Map.groupBy(this.#documents, ({ instanceId }) => instanceId);
    return this.#instanceDocuments()
      .filter((document) => !isChanging(document))
      .map((document) => shown(document, byInstance.get(document.instanceId) ?? []));
  }

  get contradictions(): readonly string[] {
    return this.#documents
      .filter(({ type, instanceId }) => OF_INSTANCES.has(type) && !this.#known.has(instanceId))
      .map(({ id, type }) => `without its instance: ${type} ${id}`);
  }

  #instanceDocuments(): readonly Document[] {
    return this.#documents.filter(({ type }) => type === "instance");
  }
}

/** A lock that arrives after its instance was deleted creates a document without a name, which no client sees. */
function isShown({ type, ...document }: Document): boolean {
  if (OF_LIMITS.has(type)) return false;
  return type !== "instance" || document["orchestrationName"] !== "";
}

/** The pieces of a decided commit are applied one by one, and those of a deletion too; clients wait, or see nothing. */
function isChanging({ lockToken, duroxideTs }: Document): boolean {
  const notes = (duroxideTs ?? {}) as Readonly<Record<string, unknown>>;
  return String(lockToken).startsWith("commit:") || notes["deletion"] !== undefined;
}

function shown(document: Document, documents: readonly Document[]): ShownInstance {
  const { instanceId, currentExecutionId, status, output, customStatus } = document;
  const entries = new Map<string, string>();
  const executions = new Map([[Number(currentExecutionId), String(status)]]);
  for (const { type, executionId, ...each } of documents) {
    if (type === "kv") entries.set(String(each["key"]), String(each["value"]));
    if (type === "execution") executions.set(Number(executionId), String(each["status"]));
  }
  for (const { type, key, value } of documents) {
    if (type !== "kv_delta") continue;
    if (value === null) entries.delete(String(key));
    else entries.set(String(key), String(value));
  }
  return {
    instanceId,
    executionId: Number(currentExecutionId),
    status: String(status),
    output: textOf(output),
    customStatus: textOf(customStatus),
    tags: tagsOf(document),
    entries,
    executions,
  };
}

/** A field without a value may be left out. */
function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** The texts are read anew, so that a fault of the provider cannot hide itself. */
function tagsOf({ duroxideTs }: Document): Tags {
  const { tags = [] } = (duroxideTs ?? {}) as { readonly tags?: readonly string[] };
  return Object.fromEntries(
    tags.map((text) => {
      const at = text.indexOf("=");
      return [text.slice(0, at), JSON.parse(text.slice(at + 1)) as string | number | boolean];
    }),
  );
}
