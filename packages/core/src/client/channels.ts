/** Events, queues and keys as a client names them, and their payloads as they are stored. */
import type { EventDefinition, QueueDefinition } from "../define/definition-types.ts";
import { validate } from "../define/standard-schema.ts";
import { refusedPayload } from "../errors/duroxide-error.ts";
import type { NamingCodec } from "../payload/limited-codec.ts";
import { describePayload, type PayloadKind } from "../payload/payload-kind.ts";

type MessageChannel = EventDefinition<unknown> | QueueDefinition<unknown> | string;

export function channelName(channel: { readonly name: string } | string): string {
  return (typeof channel === "string" ? channel : channel.name).toWellFormed();
}

/** Whether arrivals stay until they are awaited: such an event is a queue of its name (docs/decisions/0025). */
export function isKept(event: EventDefinition<unknown> | string): boolean {
  return typeof event !== "string" && event.keep;
}

/** Throws InvalidInputError for what the schema or the codec refuses. */
export function encodeMessage(
  codec: NamingCodec,
  kind: PayloadKind,
  channel: MessageChannel,
  data: unknown,
): string {
  const name = channelName(channel);
  if (typeof channel !== "string" && channel.schema !== undefined) {
    validate(channel.schema, data, `"${channel.name}"`);
  }
  try {
    return codec.encode(data, kind, name);
  } catch (error) {
    throw refusedPayload(describePayload(kind, name), error);
  }
}
