/**
 * Numbers as serde_json writes them. Rust types them, JavaScript does not: what could be an integer is written
 * as one; what can only be a float is written in the shape of Rust's shortest-digits printer, whose exponents
 * begin at other magnitudes than JavaScript's (1e16 and 1e-6, not 1e21 and 1e-7).
 */
const BEYOND_U64 = 2 ** 64;
const BELOW_I64 = -(2 ** 63);

export function writeNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isInteger(value) && value < BEYOND_U64 && value >= BELOW_I64) return BigInt(value).toString();
  const scientific = value.toExponential();
  const power = Number(scientific.slice(scientific.indexOf("e") + 1));
  return power >= 16 || power < -5 ? scientific : value.toString();
}
