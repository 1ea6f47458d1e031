/**
 * `+`, `-` and `*` of integers that a double cannot hold. The service adds integers as integers of 64 bits; only
 * the texts of the operands still have all digits here.
 */
const integer = /^-?\d+$/;
const least = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;

const computations: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
};

/**
 * The JSON text of the result, or undefined if it is for doubles to compute: because an operand is no such
 * integer, or none is too large for a double, or the result has more than 64 bits (assumed).
 */
export function exactResult(operator: string, left: unknown, right: unknown): string | undefined {
  const compute = Object.hasOwn(computations, operator) ? computations[operator] : undefined;
  if (compute === undefined || !isInteger(left) || !isInteger(right)) {
    return undefined;
  }
  if (Number.isSafeInteger(Number(left)) && Number.isSafeInteger(Number(right))) {
    return undefined;
  }
  const result = compute(BigInt(left), BigInt(right));
  return result >= least && result <= greatest ? result.toString() : undefined;
}

function isInteger(text: unknown): text is string {
  return typeof text === "string" && integer.test(text);
}
