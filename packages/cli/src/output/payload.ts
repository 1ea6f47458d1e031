/** Stored texts for people: through the codec of the configuration, as one line of JSON. */
import type { PayloadCodec } from "@duroxide-ts/core";

/** What the codec makes of it; the text itself where there is none, or where it cannot be decoded. */
export function decoded(text: string, codec: PayloadCodec | undefined): unknown {
  try {
    return codec === undefined ? (JSON.parse(text) as unknown) : codec.decode(text);
  } catch {
    return text;
  }
}

/** One line, cut after `most` characters. */
export function payloadLine(text: string, codec: PayloadCodec | undefined, most = 300): string {
  const value = decoded(text, codec);
  const line = value === text && codec === undefined ? text : (JSON.stringify(value) ?? "undefined");
  return line.length <= most ? line : `${line.slice(0, most)}… (${line.length} characters)`;
}
