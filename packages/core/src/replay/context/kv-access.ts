/**
 * Changes the custom status and the key-value entries for the context. Limits are checked first, then the change takes
 * effect in memory, then it is recorded: a refused change leaves no trace in either.
 */
import {
  exceedsUtf8,
  MAX_CUSTOM_STATUS_BYTES,
  MAX_KV_KEYS,
  MAX_KV_VALUE_BYTES,
  utf8Bytes,
} from "../../define/limits.ts";
import { LimitExceededError } from "../../errors/duroxide-error.ts";
import { CUSTOM_STATUS } from "../calls/custom-status.ts";
import { KV_CLEAR, KV_CLEAR_ALL, KV_SET } from "../calls/key-values.ts";
import type { Recorder, RunningCode } from "../code/recorder.ts";

export class KvAccess {
  readonly #code: RunningCode;
  readonly #recorder: Recorder;

  constructor(code: RunningCode, recorder: Recorder) {
    this.#code = code;
    this.#recorder = recorder;
  }

  setCustomStatus(status: unknown): void {
    const { identity, surroundings } = this.#code;
    const { name } = identity.program;
    const text = status === undefined ? null : surroundings.codec.encode(status, "custom-status", name);
    if (text !== null && exceedsUtf8(text, MAX_CUSTOM_STATUS_BYTES)) {
      throw new LimitExceededError(
        `Custom status size (${utf8Bytes(text)} bytes) exceeds limit (${MAX_CUSTOM_STATUS_BYTES} bytes)`,
      );
    }
    this.#code.setStatus(text);
    this.#recorder.emit(CUSTOM_STATUS, { status: text });
  }

  customStatus(): unknown {
    const { status, surroundings } = this.#code;
    return status === null ? undefined : surroundings.codec.decode(status);
  }

  set(key: string, value: unknown): void {
    const { kv, surroundings, nowMs } = this.#code;
    const text = surroundings.codec.encode(value, "kv-value", key);
    if (exceedsUtf8(text, MAX_KV_VALUE_BYTES)) {
      throw new LimitExceededError(
        `KV value for key '${key}' (${utf8Bytes(text)} bytes) exceeds limit (${MAX_KV_VALUE_BYTES} bytes)`,
      );
    }
    if (!kv.has(key) && kv.size >= MAX_KV_KEYS) {
      throw new LimitExceededError(`KV key count (${kv.size + 1}) exceeds limit (${MAX_KV_KEYS})`);
    }
    const cell = kv.set(key, text, nowMs);
    this.#recorder.emit(KV_SET, { name: key, value: text, cell });
  }

  get(key: string): unknown {
    const text = this.#code.kv.get(key);
    return text === undefined ? undefined : this.#code.surroundings.codec.decode(text);
  }

  keys(): readonly string[] {
    return this.#code.kv.keys();
  }

  delete(key: string): void {
    this.#code.kv.delete(key);
    this.#recorder.emit(KV_CLEAR, { name: key });
  }

  clear(): void {
    this.#code.kv.clear();
    this.#recorder.emit(KV_CLEAR_ALL, {});
  }

  deleteUpdatedBefore(cutoffMs: number): number {
    const keys = this.#code.kv.keysUpdatedBefore(cutoffMs);
    for (const key of keys) this.delete(key);
    return keys.length;
  }
}
