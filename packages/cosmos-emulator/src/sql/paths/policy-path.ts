/** Paths as definitions of containers spell them, without the ending `/?` or `/*` (protocol/property-path.ts). */
import type { Step } from "../translate/json-path.ts";

/** Stands for every element of an array. */
export const ELEMENT = "[]";

/** Writes a path of property names and array indexes: `/a/"b c"/[]`. */
export function formatPath(steps: readonly Step[]): string {
  return steps.map((step) => `/${typeof step === "number" ? ELEMENT : formatName(step)}`).join("");
}

function formatName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, "\\$&")}"`;
}
