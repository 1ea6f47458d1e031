/** Loads the history of the current execution, and the KV at its beginning. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { type KvEntry, messageOf, saturatedNumber } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { decodeDocument } from "../documents/documents.ts";
import { toEvents } from "../documents/history.ts";
import type { Instance } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";

export interface Loaded {
  readonly history: readonly HistoryEvent[];
  readonly kvSnapshot: ReadonlyMap<string, KvEntry>;
  readonly historyError?: string;
}

const EVENTS = "c.type = 'history' AND c.executionId = @execution";
const KV = "c.type = 'kv'";

const EMPTY: Loaded = { history: [], kvSnapshot: new Map() };

/** Unreadable data are returned as an error, not thrown, because the lock is held already (hazard W20). */
export async function loadHistory(work: Work, instanceId: string, instance: Instance): Promise<Loaded> {
  const { lastEventId, kv } = instance.notes;
  const mayHaveKv = kv?.store !== false;
  if (lastEventId === 0 && !mayHaveKv) return EMPTY;
  const { currentExecutionId } = instance.document;
  const alternatives = [`(${EVENTS})`, ...(mayHaveKv ? [KV] : [])];
  const query = `SELECT * FROM c WHERE ${alternatives.join(" OR ")}`;
  return toLoaded(await work.query(instanceId, query, { "@execution": saturatedNumber(currentExecutionId) }));
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
