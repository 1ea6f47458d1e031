/** Splits a long list of operations into lists that each fit into a batch, in their order. */
import { type BatchOperation, MAX_BATCH_BYTES, MAX_OPERATIONS, sizeOf } from "./batch.ts";

/** Leaves room in each batch for `reserved` operations of the caller. */
export function split(
  operations: readonly BatchOperation[],
  reserved: number,
  maxBytes: number = MAX_BATCH_BYTES,
): readonly (readonly BatchOperation[])[] {
  return splitBySize(operations, sizeOf, { count: MAX_OPERATIONS - reserved, bytes: maxBytes });
}

/** Lists of at most so many items and bytes; an item that is larger by itself has its own list. */
export function splitBySize<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  most: { readonly count: number; readonly bytes: number },
): readonly (readonly T[])[] {
  const pieces: T[][] = [];
  let piece: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (piece.length > 0 && (piece.length >= most.count || bytes + size > most.bytes)) {
      pieces.push(piece);
      piece = [];
      bytes = 0;
    }
    piece.push(item);
    bytes += size;
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/** The size of a batch. */
export interface Size {
  readonly operations: number;
  readonly bytes: number;
}

export function sizeOfAll(operations: readonly BatchOperation[]): Size {
  let bytes = 0;
  for (const operation of operations) bytes += sizeOf(operation);
  return { operations: operations.length, bytes };
}

export function isOneBatch({ operations, bytes }: Size): boolean {
  return operations <= MAX_OPERATIONS && bytes <= MAX_BATCH_BYTES;
}

export function fitsOneBatch(operations: readonly BatchOperation[]): boolean {
  return operations.length <= MAX_OPERATIONS && isOneBatch(sizeOfAll(operations));
}
