/**
 * Numbers as serde_json writes them. Rust has integers and floats, JavaScript only numbers: a whole number in the range
 * of Rust's integers is written as an integer, with all its digits. Every other number is a float. Rust uses exponents
 * below 1e-5, JavaScript below 1e-6; for whole floats Rust always uses exponents.
 */
const BEYOND_U64 = 2 ** 64;
const BELOW_I64 = -(2 ** 63);

export function writeNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isSafeInteger(value)) return value.toString();
  if (Number.isInteger(value)) {
    const isInRange = value < BEYOND_U64 && value >= BELOW_I64;
    return isInRange ? BigInt(value).toString() : value.toExponential();
  }
  return Math.abs(value) < 1e-5 ? value.toExponential() : value.toString();
}
