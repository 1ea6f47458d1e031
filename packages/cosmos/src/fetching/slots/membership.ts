/**
 * The documents behind slot leases, in a partition of their own: one for each member, one table for each group
 * (docs/decisions/0016). Rust does not know their types and passes over them. What cannot be read is nothing, or
 * somebody else's; it never stops anybody.
 */

import type { Body, Stored } from "../../documents/body.ts";
import { DISPATCH_SLOTS } from "../../documents/dispatch-slot.ts";
import { LEASES_PARTITION, slotMemberDocumentId } from "../../documents/ids.ts";
import type { Call } from "../../service/service.ts";
import type { Division } from "./rebalance.ts";

/** Raised when what the documents mean changes; documents of a later layout are left to those who know it. */
const LAYOUT = 1;

/** A table that nobody uses any more is removed by the service; one in use is written anew before that. */
const TABLE_TTL_SECONDS = 7 * 24 * 60 * 60;

/** What is read of each, since everybody reads all of it with every beat. */
const QUERY = `SELECT c.id, c.type, c._etag, c._ts, c.layout, c.member, c.leaseMs, c.groups, c.version, c.members,
  c.owners, c.since FROM c WHERE c.type = 'slot_member' OR ARRAY_CONTAINS(@tables, c.id)`;

/** How a process asks for the slots of a group. */
export interface Asking {
  /** How long before the document was written it did so last. */
  readonly idleMs: number;
  /** The version of the table by which it knew its slots then; 0 where it had none. */
  readonly version: number;
}

/** One process in the groups that it asks for. */
export interface Member {
  readonly id: string;
  readonly leaseMs: number;
  /** By the id of the group's table. */
  readonly groups: ReadonlyMap<string, Asking>;
}

export interface StoredMember extends Member {
  /** When the service stored it, by the service's clock, whole seconds since the epoch. */
  readonly ts: number;
}

export interface Table {
  readonly etag: string;
  readonly ts: number;
  /** `later-layout`: not ours to read or to change. `spoiled`: of our layout, or of none, and not as we write it. */
  readonly content: Division | "later-layout" | "spoiled";
}

export interface LeaseDocumentsRead {
  readonly members: readonly StoredMember[];
  /** By the id of the table's document; none where there is no table yet. */
  readonly tables: ReadonlyMap<string, Table>;
}

export class LeaseDocuments {
  /** Renews the lease of the member. */
  async writeMember(call: Call, member: Member): Promise<void> {
    await call.batch(LEASES_PARTITION, [{ kind: "upsert", body: memberBody(member) }]);
  }

  async removeMember(call: Call, id: string): Promise<void> {
    await call.batch(LEASES_PARTITION, [{ kind: "delete", id: slotMemberDocumentId(id) }]);
  }

  /** Whether the table was still as it was read; `undefined` for one that did not exist. */
  async writeTable(call: Call, id: string, division: Division, before: Table | undefined): Promise<boolean> {
    const body = tableBody(id, division);
    const outcome = await call.batch(LEASES_PARTITION, [
      before === undefined ? { kind: "create", body } : { kind: "replace", id, body, ifMatch: before.etag },
    ]);
    return outcome.ok;
  }

  async read(call: Call, tables: readonly string[]): Promise<LeaseDocumentsRead> {
    const parameters = [{ name: "@tables", value: [...tables] }];
    const found = await call.query(LEASES_PARTITION, { query: QUERY, parameters });
    return {
      members: found.filter(({ type }) => type === "slot_member").flatMap(toMember),
      tables: new Map(found.filter(({ type }) => type === "slot_table").map(toTable)),
    };
  }
}

/** An unused table is older than one in use ever becomes. */
export function isDueForRenewal({ ts }: Table, newestTs: number): boolean {
  return newestTs - ts > TABLE_TTL_SECONDS / 2;
}

function memberBody({ id, leaseMs, groups }: Member): Body {
  return {
    id: slotMemberDocumentId(id),
    instanceId: LEASES_PARTITION,
    type: "slot_member",
    layout: LAYOUT,
    member: id,
    leaseMs,
    groups: Object.fromEntries(groups),
    // Housekeeping: expires documents of dead processes.
    ttl: Math.ceil((2 * leaseMs) / 1_000),
  };
}

function toMember({ member, layout, leaseMs, groups, _ts }: Stored): StoredMember[] {
  const isOurs = layout === LAYOUT && typeof member === "string" && isCount(leaseMs) && isCount(_ts);
  if (!isOurs || typeof groups !== "object" || groups === null) return [];
  const asked = Object.entries(groups).filter((entry): entry is [string, Asking] => isAsking(entry[1]));
  return [{ id: member, leaseMs, ts: _ts, groups: new Map(asked) }];
}

function isAsking(value: unknown): value is Asking {
  const { idleMs, version } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return isCount(idleMs) && isCount(version);
}

/** The owners are indexes into the list of members: readable, and a few bytes for each slot. */
function tableBody(id: string, { version, owners, since }: Division): Body {
  const members = [...new Set(owners)];
  return {
    id,
    instanceId: LEASES_PARTITION,
    type: "slot_table",
    layout: LAYOUT,
    version,
    members,
    owners: owners.map((owner) => members.indexOf(owner)),
    since,
    ttl: TABLE_TTL_SECONDS,
  };
}

function toTable(stored: Stored): [string, Table] {
  const { id, _etag: etag, _ts, layout } = stored;
  const isLater = typeof layout === "number" && layout > LAYOUT;
  const content = isLater ? "later-layout" : (toDivision(stored) ?? "spoiled");
  return [id, { etag, ts: isCount(_ts) ? _ts : 0, content }];
}

function toDivision({ layout, version, members, owners, since }: Stored): Division | undefined {
  if (layout !== LAYOUT || !isCount(version) || !Array.isArray(members)) return undefined;
  if (!isListOfSlots(owners) || !isListOfSlots(since)) return undefined;
  const named = owners.map((index): unknown => members[index]);
  return named.every((owner) => typeof owner === "string") ? { version, owners: named, since } : undefined;
}

/** A number for each slot. */
function isListOfSlots(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length === DISPATCH_SLOTS && value.every(isCount);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
