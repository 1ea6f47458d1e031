/**
 * The queries of leases. Every row has the current time of the server's clock in milliseconds, because only the
 * server's times decide what has expired (docs/reference/cosmos-protocol.md §4).
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { spec } from "../service/spec.ts";
import type { DocumentState } from "./arguments.ts";
import type { LeasableDocument } from "./lease.ts";
import type { LeaseSettings, PropertyPath } from "./settings.ts";
import type { StoredLease } from "./stored-lease.ts";

export interface LeasableRow {
  readonly document: LeasableDocument;
  readonly nowMs: number;
}

const ROWS = "SELECT c AS document, GetCurrentTimestampStatic() AS nowMs FROM c WHERE";

export function documentById(id: string): SqlQuerySpec {
  return spec(`${ROWS} c.id = @id`, { "@id": id });
}

/** Documents in the state without a lease, or with a well-formed lease that has ended. */
export function nextInState(settings: LeaseSettings, state: DocumentState): SqlQuerySpec {
  const { stateProperty, orderBy } = settings;
  const order = orderBy === undefined ? "" : ` ORDER BY ${inSql(orderBy)}`;
  return spec(`${ROWS} ${inSql(stateProperty)} = @state AND (${isFreeInSql(settings)})${order}`, {
    "@state": state,
  });
}

/** Returns those of the given documents that are still free. */
export function nextAmong(
  settings: LeaseSettings,
  state: DocumentState,
  ids: readonly string[],
): SqlQuerySpec {
  return spec(
    `${ROWS} ARRAY_CONTAINS(@ids, c.id) AND ${inSql(settings.stateProperty)} = @state AND (${isFreeInSql(settings)})`,
    { "@state": state, "@ids": ids },
  );
}

/** The documents that a request leased whose response was lost. */
export function leasedBy({ leaseProperty }: LeaseSettings, attempt: string): SqlQuerySpec {
  return spec(`${ROWS} ${inSql([leaseProperty, "attempt"])} = @attempt`, { "@attempt": attempt });
}

/** The condition of an update: the document still has the lease. */
export function heldUnder({ leaseProperty }: LeaseSettings, holder: string, token: number): string {
  const property = (name: string): string => inSql([leaseProperty, name]);
  return `FROM c WHERE ${property("token")} = ${token} AND ${property("holder")} = ${JSON.stringify(holder)}`;
}

/**
 * The condition of a patch that writes a lease: the stored lease is the one that was read. Other changes of the
 * document do not matter, so a document that is written often can be leased too.
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
