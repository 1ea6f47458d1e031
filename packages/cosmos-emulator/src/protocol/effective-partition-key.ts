/**
 * The place of a partition key between "" and "FF": version 2 hashes to 128 bits, version 1 to 32 bits followed by
 * the value itself, a hierarchical key is the sequence of its parts' hashes.
 */
import { murmurHash32, murmurHash128 } from "./murmur-hash.ts";
import type { PartitionKey, PartitionKeyComponent, PartitionKeyDefinition } from "./partition-key.ts";

/** The byte that precedes a value in the bytes that are hashed, by the type of the value. */
const MARK = { undefined: 0x00, null: 0x01, false: 0x02, true: 0x03, number: 0x05, string: 0x08 };

/** Number of characters of a string that version 1 hashes. */
const SIGNIFICANT_CHARACTERS = 100;

/**
 * Computes the key in upper-case hex, as the service and its SDKs do. A prefix of a hierarchical key gives a prefix
 * of hex.
 */
export function effectivePartitionKey(components: PartitionKey, definition: PartitionKeyDefinition): string {
  if (definition.kind === "MultiHash") {
    return components.map((component) => hashVersion2([component])).join("");
  }
  return definition.version === 1 ? hashVersion1(components[0]) : hashVersion2(components);
}

/** Splits the whole space into ranges of equal size: the lower bounds of all but the first. */
export function splitPoints(count: number, definition: PartitionKeyDefinition): readonly string[] {
  return Array.from({ length: count - 1 }, (_, index) => {
    const share = (index + 1) / count;
    return definition.kind === "Hash" && definition.version === 1
      ? toHex(sortableNumber(Math.floor(share * 2 ** 32)))
      : Math.floor(share * 2 ** 30)
          .toString(16)
          .toUpperCase()
          .padStart(8, "0")
          .padEnd(32, "0");
  });
}

/** Hashes of version 2 are less than this: their two highest bits are 0. */
const END_OF_HASHES = 0x40n << 120n;

const HASH_DIGITS = 32;

/** Computes the bound between the two halves of a range; the lower bound itself where the range is too small. */
export function middleOfRange(
  minInclusive: string,
  maxExclusive: string,
  definition: PartitionKeyDefinition,
): string {
  if (definition.kind === "Hash" && definition.version === 1) {
    const [least, most] = [minInclusive, maxExclusive].map(numberAtBound);
    return toHex(sortableNumber(Math.floor(((least ?? 0) + (most ?? 0)) / 2)));
  }
  const numberOf = (hex: string): bigint => BigInt(`0x${hex.slice(0, HASH_DIGITS).padEnd(HASH_DIGITS, "0")}`);
  const end = maxExclusive >= "40" ? END_OF_HASHES : numberOf(maxExclusive);
  const middle = (numberOf(minInclusive) + end) / 2n;
  return middle.toString(16).toUpperCase().padStart(HASH_DIGITS, "0");
}

/** Finds the least hash of version 1 that is not below the bound. */
function numberAtBound(bound: string): number {
  let [least, most] = [0, 2 ** 32];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (toHex(sortableNumber(middle)) < bound) least = middle + 1;
    else most = middle;
  }
  return least;
}

function hashVersion2(components: PartitionKey): string {
  const [first, second] = murmurHash128(Buffer.concat(components.map((value) => marked(value, 0xff))));
  const hash = Buffer.alloc(16);
  hash.writeBigUInt64BE(second, 0);
  hash.writeBigUInt64BE(first, 8);
  hash[0] = (hash[0] ?? 0) & 0x3f;
  return toHex(hash);
}

function hashVersion1(component: PartitionKeyComponent): string {
  const value = typeof component === "string" ? component.slice(0, SIGNIFICANT_CHARACTERS) : component;
  return toHex(sortableNumber(murmurHash32(marked(value, 0x00)))) + toHex(sortable(value));
}

/** Makes the bytes that are hashed: a mark for the type, the value, and after a string what tells its end. */
function marked(value: PartitionKeyComponent, endOfString: number): Buffer {
  if (typeof value === "string") {
    return Buffer.concat([Buffer.of(MARK.string), Buffer.from(value, "utf8"), Buffer.of(endOfString)]);
  }
  if (typeof value === "number") {
    const bytes = Buffer.alloc(9, MARK.number);
    bytes.writeDoubleLE(value, 1);
    return bytes;
  }
  return Buffer.of(markOfLiteral(value));
}

function markOfLiteral(value: undefined | null | boolean): number {
  return MARK[String(value) as "undefined" | "null" | "false" | "true"];
}

/** Bytes that sort as the values do. */
function sortable(value: PartitionKeyComponent): Buffer {
  if (typeof value === "number") return sortableNumber(value);
  if (typeof value !== "string") return Buffer.of(markOfLiteral(value));
  const raised = Buffer.from(value, "utf8").map((byte) => (byte < 0xff ? byte + 1 : byte));
  return Buffer.concat([Buffer.of(MARK.string), raised, Buffer.of(0x00)]);
}

/**
 * Writes a double as its sortable bits: eight of them, then seven in each byte, with a one behind all but the last.
 */
function sortableNumber(value: number): Buffer {
  const double = Buffer.alloc(8);
  double.writeDoubleBE(value);
  const bits = double.readBigUInt64BE();
  const sign = 1n << 63n;
  let rest = BigInt.asUintN(64, bits < sign ? bits ^ sign : -bits);
  const bytes = [MARK.number, Number(rest >> 56n)];
  rest = BigInt.asUintN(64, rest << 8n);
  while (rest !== 0n) {
    const seven = Number(rest >> 56n) & 0xfe;
    rest = BigInt.asUintN(64, rest << 7n);
    bytes.push(rest === 0n ? seven : seven | 1);
  }
  return Buffer.from(bytes);
}

function toHex(bytes: Buffer): string {
  return bytes.toString("hex").toUpperCase();
}
