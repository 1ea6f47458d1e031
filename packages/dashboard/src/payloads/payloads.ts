/**
 * Stored texts as the page shows them.
 *
 * 1. A text that the codec cannot decode is not shown: it could be what `redact` would have replaced.
 * 2. Showing never throws, whatever is stored: deep values, huge ones, lone surrogates.
 */
import type { PayloadCodec } from "@duroxide-ts/core";
import { type RedactPayload, redactValue } from "@duroxide-ts/core/stores";
import type { ShownPayload } from "../page/shapes/payload.ts";

/** Longer texts are cut until they are asked for. */
const LONGEST = 65_536;
/** Indentation of deeper values would be most of the text. */
const DEEPEST_INDENTED = 40;

export class Payloads {
  readonly #codec: PayloadCodec;
  readonly #redact: RedactPayload | undefined;

  constructor(codec: PayloadCodec, redact: RedactPayload | undefined) {
    this.#codec = codec;
    this.#redact = redact;
  }

  /** Whether anything may be replaced. */
  get redacts(): boolean {
    return this.#redact !== undefined;
  }

  /** A stored text; `whole` for one that was asked for. */
  show(stored: string, path: string, whole = false): ShownPayload {
    try {
      return this.showValue(this.#codec.decode(stored), path, whole);
    } catch (error) {
      const bytes = Buffer.byteLength(stored);
      const reason = this.#redact === undefined && error instanceof Error ? `: ${error.message}` : "";
      return {
        text: "",
        bytes,
        isCut: false,
        fault: `the codec "${this.#codec.name}" cannot decode it${reason}`,
      };
    }
  }

  /** A value that is decoded already. */
  showValue(value: unknown, path: string, whole = false): ShownPayload {
    return shownText(this.textOf(this.redacted(value, path)), whole);
  }

  /** JSON of a value that is redacted already. */
  textOf(value: unknown): string {
    return indented(value);
  }

  /** A stored text with the same codec, redacted; for exports. */
  rewritten(stored: string, path: string): string {
    if (this.#redact === undefined) return stored;
    try {
      return this.#codec.encode(this.redacted(this.#codec.decode(stored), path));
    } catch {
      return this.#codec.encode("(cannot be decoded)");
    }
  }

  /** The redacted value of a stored text. Throws what the codec throws. */
  decoded(stored: string, path: string): unknown {
    return this.redacted(this.#codec.decode(stored), path);
  }

  /** A message, a stack or another plain text. */
  plain(text: string, path: string): string {
    const redacted = this.redacted(text, path);
    return typeof redacted === "string" ? redacted : compact(redacted);
  }

  redacted(value: unknown, path: string): unknown {
    return this.#redact === undefined ? value : redactValue(value, path, this.#redact);
  }
}

export function shownText(text: string, whole: boolean): ShownPayload {
  const bytes = Buffer.byteLength(text);
  if (whole || text.length <= LONGEST) return { text, bytes, isCut: false };
  return { text: text.slice(0, LONGEST).toWellFormed(), bytes, isCut: true };
}

function indented(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return isDeep(value, DEEPEST_INDENTED)
    ? compact(value)
    : (JSON.stringify(value, jsonSafe, 2) ?? "undefined");
}

function compact(value: unknown): string {
  try {
    return JSON.stringify(value, jsonSafe) ?? "undefined";
  } catch {
    return "(nested too deeply to be shown; download the history)";
  }
}

function jsonSafe(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((inner: unknown) => isDeep(inner, left - 1));
}
