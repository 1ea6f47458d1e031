/** The routes. Ids and names are segments of the address, so any text can be one. */
import { Refused } from "@duroxide-ts/core/web";
import { STORE_CALLS } from "../wire/store-calls.ts";
import { ask } from "./ask.ts";
import type { Answer } from "./call.ts";
import { cancel } from "./cancel.ts";
import { enqueue, raise } from "./deliver.ts";
import { result, status } from "./instance.ts";
import { openApi } from "./open-api.ts";
import { start } from "./start.ts";
import { entries, entry, history, progress, stats, streams } from "./state.ts";
import { storeCall } from "./store-call.ts";
import { stream } from "./stream.ts";

/** The answers at an address. GET reads, for viewers and operators; POST changes, for operators, unless it only reads. */
export interface Found {
  readonly segments: readonly string[];
  readonly onlyReads?: boolean;
  readonly get?: Answer;
  readonly post?: Answer;
}

const OF_INSTANCE: Readonly<Record<string, Omit<Found, "segments">>> = {
  result: { get: result },
  entries: { get: entries },
  stats: { get: stats },
  history: { get: history },
  streams: { get: streams },
  progress: { get: progress },
  cancel: { post: cancel },
};

const WITH_NAME: Readonly<Record<string, Omit<Found, "segments">>> = {
  events: { post: raise },
  queues: { post: enqueue },
  ask: { post: ask },
  entries: { get: entry },
  streams: { get: stream },
};

/** Finds what lies at a path below the base; `isKnown` tells names of orchestrations. `undefined` where there is nothing. */
export function find(path: string, isKnown: (name: string) => boolean): Found | undefined {
  const [first = "", id, kind, name, ...rest] = path.split("/").map(decoded);
  if (rest.length > 0 || [id, kind, name].includes("")) return undefined;
  if (id === undefined) {
    const found = { segments: [first], ...(first === "openapi.json" && { get: openApi }) };
    return isKnown(first) ? { ...found, post: start } : "get" in found ? found : undefined;
  }
  if (first !== "instances") return kind === undefined ? findStoreCall(first, id) : undefined;
  if (kind === undefined) return { segments: [id], get: status };
  const of = name === undefined ? own(OF_INSTANCE, kind) : own(WITH_NAME, kind);
  return of && { segments: name === undefined ? [id] : [id, name], ...of };
}

function findStoreCall(part: string, call: string): Found | undefined {
  const calls = own<Readonly<Record<string, unknown>>>(STORE_CALLS, part);
  const kind = calls && own(calls, call);
  return kind === undefined
    ? undefined
    : { segments: [part, call], onlyReads: kind === "read", post: storeCall };
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refused(400, "invalid-input", "the address has a % that begins no character; encode its parts");
  }
}
