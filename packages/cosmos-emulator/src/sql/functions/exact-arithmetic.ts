/**
 * `+`, `-` and `*` of integers that a double cannot hold. The service adds integers as integers of 64 bits; only
 * the texts of the operands still have all digits here.
 */
const INTEGER = /^-?\d+$/;
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

const COMPUTATIONS: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
};

/**
 * The JSON text of the result, or undefined if it is for doubles to compute: because an operand is no such
 * integer, or none is too large for a double, or the result has more than 64 bits (assumed).
 */
export function exactResult(operator: string, left: unknown, right: unknown): string | undefined {
  const compute = Object.hasOwn(COMPUTATIONS, operator) ? COMPUTATIONS[operator] : undefined;
  if (compute === undefined || !isInteger(left) || !isInteger(right)) return undefined;
  if (Number.isSafeInteger(Number(left)) && Number.isSafeInteger(Number(right))) return undefined;
  const result = compute(BigInt(left), BigInt(right));
  return result >= LEAST && result <= GREATEST ? result.toString() : undefined;
}

function isInteger(text: unknown): text is string {
  return typeof text === "string" && INTEGER.test(text);
}
