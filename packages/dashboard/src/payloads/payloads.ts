/**
 * Stored texts as the page shows them. Showing never throws, whatever is stored: deep values, huge ones, lone
 * surrogates. What `redact` replaces is replaced when it is read.
 */
import { jsonCodec, type PayloadCodec } from "@duroxide-ts/core";
import { exactOrText, shownJson } from "@duroxide-ts/core/stores";
import type { ShownPayload } from "../page/shapes/payload.ts";

/** Longer texts are cut until they are asked for. */
const LONGEST = 65_536;
/** Indentation of deeper values would be most of the text. */
const DEEPEST_INDENTED = 40;

export class Payloads {
  readonly #codec: PayloadCodec;

  constructor(codec: PayloadCodec) {
    this.#codec = codec;
  }

  /** Whether the store has JSON as it was written. */
  get isJson(): boolean {
    return this.#codec === jsonCodec;
  }

  /** A stored text; `whole` for one that was asked for. One that the codec cannot decode is not shown. */
  show(stored: string, whole = false): ShownPayload {
    try {
      return this.showValue(this.decoded(stored), whole);
    } catch (error) {
      const bytes = Buffer.byteLength(stored);
      const reason = error instanceof Error ? `: ${error.message}` : "";
      return {
        text: "",
        bytes,
        isCut: false,
        fault: `the codec "${this.#codec.name}" cannot decode it${reason}`,
      };
    }
  }

  /** A value that is decoded already. */
  showValue(value: unknown, whole = false): ShownPayload {
    return shownText(this.textOf(value), whole);
  }

  /** A stored text in one line of so many characters; a string without its quotes. */
  line(stored: string, most: number): string {
    const { text, fault } = this.show(stored);
    const plain = fault === undefined ? plainText(text) : "(not decodable)";
    return plain.length <= most ? plain : `${plain.slice(0, most - 1).toWellFormed()}…`;
  }

  textOf(value: unknown): string {
    return indented(value);
  }

  /** Throws what the codec throws. */
  decoded(stored: string): unknown {
    return this.isJson ? exactOrText(stored) : this.#codec.decode(stored);
  }
}

function plainText(text: string): string {
  const value = exactOrText(text);
  return typeof value === "string" ? value : text.replaceAll(/\s*\n\s*/g, " ");
}

export function shownText(text: string, whole: boolean): ShownPayload {
  const bytes = Buffer.byteLength(text);
  if (whole || text.length <= LONGEST) return { text, bytes, isCut: false };
  return { text: text.slice(0, LONGEST).toWellFormed(), bytes, isCut: true };
}

function indented(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return isDeep(value, DEEPEST_INDENTED) ? compact(value) : (shownJson(value, 2) ?? "undefined");
}

function compact(value: unknown): string {
  try {
    return shownJson(value) ?? "undefined";
  } catch {
    return "(nested too deeply to be shown; download the history)";
  }
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((inner: unknown) => isDeep(inner, left - 1));
}
