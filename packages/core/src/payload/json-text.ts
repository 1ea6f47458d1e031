/** JSON that a person or another program wrote, as a payload that is stored as it is written. */

const HALVES = /\p{Cs}/gu;
const OUTER_SPACE = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/**
 * A payload that the JSON codec stores as it is written. A parsed value loses what JavaScript cannot hold: digits of
 * long numbers, the sign of -0, numbers above 1.8e308, and all but the last of several members with one name.
 *
 * @example
 * ```ts
 * import { JsonText } from "@duroxide-ts/core";
 * await client.start("pay", { input: new JsonText('{"account":3544790567247868102}') });
 * ```
 */
export class JsonText {
  /** JSON without white space around it. Lone surrogates, which no store keeps, are written as escapes. */
  readonly text: string;

  /** Throws a SyntaxError for a text that is no JSON. */
  constructor(text: string) {
    JSON.parse(text);
    this.text = text
      .replaceAll(OUTER_SPACE, "")
      .replaceAll(HALVES, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
  }

  /** Throws: a codec that does not know it would store an object in its place. */
  toJSON(): never {
    throw new TypeError("a JsonText is stored by the JSON codec only; give other codecs the parsed value");
  }
}
