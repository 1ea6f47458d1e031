/**
 * Resource ids (`_rid`): base64 of a number for each level of the hierarchy, a container's beginning with its
 * database's, a document's with its container's (docs/reference/cosmos-protocol.md §1.16).
 */

/** Resources below a container: the last byte tells them apart, documents have 0 there. */
const KIND_BYTE = { docs: 0x00, pkranges: 0x50, sprocs: 0x80 } as const;

export type ContainerChildKind = keyof typeof KIND_BYTE;

/** An odd factor spreads consecutive numbers over all bits, each to another place. */
const SPREAD = 0x2545_f491;

/** Containers, unlike users, have the top bit of their level set. */
const CONTAINER_BIT = 0x8000_0000;

/**
 * @param number Number of the database in its store, never given twice.
 * @param salt A number of the store, so that two stores name their first database differently.
 */
export function databaseRid(number: number, salt: number): string {
  return encode(uint32(((spread(number) + salt) & 0xff_ffff) << 8));
}

export function containerRid(database: string, number: number): string {
  return encode(Buffer.concat([decode(database), uint32(spread(number) | CONTAINER_BIT)]));
}

/** @param number Number of the resource in its container, below 2^48; for documents the order of insertion. */
export function containerChildRid(container: string, kind: ContainerChildKind, number: number): string {
  const bytes = Buffer.alloc(16);
  bytes.write(standard(container), "base64");
  bytes.writeUIntLE(number, 8, 6);
  bytes[15] = KIND_BYTE[kind];
  return encode(bytes);
}

/** Finds the number with which `containerChildRid` made the rid; undefined for what is none. */
export function numberInRid(rid: string): number | undefined {
  const bytes = decode(rid);
  return bytes.length === 16 ? bytes.readUIntLE(8, 6) : undefined;
}

/** Makes the id of an offer, which belongs to no hierarchy. */
export function offerRid(number: number): string {
  return encode(uint32(spread(number)).subarray(1));
}

function spread(number: number): number {
  return Math.imul(number, SPREAD);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** Encodes an id. A slash would end a segment of an address, so rids have a minus sign in its place. */
function encode(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("/", "-");
}

function decode(rid: string): Buffer {
  return Buffer.from(standard(rid), "base64");
}

function standard(rid: string): string {
  return rid.replaceAll("-", "/");
}
