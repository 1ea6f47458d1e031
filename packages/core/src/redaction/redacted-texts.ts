/**
 * The shown form of the texts of a store where `redact` decides, and the paths of those that are no payloads.
 *
 * 1. A text that the codec cannot decode is not shown: it could be what would have been replaced.
 * 2. A text of which nothing is replaced stays as it was written, unless it has more than its value.
 * 3. An error whose message is replaced shows no data either: its properties say the same.
 * 4. Messages that quote payloads by themselves, without their paths, are cut before the quotation.
 */
import type { PayloadCodec } from "../payload/payload-codec.ts";
import type { ErrorDetails } from "../wire/error-details.ts";
import { parseJson, writeJson } from "../wire/json-text.ts";
import { isPayloadField, MESSAGE } from "./payload-path.ts";
import { HIDDEN, type RedactedValues, repeatsName } from "./redacted-values.ts";

export const UNDECODABLE = "(the codec cannot decode it)";
const MESSAGES: ReadonlySet<string> = new Set(["message", "reason", "error", "last_error"]);

type Fields = Readonly<Record<string, unknown>>;

export class RedactedTexts {
  readonly #values: RedactedValues;
  readonly #codec: PayloadCodec;

  constructor(values: RedactedValues, codec: PayloadCodec) {
    this.#values = values;
    this.#codec = codec;
  }

  /** A text of the codec, as a text of the codec. */
  payload(text: string, path: string): string {
    const decoded = this.#decoded(text);
    if (decoded === undefined) return this.#encoded(UNDECODABLE);
    const { value, isSame } = this.#values.show(decoded.value, path);
    return isSame && !repeatsName(text) ? text : this.#encoded(value);
  }

  /** A message or a reason. */
  message(text: string): string {
    const at = text.search(/nondeterminis/i);
    return this.#values.text(at < 0 ? text : cutAt(text, INPUTS, at), MESSAGE);
  }

  /** A message that says where code and history differ. */
  difference(text: string): string {
    return this.#values.text(cutAt(text, INPUTS), MESSAGE);
  }

  /** Why a stored text could not be read. */
  fault(text: string): string {
    return this.#values.text(cutAt(text, /["({[]/), MESSAGE);
  }

  details(details: ErrorDetails): ErrorDetails {
    return this.#failure(details, false) as ErrorDetails;
  }

  /** The text of a message of a queue, or of several. What is not JSON may be a payload that nobody can find in it. */
  workItem(text: string, path: string): string {
    const item = jsonOf(text);
    if (item === undefined) return UNDECODABLE;
    const shown = this.#item(item.json, path);
    const same = writeJson(shown) === writeJson(item.json) && !repeatsName(text);
    return this.#values.text(same ? text : writeJson(shown), path);
  }

  /** `isHidden`: the message of the error was replaced. */
  #failure(value: unknown, isHidden: boolean): unknown {
    if (!isRecord(value)) {
      return Array.isArray(value) ? value.map((inner: unknown) => this.#failure(inner, isHidden)) : value;
    }
    const message = this.#messageOf(value);
    const hides = message === undefined ? isHidden : message !== value["message"];
    return mapFields(value, (field, inner) => {
      if (field === "message") return message;
      if (typeof inner !== "string") return this.#failure(inner, hides);
      if (field === "data") return hides ? JSON.stringify(HIDDEN) : this.#data(inner);
      if (field === "stack") return this.#values.text(inner, "error.stack");
      return MESSAGES.has(field) ? this.message(inner) : inner;
    });
  }

  /**
   * The message of a failure. That of poison is the messages that were delivered; that of a nondeterminism quotes
   * inputs.
   */
  #messageOf(failure: Fields): string | undefined {
    const { message } = failure;
    if (typeof message !== "string") return undefined;
    if ("message_type" in failure) return this.workItem(message, MESSAGE);
    return "resource" in failure ? this.difference(message) : this.message(message);
  }

  /** The properties of a thrown error, which are JSON without the codec. */
  #data(text: string): string {
    const data = jsonOf(text);
    if (data === undefined) return JSON.stringify(HIDDEN);
    const { value, isSame } = this.#values.show(data.json, "error.data");
    return isSame && !repeatsName(text) ? text : writeJson(value);
  }

  #item(value: unknown, path: string): unknown {
    if (Array.isArray(value))
      return value.map((inner: unknown, index) => this.#item(inner, `${path}.${index}`));
    if (!isRecord(value)) return value;
    return mapFields(value, (field, inner) => {
      const place = `${path}.${field}`;
      if (field === "details") return this.#failure(inner, false);
      if (typeof inner !== "string") return this.#item(inner, place);
      if (field === "reason") return this.message(inner);
      return isPayloadField(field) ? this.payload(inner, place) : inner;
    });
  }

  #decoded(text: string): { readonly value: unknown } | undefined {
    try {
      return { value: this.#codec.decode(text) };
    } catch {
      return undefined;
    }
  }

  #encoded(value: unknown): string {
    try {
      return this.#codec.encode(value);
    } catch {
      return this.#codec.encode(HIDDEN);
    }
  }
}

/** Marks that our messages and those of Rust have before the first input. */
const INPUTS = /\binput\b|" to |[{[]/;

function cutAt(text: string, quotation: RegExp, from = 0): string {
  const at = text.slice(from).search(quotation);
  return at < 0 ? text : `${text.slice(0, from + at)}… (the rest may quote payloads)`;
}

function jsonOf(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: parseJson(text) };
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapFields(record: Fields, map: (field: string, value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, map(field, value)]));
}
