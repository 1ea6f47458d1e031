/**
 * `ctx.kv`: the key-value entries of orchestration code. A change is checked, then applied in memory, then recorded, so
 * an invalid one changes nothing. Reads are answered from memory and recorded nowhere: the snapshot of the store and the
 * recorded changes give the same entries in every replay. An entry of another instance is not among them, so reading it
 * is a durable call.
 */
import { checkCallOptions } from "../../define/call-options.ts";
import type { CallOptions } from "../../define/durable-call-options.ts";
import type { KeyValues } from "../../define/key-values.ts";
import { MAX_KV_KEYS, MAX_KV_VALUE_BYTES } from "../../define/limits.ts";
import { type Named, nameOf, validated } from "../../define/named.ts";
import { validate } from "../../define/standard-schema.ts";
import type { Task } from "../../define/task.ts";
import { InvalidInputError, LimitExceededError } from "../../errors/duroxide-error.ts";
import { shown } from "../../options/option-list.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import { exceedsUtf8, utf8Bytes } from "../../wire/utf8.ts";
import { type DurableTask, typedTask } from "../calls/durable-task.ts";
import { KV_CLEAR, KV_CLEAR_ALL, KV_SET } from "../calls/key-values.ts";
import type { Scope } from "../calls/scope.ts";
import type { Recorder, RunningCode } from "../code/recorder.ts";
import { refuseUnbound } from "./unbound.ts";

/** Reads an entry of another instance, with an internal activity of the runtime. */
export type ReadFromInstance = (input: string, decode: (text: string) => unknown) => DurableTask<unknown>;

export class ContextKeyValues implements KeyValues {
  readonly #code: RunningCode;
  readonly #recorder: Recorder;
  readonly #scope: Scope;
  readonly #read: ReadFromInstance;

  constructor(code: RunningCode, recorder: Recorder, scope: Scope, read: ReadFromInstance) {
    this.#code = code;
    this.#recorder = recorder;
    this.#scope = scope;
    this.#read = read;
  }

  set(key: Named, value: unknown): void {
    const name = nameOf("kv.set", key);
    if (!this.#enter(`kv.set("${name}")`)) return;
    if (typeof key !== "string" && key.schema !== undefined) validate(key.schema, value, `"${key.name}"`);
    const { kv, surroundings, nowMs } = this.#code;
    const text = encodePayload(surroundings.codec, value, "kv-value", name);
    if (exceedsUtf8(text, MAX_KV_VALUE_BYTES)) {
      throw new LimitExceededError(
        `KV value for key '${name}' (${utf8Bytes(text)} bytes) exceeds limit (${MAX_KV_VALUE_BYTES} bytes)`,
      );
    }
    if (!kv.has(name) && kv.size >= MAX_KV_KEYS) {
      throw new LimitExceededError(`KV key count (${kv.size + 1}) exceeds limit (${MAX_KV_KEYS})`);
    }
    this.#recorder.emit(KV_SET, { name, text, value: text, cell: kv.set(name, text, nowMs) });
  }

  get<T>(key: Named): T | undefined {
    const text = this.#code.kv.get(nameOf("kv.get", key));
    const value = text === undefined ? undefined : this.#code.surroundings.codec.decode(text);
    return (value === undefined ? undefined : validated(key, value)) as T | undefined;
  }

  delete(key: Named): void {
    const name = nameOf("kv.delete", key);
    if (this.#enter(`kv.delete("${name}")`)) this.#delete(name);
  }

  clear(): void {
    if (!this.#enter("kv.clear")) return;
    const { kv } = this.#code;
    // The event would clear the answers, too.
    if (kv.answers.size > 0) {
      for (const key of kv.keys()) this.#delete(key);
      return;
    }
    kv.clear();
    this.#recorder.emit(KV_CLEAR_ALL, {});
  }

  keys(): readonly string[] {
    return this.#code.kv.keys();
  }

  deleteUpdatedBefore(cutoffMs: number): number {
    if (typeof cutoffMs !== "number") {
      throw new InvalidInputError(
        `kv.deleteUpdatedBefore: give a time in ms since the epoch, such as ctx.now() - 60_000; got ${shown(cutoffMs)}`,
      );
    }
    if (!this.#enter("kv.deleteUpdatedBefore")) return 0;
    const keys = this.#code.kv.keysUpdatedBefore(cutoffMs);
    for (const key of keys) this.#delete(key);
    return keys.length;
  }

  getFromInstance<T>(instanceId: string, key: Named, options: CallOptions = {}): Task<T | undefined> {
    checkCallOptions("kv.getFromInstance", options);
    if (typeof instanceId !== "string" || instanceId === "") {
      throw new InvalidInputError(
        `kv.getFromInstance: the first argument is an instance id; got ${shown(instanceId)}`,
      );
    }
    const input = JSON.stringify({ instance_id: instanceId, key: nameOf("kv.getFromInstance", key) });
    const decode = (text: string): unknown => {
      const stored: unknown = JSON.parse(text);
      return typeof stored === "string"
        ? validated(key, this.#code.surroundings.codec.decode(stored))
        : undefined;
    };
    return typedTask(this.#read(input, decode), options.signal);
  }

  #delete(name: string): void {
    this.#code.kv.delete(name);
    this.#recorder.emit(KV_CLEAR, { name });
  }

  /** False in a stopped branch; throws outside a turn. */
  #enter(what: string): boolean {
    return this.#code.enter(this.#scope, what);
  }
}

refuseUnbound(ContextKeyValues, "ctx.kv");
