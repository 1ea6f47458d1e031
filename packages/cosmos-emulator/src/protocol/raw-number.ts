/**
 * Numbers that JavaScript cannot print as the service does: integers beyond 2^53, and doubles whose shortest
 * text is not the service's. Parsed documents hold them as raw JSON, an object that `JSON.stringify` writes
 * digit by digit. Code that calculates with values of a document reads them through `numberOf`.
 */
import type { JsonValue } from "./json.ts";

/** The result of `JSON.rawJSON`; TypeScript's library does not know it yet. */
interface RawNumber {
  readonly rawJSON: string;
}

interface RawJson {
  rawJSON(text: string): RawNumber & { readonly [name: string]: string };
  isRawJSON(value: unknown): boolean;
}

const rawJson = JSON as unknown as RawJson;

const INTEGER = /^-?\d+$/;
const SMALLEST_INT64 = -(2n ** 63n);
const LARGEST_UINT64 = 2n ** 64n - 1n;

/**
 * Tells whether a value that looks like an object is a number. Walkers over documents ask this before they descend.
 */
export function isRawNumber(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && rawJson.isRawJSON(value);
}

/** Returns the value as a double; undefined if it is no number. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "object" && value !== null && rawJson.isRawJSON(value)) {
    return Number((value as unknown as RawNumber).rawJSON);
  }
  return undefined;
}

/** Makes a calculated double a value that is written as the service writes it. */
export function numberValue(value: number): JsonValue {
  const text = textOfDouble(value);
  return text === String(value) ? value : rawJson.rawJSON(text);
}

/** Reads a numeric literal: integers that fit 64 bits keep their digits (§1.5). Undefined beyond doubles. */
export function numberFromLiteral(literal: string): JsonValue | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return undefined;
  if (INTEGER.test(literal) && !Number.isSafeInteger(value)) {
    const exact = BigInt(literal);
    if (exact >= SMALLEST_INT64 && exact <= LARGEST_UINT64) return rawJson.rawJSON(exact.toString());
  }
  return numberValue(value);
}

/** Adds two numbers, exactly if both are integers; undefined if one is no number or the sum is beyond doubles. */
export function addNumbers(left: JsonValue, right: JsonValue): JsonValue | undefined {
  const [leftNumber, rightNumber] = [numberOf(left), numberOf(right)];
  if (leftNumber === undefined || rightNumber === undefined) return undefined;
  const sum = leftNumber + rightNumber;
  if (Number.isSafeInteger(sum)) return sum;
  const [first, second] = [literalOf(left), literalOf(right)];
  if (INTEGER.test(first) && INTEGER.test(second))
    return numberFromLiteral(String(BigInt(first) + BigInt(second)));
  return Number.isFinite(sum) ? numberValue(sum) : undefined;
}

function literalOf(value: JsonValue): string {
  return isRawNumber(value) ? (value as unknown as RawNumber).rawJSON : String(value);
}

/**
 * Writes a double. The service prints doubles as C's `%g` does: 15 digits if these give the same double back, 17
 * otherwise, an exponent of three digits where it needs one (docs/reference/cosmos-protocol.md §1.5).
 */
function textOfDouble(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const short = value.toExponential(14);
  const isExact = Number(short) === value;
  const [mantissa = "", exponentText = "0"] = (isExact ? short : value.toExponential(16)).split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "").replace(/0+$/, "");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= (isExact ? 15 : 17)) return sign + scientific(digits, exponent);
  return sign + positional(digits, exponent);
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const size = String(Math.abs(exponent)).padStart(3, "0");
  return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
