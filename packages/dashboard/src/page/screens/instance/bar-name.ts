/** The name of a call with its label, in one line. */
import type { Bar } from "../../shapes/instance.ts";

export function namedWith({ name, label }: Bar): string {
  return label === undefined ? name : `${name} [${label}]`;
}
