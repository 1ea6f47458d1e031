/** Stored texts for people and programs: through the codec of the configuration, else as they are stored. */
import type { PayloadCodec } from "@duroxide-ts/core";
import { exactOrText, shownJson } from "@duroxide-ts/core/stores";

/** A value of the user in the output of a verb: nothing is added to it. */
export class StoredValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The text as the codec decodes it, in JSON; JSON with every number as it is stored; else the text itself. */
export function decoded(text: string, codec: PayloadCodec | undefined): StoredValue {
  if (codec === undefined) return new StoredValue(exactOrText(text));
  try {
    return new StoredValue(inJson(codec.decode(text)));
  } catch {
    return new StoredValue(text);
  }
}

/** A value that JSON holds, as near to the given one as there is. Throws if there is none. */
export function inJson(value: unknown): unknown {
  const json = shownJson(value);
  return json === undefined ? undefined : (JSON.parse(json) as unknown);
}

/** One line of JSON. */
export function payloadText(text: string, codec: PayloadCodec | undefined): string {
  const { value } = decoded(text, codec);
  // A text that is no JSON, or that loses something as a value.
  if (value === text && codec === undefined) return text;
  return JSON.stringify(value) ?? "undefined";
}

/** The line of `payloadText`, cut after `most` characters. */
export function payloadLine(text: string, codec: PayloadCodec | undefined, most = 300): string {
  const line = payloadText(text, codec);
  return line.length <= most ? line : `${line.slice(0, most)}… (${line.length} characters)`;
}
