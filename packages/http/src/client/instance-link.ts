/** Requests about one instance, and the values of its payloads. */
import { jsonCodec, type PayloadCodec, type WaitOptions } from "@duroxide-ts/core/browser";
import { type Answered, type Asked, send, type Transport } from "./transport.ts";
import { type Look, waitUntil } from "./waits.ts";

type Request = Omit<Asked, "operation" | "method">;

export class InstanceLink {
  readonly instanceId: string;
  readonly transport: Transport;
  /** JSON, or texts of JSON as they are. */
  readonly codec: PayloadCodec;

  constructor(transport: Transport, codec: PayloadCodec, instanceId: string) {
    this.transport = transport;
    this.codec = codec;
    this.instanceId = instanceId;
  }

  get(operation: string, asked: Request): Promise<Answered> {
    return this.#send({ ...asked, operation, method: "GET" });
  }

  post(operation: string, asked: Request): Promise<Answered> {
    return this.#send({ ...asked, operation, method: "POST" });
  }

  #send(asked: Asked): Promise<Answered> {
    const path = ["instances", this.instanceId, ...asked.path];
    return send(this.transport, { ...asked, path, operation: `handle.${asked.operation}` });
  }

  wait<T>(options: WaitOptions, look: (look: Look) => Promise<T | undefined>, mayCome = true): Promise<T> {
    const { clock } = this.transport;
    return waitUntil({ ...options, clock, instanceId: this.instanceId, mayCome }, look);
  }

  /** The payload of an answer as the codec has it. */
  payload(value: unknown): unknown {
    return this.codec === jsonCodec ? value : JSON.stringify(value);
  }
}
