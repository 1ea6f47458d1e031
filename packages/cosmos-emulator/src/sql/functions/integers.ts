/** INT… functions: arithmetic on signed 64-bit integers that wraps around; undefined for anything else. */
import { numberFromLiteral } from "../../protocol/raw-number.ts";
import type { Value } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

export const INTEGERS: readonly BuiltIn[] = [
  binary("INTADD", (left, right) => left + right),
  binary("INTSUB", (left, right) => left - right),
  binary("INTMUL", (left, right) => left * right),
  binary("INTDIV", (left, right) => (right === 0n ? undefined : left / right)),
  binary("INTMOD", (left, right) => (right === 0n ? undefined : left % right)),
  binary("INTBITAND", (left, right) => left & right),
  binary("INTBITOR", (left, right) => left | right),
  binary("INTBITXOR", (left, right) => left ^ right),
  // As on 64-bit processors, only the lower six bits of the distance count (assumed).
  binary("INTBITLEFTSHIFT", (left, right) => left << (right & 63n)),
  binary("INTBITRIGHTSHIFT", (left, right) => left >> (right & 63n)),
  define("INTBITNOT", 1, (operand) => {
    const integer = integerOf(operand);
    return integer === undefined ? undefined : valueOfInteger(~integer);
  }),
];

function binary(name: string, compute: (left: bigint, right: bigint) => bigint | undefined): BuiltIn {
  return define(name, 2, (left, right) => {
    const [first, second] = [integerOf(left), integerOf(right)];
    const result = first === undefined || second === undefined ? undefined : compute(first, second);
    return result === undefined ? undefined : valueOfInteger(BigInt.asIntN(64, result));
  });
}

function integerOf(value: Value): bigint | undefined {
  return typeof value === "number" && Number.isInteger(value) ? BigInt.asIntN(64, BigInt(value)) : undefined;
}

/** Keeps all digits. */
export function valueOfInteger(integer: bigint): Value {
  return numberFromLiteral(integer.toString());
}
