/** `ctx.kv`: the entries as orchestration code sees them. What they are stored as is in kv-access.ts. */
import { checkCallOptions } from "../../define/call-options.ts";
import { type Named, nameOf, validated } from "../../define/named.ts";
import type { CallOptions, KeyValues } from "../../define/orchestration-context.ts";
import { validate } from "../../define/standard-schema.ts";
import type { Task } from "../../define/task.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { shown } from "../../options/option-list.ts";
import { type DurableTask, typedTask } from "../calls/durable-task.ts";
import type { KvAccess } from "./kv-access.ts";

/** What the entries need of the context that they belong to. */
export interface KeyValuesOwner {
  readonly kvAccess: KvAccess;
  /** False in a stopped branch; throws outside a turn. */
  enter(what: string): boolean;
  decode(text: string): unknown;
  readFromInstance(input: string, decode: (text: string) => unknown): DurableTask<unknown>;
}

export class ContextKeyValues implements KeyValues {
  readonly #owner: KeyValuesOwner;

  constructor(owner: KeyValuesOwner) {
    this.#owner = owner;
  }

  set(key: Named, value: unknown): void {
    const name = nameOf("kv.set", key);
    if (!this.#owner.enter(`kv.set("${name}")`)) return;
    if (typeof key !== "string" && key.schema !== undefined) validate(key.schema, value, `"${key.name}"`);
    this.#owner.kvAccess.set(name, value);
  }

  get<T>(key: Named): T | undefined {
    const value = this.#owner.kvAccess.get(nameOf("kv.get", key));
    return (value === undefined ? undefined : validated(key, value)) as T | undefined;
  }

  delete(key: Named): void {
    const name = nameOf("kv.delete", key);
    if (this.#owner.enter(`kv.delete("${name}")`)) this.#owner.kvAccess.delete(name);
  }

  clear(): void {
    if (this.#owner.enter("kv.clear")) this.#owner.kvAccess.clear();
  }

  keys(): readonly string[] {
    return this.#owner.kvAccess.keys();
  }

  deleteUpdatedBefore(cutoffMs: number): number {
    if (typeof cutoffMs !== "number") {
      throw new InvalidInputError(
        `kv.deleteUpdatedBefore: give a time in ms since the epoch, such as ctx.now() - 60_000; got ${shown(cutoffMs)}`,
      );
    }
    return this.#owner.enter("kv.deleteUpdatedBefore")
      ? this.#owner.kvAccess.deleteUpdatedBefore(cutoffMs)
      : 0;
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
      return typeof stored === "string" ? validated(key, this.#owner.decode(stored)) : undefined;
    };
    return typedTask(this.#owner.readFromInstance(input, decode), options.signal);
  }
}
