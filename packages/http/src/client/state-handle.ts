/** The part of a handle over HTTP that reads what an instance has stored. */
import {
  calleeName,
  checkWait,
  type HistoryEvent,
  type InstanceHandle,
  type KeyDefinition,
  NotDeliveredError,
  nameOf,
  type ProgressOfStep,
  parseJson,
  type StreamDefinition,
  type StreamReadOptions,
  validateStored,
  type WaitOptions,
} from "@duroxide-ts/core/browser";
import { waitText } from "../wire/wait-text.ts";
import { HttpReading } from "./http-reading.ts";
import type { InstanceLink } from "./instance-link.ts";
import type { Answered } from "./transport.ts";
import type { Look } from "./waits.ts";

type Reads = Pick<
  InstanceHandle<unknown>,
  "instanceId" | "get" | "entries" | "waitFor" | "stats" | "history" | "streams" | "progress"
>;

/** A handle that reads what an instance has stored. The calls are those of `InstanceHandle`. */
export abstract class StateHandle implements Reads {
  readonly instanceId: string;
  readonly #link: InstanceLink;

  protected constructor(link: InstanceLink) {
    this.instanceId = link.instanceId;
    this.#link = link;
  }

  /** The key-value entry; `undefined` for an absent key or instance. */
  async get<T = unknown>(key: KeyDefinition<unknown, T> | string): Promise<T | undefined> {
    const name = nameOf("get", key);
    const value = await orNone(this.#entry("get", name), undefined);
    return value === undefined ? undefined : this.#valueOf(key, value);
  }

  /** All key-value entries; empty for an unknown instance. */
  async entries(): Promise<ReadonlyMap<string, unknown>> {
    const read = this.#link.get("entries", { path: ["entries"] });
    const value = await orNone(read, []);
    const entries = value as readonly (readonly [string, unknown])[];
    return new Map(entries.map(([key, each]) => [key, this.#link.payload(each)]));
  }

  /** Waits until the entry exists. */
  async waitFor<T = unknown>(key: KeyDefinition<unknown, T> | string, options: WaitOptions = {}): Promise<T> {
    checkWait("waitFor", options);
    const name = nameOf("waitFor", key);
    const look = async (asked: Look): Promise<unknown> => (await this.#entry("waitFor", name, asked)).value;
    return this.#valueOf(key, await this.#link.wait(options, look));
  }

  /** Sizes of the current execution; `undefined` for an unknown instance. */
  async stats(): ReturnType<Reads["stats"]> {
    const read = this.#link.get("stats", { path: ["stats"] });
    const value = await orNone(read, undefined);
    return value as Awaited<ReturnType<Reads["stats"]>>;
  }

  /** The events of an execution, oldest first; of the newest by default. The server decides whether it shows them. */
  async history(executionId?: number): Promise<readonly HistoryEvent[]> {
    const query = executionId === undefined ? {} : { execution: String(executionId) };
    const read = this.#link.get("history", { path: ["history"], query, parse: parseJson });
    const value = await orNone(read, []);
    return value as readonly HistoryEvent[];
  }

  /** Reads a stream of the instance; after a failure of the network it goes on. */
  stream<T = unknown>(
    stream: StreamDefinition<never, T> | string,
    options: StreamReadOptions = {},
  ): HttpReading<T> {
    return new HttpReading<T>(this.#link, calleeName("stream", "stream", stream), options);
  }

  /** The streams of the instance, with the offsets of their oldest and of their next value; none of an unknown one. */
  async streams(): ReturnType<Reads["streams"]> {
    const value = await orNone(this.#link.get("streams", { path: ["streams"] }), []);
    return value as Awaited<ReturnType<Reads["streams"]>>;
  }

  /** The last reports of activities and steps, the latest first. */
  async progress(): Promise<readonly ProgressOfStep[]> {
    const { value } = await this.#link.get("progress", { path: ["progress"] });
    const reports = value as readonly ProgressOfStep[];
    return reports.map(
      (report) => ({ ...report, value: this.#link.payload(report.value) }) as ProgressOfStep,
    );
  }

  #entry(operation: string, name: string, look?: Look): Promise<Answered> {
    const held = look && { query: { wait: waitText(look.holdMs) }, waitMs: look.holdMs, signal: look.signal };
    return this.#link.get(operation, { path: ["entries", name], ...held });
  }

  #valueOf<T>(key: KeyDefinition<unknown, T> | string, value: unknown): T {
    const payload = this.#link.payload(value);
    if (typeof key === "string" || key.schema === undefined) return payload as T;
    return validateStored(key.schema, payload, `"${key.name}"`) as T;
  }
}

/** The answer; `none` of an unknown instance. */
async function orNone(read: Promise<Answered>, none: unknown): Promise<unknown> {
  try {
    return (await read).value;
  } catch (error) {
    if (NotDeliveredError.is(error, "not-found")) return none;
    throw error;
  }
}
