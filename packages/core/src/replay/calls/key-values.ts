/**
 * `kv.set`, `kv.delete` and `kv.clear` (runtime-semantics §2.13). Nothing answers them. So, as in Rust, history may have
 * one that the replayed code does not make any more (`mayGoUnmatched`): no call waits for its answer.
 */
import { saturatedNumber } from "../../wire/integer.ts";
import { isAnswerKey } from "../../wire/question.ts";
import { type Content, inApiWords } from "./content.ts";
import { type CallKind, callKind } from "./kind.ts";

/** A key-value entry as the execution holds it. */
export interface KvCell {
  readonly value: string;
  /** Deterministic: the timestamp of the event that the code last received, or the recorded time. */
  lastUpdatedAtMs: number;
}

export interface KvSetRequest extends Content {
  readonly name: string;
  /** The stored value. */
  readonly text: string;
  /** The same for an entry; absent for an answer, which need not be the same in a replay. */
  readonly value?: string;
  readonly cell: KvCell;
  /** Set for an answer that is a refusal. */
  readonly isRefusal?: boolean;
}

export const KV_SET: CallKind<KvSetRequest, "KeyValueSet"> = callKind({
  name: "kv-set",
  schedules: "KeyValueSet",
  toEvent: ({ name, text, cell, isRefusal }) => ({
    key: name,
    value: text,
    last_updated_at_ms: cell.lastUpdatedAtMs,
    ...(isRefusal === true && { refused: true }),
  }),
  recorded: ({ key, value }) => (isAnswerKey(key) ? { name: key } : { name: key, value }),
  adopt({ cell }, { last_updated_at_ms }) {
    cell.lastUpdatedAtMs = saturatedNumber(last_updated_at_ms);
  },
  describe: (content) => inApiWords("set", content),
  mayGoUnmatched: true,
  mismatch: "kv set mismatch",
});

export interface KvClearRequest extends Content {
  readonly name: string;
}

export const KV_CLEAR: CallKind<KvClearRequest, "KeyValueCleared"> = callKind({
  name: "kv-clear",
  schedules: "KeyValueCleared",
  toEvent: ({ name }) => ({ key: name }),
  recorded: ({ key }) => ({ name: key }),
  describe: (content) => inApiWords("delete", content),
  mayGoUnmatched: true,
  // A history may have the clears of one call in another order (runtime-semantics §1.5).
  anyOrder: true,
  mismatch: "kv clear mismatch",
});

export const KV_CLEAR_ALL: CallKind<Content, "KeyValuesCleared"> = callKind({
  name: "kv-clear-all",
  schedules: "KeyValuesCleared",
  toEvent: () => ({}),
  recorded: () => ({}),
  describe: () => "clear()",
  mayGoUnmatched: true,
  mismatch: "kv clear_all mismatch",
});
