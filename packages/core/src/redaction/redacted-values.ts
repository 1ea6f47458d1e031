/**
 * Replaces parts of values before tools show them: the dashboard, and the command line for agents.
 *
 * 1. Whatever `redact` does, nothing that it did not return is shown: where it throws, returns nothing or a promise, the
 *    value is hidden.
 * 2. It sees everything that is shown: the members of objects and lists, and of JSON within a text, at any depth. Of
 *    what a codec makes beyond JSON, such as a Map, only the JSON is shown, and of JSON in which an object has a name
 *    twice only what is parsed.
 */
import { quietPromise } from "../errors/quiet-promises.ts";
import { exactJson } from "../wire/exact-json.ts";
import { parseJson, writeJson } from "../wire/json-text.ts";

/**
 * Called for the value of each payload and for everything within it, outer values first. `path` is the place:
 * `input`, `input.card.number`, `result.items.0`, `kv.total`, `stream.tokens`, `progress.import`, `status`, `event.approved`, `error.message`. Returns the
 * value itself, or what is shown in its place. A text that is JSON is taken apart first, and its members have the paths
 * of members; then the text as a whole is asked for. Where it throws, or returns `undefined` for a value or a promise,
 * the value is hidden.
 *
 * @example
 * ```ts
 * const redact = (path: string, value: unknown) => (/\.(card|iban)$/.test(path) ? "•••" : value);
 * ```
 */
export type RedactPayload = (path: string, value: unknown) => unknown;

/** Shown in place of what must not be seen. */
export const HIDDEN = "(hidden)";
/** Deeper values are replaced whole, so that the recursion ends before the stack does. */
const DEEPEST = 200;

/** The shown form of a value. */
export interface ShownValue {
  readonly value: unknown;
  /** Whether nothing was replaced, so that the stored text may be shown as it is. */
  readonly isSame: boolean;
}

export class RedactedValues {
  readonly #redact: RedactPayload;
  readonly #onFault: () => void;
  #hasOtherThanJson = false;

  /** `onFault` is called where `redact` fails. */
  constructor(redact: RedactPayload, onFault: () => void) {
    this.#redact = redact;
    this.#onFault = onFault;
  }

  show(value: unknown, path: string): ShownValue {
    this.#hasOtherThanJson = false;
    // `redact` may change the value itself instead of returning another one.
    const before = jsonOf(value);
    const shown = this.#value(value, path, 0);
    return { value: shown, isSame: isSame(before, jsonOf(shown)) && !this.#hasOtherThanJson };
  }

  /** A replacement that is no text is written as JSON. */
  text(text: string, path: string): string {
    const shown = this.#text(text, path, 0);
    return typeof shown === "string" ? shown : (jsonOf(shown) ?? HIDDEN);
  }

  #value(value: unknown, path: string, depth: number): unknown {
    if (typeof value === "string") return this.#text(value, path, depth);
    const shown = this.#ask(path, value);
    if (!Object.is(shown, value) || typeof value !== "object" || value === null) return shown;
    if (depth >= DEEPEST) return "(nested too deeply to be redacted)";
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => this.#value(item, `${path}.${index}`, depth + 1));
    }
    if (!isPlain(value)) return this.#value(this.#asJson(value), path, depth + 1);
    const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      this.#value(inner, `${path}.${key}`, depth + 1),
    ]);
    return Object.fromEntries(entries) as unknown;
  }

  /** The JSON of an object such as a Date or a Map of a codec. Only that is shown, and the text may have more. */
  #asJson(value: object): unknown {
    this.#hasOtherThanJson = true;
    const json = jsonOf(value);
    return json === undefined ? HIDDEN : JSON.parse(json);
  }

  #text(text: string, path: string, depth: number): unknown {
    const within = depth >= DEEPEST ? undefined : jsonWithin(text);
    if (within === undefined) return this.#ask(path, text);
    const before = jsonOf(within.json);
    const shown = this.#value(within.json, path, depth + 1);
    const after = jsonOf(shown);
    if (isSame(before, after) && !repeatsName(text)) return this.#ask(path, text);
    return this.#ask(path, typeof shown === "string" ? shown : (after ?? HIDDEN));
  }

  #ask(path: string, value: unknown): unknown {
    try {
      const shown = this.#redact(path, value);
      if (Object.is(shown, value) || isShowable(shown)) return shown;
      quietPromise(shown);
    } catch {
      // Its message may quote the value.
    }
    this.#onFault();
    return "(redact failed)";
  }
}

/** `undefined` for a value without JSON. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return exactJsonOf(value);
  }
}

/** JSON of a value with integers above 2^53. */
function exactJsonOf(value: unknown): string | undefined {
  try {
    return writeJson(value);
  } catch {
    return undefined;
  }
}

function isSame(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && before === after;
}

function jsonWithin(text: string): { readonly json: unknown } | undefined {
  // Files have marks and other white space around JSON.
  const json = text.trim();
  if (!/^["[{]/.test(json)) return undefined;
  for (const parse of [parseJson, JSON.parse]) {
    try {
      return { json: parse(json) };
    } catch {
      // parseJson refuses lone surrogates, which JSON.parse reads.
    }
  }
  return undefined;
}

/** Whether an object of a JSON text has a name twice: its value has one of the members, and the text both. */
export function repeatsName(text: string): boolean {
  try {
    return exactJson(text) === text;
  } catch (error) {
    // Texts of codecs are no JSON; one that is too deep to be told is not shown as it is.
    return !(error instanceof SyntaxError);
  }
}

function isShowable(shown: unknown): boolean {
  if (shown === undefined || typeof shown === "function" || typeof shown === "symbol") return false;
  return typeof shown !== "object" || shown === null || !("then" in shown);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
