/** The body of a start with options. Each payload is checked and encoded by itself, so that errors are those of `Client`. */
import {
  calleeName,
  encodeMessage,
  encodePayload,
  type LooseStartOptions,
  type PayloadCodec,
} from "@duroxide-ts/core/browser";

/** Throws a DuroxideError for a payload that is none, or that its schema refuses. */
export function startBody(codec: PayloadCodec, name: string, options: LooseStartOptions): string {
  const { input, raise, enqueue, ...others } = options;
  return objectOf({
    input: input === undefined ? undefined : encodePayload(codec, input, "orchestration-input", name),
    options: objectOf({
      ...Object.fromEntries(Object.entries(others).map(([key, value]) => [key, JSON.stringify(value)])),
      raise: listOf(raise, ({ event, data }) => ({
        event: JSON.stringify(calleeName("raise", "event", event)),
        data: encodeMessage(codec, "raised-event", event, data),
      })),
      enqueue: listOf(enqueue, ({ queue, message }) => ({
        queue: JSON.stringify(calleeName("enqueue", "queue", queue)),
        message: encodeMessage(codec, "queue-message", queue, message),
      })),
    }),
  });
}

/** Texts of JSON by name; what has none is left out. */
type Texts = Readonly<Record<string, string | undefined>>;

function objectOf(texts: Texts): string {
  const fields = Object.entries(texts).filter(([, text]) => text !== undefined);
  return `{${fields.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}

function listOf<T>(items: readonly T[] | undefined, textsOf: (item: T) => Texts): string | undefined {
  return items && `[${items.map((item) => objectOf(textsOf(item))).join(",")}]`;
}
