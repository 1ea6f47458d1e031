/**
 * Keys whose bytes compare as the values do: for MIN, MAX and for sorting by anything that is not a path of
 * plain names. First the rank of the type, then 8 bytes of a number, or the UTF-8 of a string, or the JSON of
 * an array or object.
 */
import type { JsonValue } from "../../protocol/json.ts";
import { canonicalText } from "./canonical-text.ts";
import { TYPE_RANKS, typeRank } from "./order.ts";

export function sortKey(value: JsonValue): Uint8Array {
  const rank = Buffer.of(typeRank(value));
  switch (typeof value) {
    case "number":
      return Buffer.concat([rank, numberKey(value)]);
    case "string":
      return Buffer.concat([rank, Buffer.from(value)]);
    case "boolean":
      return rank;
    default:
      return value === null ? rank : Buffer.concat([rank, Buffer.from(canonicalText(value))]);
  }
}

/** Reads the value of a key; undefined for arrays and objects, which MIN and MAX do not take (assumed). */
export function valueOfSortKey(key: Uint8Array): JsonValue | undefined {
  const payload = Buffer.from(key.subarray(1));
  switch (key[0]) {
    case TYPE_RANKS.null:
      return null;
    case TYPE_RANKS.false:
      return false;
    case TYPE_RANKS.true:
      return true;
    case TYPE_RANKS.number:
      return numberOfKey(payload);
    case TYPE_RANKS.string:
      return payload.toString();
    default:
      return undefined;
  }
}

/** Writes a double in order: the sign bit flipped, and of negative numbers all other bits too. */
function numberKey(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  return flip(bytes, value < 0);
}

function numberOfKey(payload: Buffer): number {
  const negative = (payload[0] ?? 0) < 0x80;
  return flip(payload, negative).readDoubleBE();
}

function flip(bytes: Buffer, all: boolean): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ (all ? 0xff : at === 0 ? 0x80 : 0)));
}
