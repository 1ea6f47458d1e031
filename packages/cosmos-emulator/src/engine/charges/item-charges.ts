/**
 * Estimates of what operations on items cost, in request units (docs/reference/cosmos-protocol.md §3.3).
 *
 * Charges recorded on the service are multiples of 1/21 and grow with the number of indexed values: the constants
 * reproduce every recorded charge. The growth with size follows the documented anchors: 1 RU for reading 1 KB and
 * 10 for 100 KB, about 50 for writing 100 KB.
 */

const UNIT = 1 / 21;

/** The charge of a create without any index, then for each indexed value, in units. */
const CREATE_UNITS = 108;
const TERM_UNITS = 8;
/** The charge of a replace, which takes the old values out of the index as well, in units. */
const REPLACE_UNITS = 200;
/** The charge of refusals, which look the item up, in units. */
const REFUSED_UNITS = 26;
const CONFLICT_UNITS = 33;

const CREATE_PER_KB = 0.45;
const REPLACE_PER_KB = 0.9;

const READ_BASE = 0.91;
const READ_PER_KB = 0.091;

/** The charge of each operation of a patch after the first. */
const PATCH_OPERATION = 0.2;

const KB = 1024;

/** The charge of a read that found nothing, which is that of the smallest read. */
export const NOT_FOUND_CHARGE = 1;
/** The charge of a refused operation (400, 412). */
export const REFUSED_CHARGE: number = REFUSED_UNITS * UNIT;
/** The charge of a refused create (409). */
export const CONFLICT_CHARGE: number = CONFLICT_UNITS * UNIT;
/** The charge of a throttled request (429). */
export const THROTTLED_CHARGE: number = 8 * UNIT;
/** The charge of a read of a container, as seen on the service, and of other resources (assumed). */
export const RESOURCE_READ_CHARGE = 2;
/** The charge of a stored procedure, to which those of its operations are added. */
export const SCRIPT_CHARGE = 4.27;

export function readCharge(sizeBytes: number): number {
  return Math.max(1, READ_BASE + (READ_PER_KB * sizeBytes) / KB);
}

/** @param terms Indexed values, as `countIndexTerms` counts them. */
export function createCharge(terms: number, sizeBytes: number): number {
  return (CREATE_UNITS + TERM_UNITS * terms) * UNIT + CREATE_PER_KB * kilobytesBeyondFirst(sizeBytes);
}

/** Estimates a delete: taking an item out of the index costs what putting it in did. */
export function deleteCharge(terms: number, sizeBytes: number): number {
  return createCharge(terms, sizeBytes);
}

export function replaceCharge(terms: number, sizeBytes: number): number {
  return (REPLACE_UNITS + TERM_UNITS * terms) * UNIT + REPLACE_PER_KB * kilobytesBeyondFirst(sizeBytes);
}

export function patchCharge(terms: number, sizeBytes: number, operations: number): number {
  return replaceCharge(terms, sizeBytes) + PATCH_OPERATION * Math.max(0, operations - 1);
}

function kilobytesBeyondFirst(sizeBytes: number): number {
  return Math.max(0, sizeBytes / KB - 1);
}
