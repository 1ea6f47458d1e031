/**
 * The service's numbers of documents: the last eight bytes of a `_rid`, little-endian (docs/reference/
 * cosmos-protocol.md §1.16). They grow in the order of creation.
 */

const BYTES = 16;

/** 0 if one of them is unknown, or is not the number of a document. */
export function compareRids(a: string | undefined, b: string | undefined): number {
  const [first, second] = [numberIn(a), numberIn(b)];
  if (first === undefined || second === undefined || first === second) return 0;
  return first < second ? -1 : 1;
}

function numberIn(rid: string | undefined): bigint | undefined {
  if (rid === undefined) return undefined;
  // A minus sign represents a slash, unlike in base64url, where it represents a plus sign.
  const bytes = Buffer.from(rid.replaceAll("-", "/"), "base64");
  return bytes.length === BYTES ? bytes.readBigUInt64LE(BYTES - 8) : undefined;
}
