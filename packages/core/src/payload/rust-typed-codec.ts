import { types } from "node:util";
import { surrogateFault } from "../define/limits.ts";
import { hasToJson } from "../errors/opaque-values.ts";
import { parseOrText } from "./lenient-json.ts";
import type { PayloadCodec } from "./payload-codec.ts";
import { PayloadError } from "./payload-error.ts";
import { assertSerialisable } from "./serialisable.ts";

/**
 * The bytes that Rust's typed handlers write (docs/reference/wire-format.md §1), for histories that both sides
 * replay: a string is stored raw, without quotes; anything else as JSON with object keys sorted. Reads JSON, or
 * the raw text where it is not JSON. Hence a string that looks like JSON does not come back as a string: `"5"`
 * and 5 are both stored as `5`, and both read as 5. Whole numbers are written as integers, because JavaScript
 * cannot distinguish 7.0 from 7. Rejects the values that the JSON codec rejects, and lone surrogates, which Rust has not.
 */
export const rustTypedCodec: PayloadCodec = {
  name: "rust-typed",
  encode(value) {
    if (typeof value === "string") return wellFormed(value);
    assertSerialisable("rust-typed", value);
    return write("", value) ?? "null";
  },
  decode: parseOrText,
};

/** `undefined` where JSON leaves the value out. */
function write(key: string, value: unknown): string | undefined {
  if (typeof value === "object" && value !== null) return writeObject(key, value);
  if (typeof value === "string") return JSON.stringify(wellFormed(value));
  if (typeof value === "number") return writeNumber(value);
  return JSON.stringify(value);
}

function writeObject(key: string, value: object): string | undefined {
  if (hasToJson(value)) return write(key, value.toJSON(key));
  if (types.isNumberObject(value) || types.isStringObject(value) || types.isBooleanObject(value))
    return write(key, value.valueOf());
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, index) => write(String(index), item) ?? "null").join(",")}]`;
  }
  const members: string[] = [];
  for (const name of Object.keys(value).sort(compareCodePoints)) {
    const member = write(name, (value as Record<string, unknown>)[name]);
    if (member !== undefined) members.push(`${JSON.stringify(wellFormed(name))}:${member}`);
  }
  return `{${members.join(",")}}`;
}

function wellFormed(text: string): string {
  const fault = surrogateFault("", text);
  if (fault === undefined) return text;
  throw new PayloadError("rust-typed", "", fault.trim());
}

/** Rust sorts by UTF-8 bytes, which is the order of code points; JavaScript's `<` would sort U+1F30D before U+FB01. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return surrogatesLast(left) - surrogatesLast(right);
  }
  return a.length - b.length;
}

/** Moves surrogate code units behind the rest of the 16-bit range, where their code points belong. */
function surrogatesLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Numbers as serde_json writes them. Rust has integers and floats, JavaScript only numbers: a whole number in the range
 * of Rust's integers is written as an integer, with all its digits. Every other number is a float. Rust uses exponents
 * below 1e-5, JavaScript below 1e-6; for whole floats Rust always uses exponents.
 */
const BEYOND_U64 = 2 ** 64;
const BELOW_I64 = -(2 ** 63);

function writeNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isSafeInteger(value)) return value.toString();
  if (Number.isInteger(value)) {
    const isInRange = value < BEYOND_U64 && value >= BELOW_I64;
    return isInRange ? BigInt(value).toString() : value.toExponential();
  }
  return Math.abs(value) < 1e-5 ? value.toExponential() : value.toString();
}
