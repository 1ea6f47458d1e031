/** Events, queues and keys as a client names them, and their payloads as they are stored. */
import type { EventDefinition, QueueDefinition } from "../define/definitions.ts";
import { validate } from "../define/standard-schema.ts";
import { refusedPayload } from "../errors/duroxide-error.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";

type MessageChannel = EventDefinition<unknown> | QueueDefinition<unknown> | string;

export function channelName(channel: { readonly name: string } | string): string {
  return (typeof channel === "string" ? channel : channel.name).toWellFormed();
}

/** Whether arrivals stay until they are awaited: such an event is a queue of its name (docs/decisions/0026). */
export function isKept(event: EventDefinition<unknown> | string): boolean {
  return typeof event !== "string" && event.keep;
}

/** Throws InvalidInputError for what the schema or the codec refuses. */
export function encodeMessage(codec: PayloadCodec, channel: MessageChannel, data: unknown): string {
  if (typeof channel !== "string" && channel.schema !== undefined) {
    validate(channel.schema, data, `"${channel.name}"`);
  }
  try {
    return codec.encode(data);
  } catch (error) {
    throw refusedPayload(`"${channelName(channel)}"`, error);
  }
}
