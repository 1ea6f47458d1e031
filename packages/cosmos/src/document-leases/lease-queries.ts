/**
 * The questions that leases ask. Every row comes with the present by the server's clock, in milliseconds: what is
 * expired is decided by the server's times alone (docs/reference/cosmos-protocol.md §4).
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { DocumentState } from "./arguments.ts";
import type { LeasableDocument } from "./lease.ts";
import type { LeaseSettings, PropertyPath } from "./settings.ts";
import type { StoredLease } from "./stored-lease.ts";

export interface Row {
  readonly document: LeasableDocument;
  readonly nowMs: number;
}

const ROWS = "SELECT c AS document, GetCurrentTimestampStatic() AS nowMs FROM c WHERE";

export function documentById(id: string): SqlQuerySpec {
  return { query: `${ROWS} c.id = @id`, parameters: [{ name: "@id", value: id }] };
}

/** Documents in the state whose lease, if there is one, is well formed and hinders nobody. */
export function nextInState(settings: LeaseSettings, state: DocumentState): SqlQuerySpec {
  const { stateProperty, orderBy } = settings;
  const order = orderBy === undefined ? "" : ` ORDER BY ${inSql(orderBy)}`;
  return {
    query: `${ROWS} ${inSql(stateProperty)} = @state AND (${isFreeInSql(settings)})${order}`,
    parameters: [{ name: "@state", value: state }],
  };
}

/** Of these documents the ones that are still to be had. */
export function nextAmong(
  settings: LeaseSettings,
  state: DocumentState,
  ids: readonly string[],
): SqlQuerySpec {
  return {
    query: `${ROWS} ARRAY_CONTAINS(@ids, c.id) AND ${inSql(settings.stateProperty)} = @state AND (${isFreeInSql(settings)})`,
    parameters: [
      { name: "@state", value: state },
      { name: "@ids", value: [...ids] },
    ],
  };
}

/** What a request wrote whose answer was lost. */
export function leasedBy({ leaseProperty }: LeaseSettings, attempt: string): SqlQuerySpec {
  return {
    query: `${ROWS} ${inSql([leaseProperty, "attempt"])} = @attempt`,
    parameters: [{ name: "@attempt", value: attempt }],
  };
}

/** What a patch checks on the document in the moment of writing. */
export function heldUnder({ leaseProperty }: LeaseSettings, holder: string, token: number): string {
  const property = (name: string): string => inSql([leaseProperty, name]);
  return `FROM c WHERE ${property("token")} = ${token} AND ${property("holder")} = ${JSON.stringify(holder)}`;
}

/**
 * What a patch that writes a lease checks: that the lease is still the one that was read. Other writes of the document
 * do not matter, so that one which is written all the time can be leased too.
 */
export function unchangedSince(
  { leaseProperty, stateProperty }: LeaseSettings,
  stored: StoredLease,
  state: DocumentState | undefined,
): string {
  const lease = inSql([leaseProperty]);
  const isInState = state === undefined ? "" : ` AND ${inSql(stateProperty)} = ${JSON.stringify(state)}`;
  if (!("lease" in stored)) return `FROM c WHERE (NOT IS_DEFINED(${lease}) OR IS_NULL(${lease}))${isInState}`;
  const { token, attempt } = stored.lease;
  const isSameAttempt =
    attempt === undefined
      ? `NOT IS_DEFINED(${lease}.attempt)`
      : `${lease}.attempt = ${JSON.stringify(attempt)}`;
  return `FROM c WHERE ${lease}.token = ${token} AND ${isSameAttempt}${isInState}`;
}

/** The counterpart of `isFree` in stored-lease.ts. */
function isFreeInSql({ leaseProperty }: LeaseSettings): string {
  const lease = inSql([leaseProperty]);
  const isWellFormed = `IS_STRING(${lease}.holder) AND IS_NUMBER(${lease}.acquiredAtMs) AND IS_NUMBER(${lease}.durationMs)`;
  const isExpired = `${lease}.expiresAtMs <= GetCurrentTimestampStatic()`;
  return `NOT IS_DEFINED(${lease}) OR IS_NULL(${lease}) OR (IS_NUMBER(${lease}.token) AND (NOT IS_DEFINED(${lease}.holder) OR (${isExpired} AND ${isWellFormed})))`;
}

function inSql(path: PropertyPath): string {
  return `c${path.map((name) => `[${JSON.stringify(name)}]`).join("")}`;
}
