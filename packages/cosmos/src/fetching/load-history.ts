/** Loads the history of the current execution, and the KV at its beginning. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { type KvEntry, messageOf, saturatedNumber } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { decodeDocument } from "../documents/documents.ts";
import { toEvents } from "../documents/history.ts";
import type { Instance } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";

export interface Loaded {
  readonly history: readonly HistoryEvent[];
  readonly kvSnapshot: ReadonlyMap<string, KvEntry>;
  readonly historyError?: string;
}

const EVENTS = "c.type = 'history' AND c.executionId = @execution";
const KV = "c.type = 'kv'";
const INSTANCE = "c.type = 'instance'";

const EMPTY: Loaded = { history: [], kvSnapshot: new Map() };

/**
 * Unreadable data are returned as an error, not thrown, because the lock is held already (hazard W20). What a replica
 * that lags behind returns is read again: it has fewer events than the instance notes or, where the execution has none
 * yet or Rust wrote the instance without our notes, it shows the instance without this lock.
 */
export async function loadHistory(call: Call, instanceId: string, instance: Instance): Promise<Loaded> {
  const { lastEventId = 0, kv } = instance.notes;
  const mayHaveKv = kv?.store !== false;
  if (instance.notes.lastEventId === 0 && !mayHaveKv) return EMPTY;
  const { lockToken, currentExecutionId } = instance.document;
  const needsInstance = lastEventId === 0 && lockToken !== null;
  const alternatives = [`(${EVENTS})`, ...(mayHaveKv ? [KV] : []), ...(needsInstance ? [INSTANCE] : [])];
  const spec = {
    query: `SELECT * FROM c WHERE ${alternatives.join(" OR ")}`,
    parameters: [{ name: "@execution", value: saturatedNumber(currentExecutionId) }],
  };
  for (let attempts = 1; ; attempts++) {
    const documents = await call.query(instanceId, spec);
    const loaded = toLoaded(documents);
    if (loaded.historyError !== undefined) return loaded;
    const isShown = !needsInstance || documents.some((each) => each["lockToken"] === lockToken);
    if (isShown && (loaded.history.at(-1)?.event_id ?? 0) >= lastEventId) return loaded;
    await call.again(attempts);
  }
}

function toLoaded(documents: readonly Stored[]): Loaded {
  try {
    return {
      history: toEvents(documents.filter(({ type }) => type === "history")),
      kvSnapshot: toSnapshot(documents.filter(({ type }) => type === "kv")),
    };
  } catch (error) {
    return { ...EMPTY, historyError: messageOf(error) };
  }
}

function toSnapshot(documents: readonly Stored[]): ReadonlyMap<string, KvEntry> {
  const entries = documents.map((document): [string, KvEntry] => {
    const { key, value, lastUpdatedAtMs } = decodeDocument("kv", document);
    return [key, { value, lastUpdatedAtMs: saturatedNumber(lastUpdatedAtMs) }];
  });
  return new Map(entries);
}
