/** Custom status and KV as the code changes them: local at once, recorded in call order, limits checked first. */
import {
  exceedsUtf8,
  MAX_CUSTOM_STATUS_BYTES,
  MAX_KV_KEYS,
  MAX_KV_VALUE_BYTES,
  utf8Bytes,
} from "../define/limits.ts";
import { LimitExceededError } from "../errors/duroxide-error.ts";
import type { LiveExecution } from "./live-execution.ts";

export class KvAccess {
  readonly #execution: LiveExecution;

  constructor(execution: LiveExecution) {
    this.#execution = execution;
  }

  setCustomStatus(status: unknown): void {
    const { codec, program } = this.#execution;
    const text = status === undefined ? null : codec.encode(status, "custom-status", program.name);
    if (text !== null && exceedsUtf8(text, MAX_CUSTOM_STATUS_BYTES)) {
      throw new LimitExceededError(
        `Custom status size (${utf8Bytes(text)} bytes) exceeds limit (${MAX_CUSTOM_STATUS_BYTES} bytes)`,
      );
    }
    this.#execution.customStatus = text;
    this.#execution.emit({ kind: "custom-status", status: text });
  }

  customStatus(): unknown {
    const { customStatus, codec } = this.#execution;
    return customStatus === null ? undefined : codec.decode(customStatus);
  }

  set(key: string, value: unknown): void {
    const { kv, codec, nowMs } = this.#execution;
    const text = codec.encode(value, "kv-value", key);
    if (exceedsUtf8(text, MAX_KV_VALUE_BYTES)) {
      throw new LimitExceededError(
        `KV value for key '${key}' (${utf8Bytes(text)} bytes) exceeds limit (${MAX_KV_VALUE_BYTES} bytes)`,
      );
    }
    if (!kv.has(key) && kv.size >= MAX_KV_KEYS) {
      throw new LimitExceededError(`KV key count (${kv.size + 1}) exceeds limit (${MAX_KV_KEYS})`);
    }
    const cell = kv.set(key, text, nowMs);
    this.#execution.emit({ kind: "kv-set", key, value: text, cell });
  }

  get(key: string): unknown {
    const text = this.#execution.kv.get(key);
    return text === undefined ? undefined : this.#execution.codec.decode(text);
  }

  keys(): readonly string[] {
    return this.#execution.kv.keys();
  }

  delete(key: string): void {
    this.#execution.kv.delete(key);
    this.#execution.emit({ kind: "kv-clear", key });
  }

  clear(): void {
    this.#execution.kv.clear();
    this.#execution.emit({ kind: "kv-clear-all" });
  }

  deleteUpdatedBefore(cutoffMs: number): number {
    const keys = this.#execution.kv.keysUpdatedBefore(cutoffMs);
    for (const key of keys) this.delete(key);
    return keys.length;
  }
}
