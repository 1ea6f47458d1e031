/** The names of events, queues and keys, and the encoding of their payloads, for clients. */
import type { EventDefinition } from "../define/definition-types.ts";
import { type StandardSchema, validate } from "../define/standard-schema.ts";
import { encodePayload } from "../payload/encode-payload.ts";
import type { NamingCodec } from "../payload/limited-codec.ts";
import type { PayloadKind } from "../payload/payload-kind.ts";

/** A queue, an event or a question, or its name. */
export type MessageChannel =
  | { readonly name: string; readonly schema: StandardSchema<unknown, unknown> | undefined }
  | string;

export function channelName(channel: { readonly name: string } | string): string {
  return typeof channel === "string" ? channel : channel.name;
}

/**
 * Whether arrivals are kept until they are awaited: such an event is a queue of its name (docs/decisions/messages.md).
 */
export function isKept(event: EventDefinition<unknown> | string): boolean {
  return typeof event !== "string" && event.keep;
}

/** Throws InvalidInputError for data that the schema or the codec rejects. */
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
  return encodePayload(codec, data, kind, name);
}
