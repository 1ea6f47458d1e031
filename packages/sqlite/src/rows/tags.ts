/** Values of tags as columns: numbers as they are, strings and truth values as texts with their kind in front. */
import type { TagValue } from "@duroxide-ts/core/stores";
import { fromText, toText } from "./codec.ts";

export function toTagColumn(value: TagValue): string | number {
  if (typeof value === "number") return value;
  return typeof value === "string" ? `s${toText(value)}` : `b${Number(value)}`;
}

export function fromTagColumn(column: string | number): TagValue {
  if (typeof column === "number") return column;
  return column.startsWith("s") ? fromText(column.slice(1)) : column === "b1";
}
