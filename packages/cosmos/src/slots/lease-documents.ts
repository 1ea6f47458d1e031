/**
 * The documents behind slot leases, in a partition of their own: one for each member, one table for each group
 * (docs/decisions/0016). Rust does not know their types and passes over them. What cannot be read is nothing, or
 * somebody else's; it never stops anybody.
 */
import type { Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { Requests, Stored } from "../requests/requests.ts";
import { DISPATCH_SLOTS } from "../schema/dispatch-slot.ts";
import { LEASES_PARTITION, slotMemberDocumentId } from "../schema/ids.ts";
import type { Owners } from "./rebalance.ts";

/** Raised when what the documents mean changes; documents of a later layout are left to those who know it. */
const LAYOUT = 1;

/** A table that nobody uses any more is removed by the service; one in use is written anew before that. */
const TABLE_TTL_SECONDS = 7 * 24 * 60 * 60;

const QUERY = "SELECT * FROM c WHERE c.type = 'slot_member' OR ARRAY_CONTAINS(@tables, c.id)";

/** One process in the groups that it asks for. */
export interface Member {
  readonly id: string;
  readonly leaseMs: number;
  /** For each group, by the id of its table: how long before the write it was asked for last. */
  readonly idleMs: ReadonlyMap<string, number>;
}

export interface StoredMember extends Member {
  /** When the service stored it, by the service's clock, whole seconds since the epoch. */
  readonly ts: number;
}

export interface Table {
  readonly etag: string;
  readonly ts: number;
  /** `later-layout`: not ours to read or to change. `spoiled`: of our layout, or of none, and not as we write it. */
  readonly content: Owners | "later-layout" | "spoiled";
}

export interface LeaseDocumentsRead {
  readonly members: readonly StoredMember[];
  /** By the id of the table's document; none where there is no table yet. */
  readonly tables: ReadonlyMap<string, Table>;
}

export class LeaseDocuments {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Renews the lease of the member. */
  async writeMember(call: Call, member: Member): Promise<void> {
    await this.#requests.batch(call, LEASES_PARTITION, [{ kind: "upsert", body: memberBody(member) }]);
  }

  async removeMember(call: Call, id: string): Promise<void> {
    await this.#requests.batch(call, LEASES_PARTITION, [{ kind: "delete", id: slotMemberDocumentId(id) }]);
  }

  /** Whether the table was still as it was read; `undefined` for one that did not exist. */
  async writeTable(call: Call, id: string, owners: Owners, before: Table | undefined): Promise<boolean> {
    const body = tableBody(id, owners);
    const outcome = await this.#requests.batch(call, LEASES_PARTITION, [
      before === undefined ? { kind: "create", body } : { kind: "replace", id, body, ifMatch: before.etag },
    ]);
    return outcome.ok;
  }

  async read(call: Call, tables: readonly string[]): Promise<LeaseDocumentsRead> {
    const parameters = [{ name: "@tables", value: [...tables] }];
    const found = await this.#requests.query(call, LEASES_PARTITION, { query: QUERY, parameters });
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

function memberBody({ id, leaseMs, idleMs }: Member): Body {
  return {
    id: slotMemberDocumentId(id),
    instanceId: LEASES_PARTITION,
    type: "slot_member",
    layout: LAYOUT,
    member: id,
    leaseMs,
    idleMs: Object.fromEntries(idleMs),
    // Nobody goes by it; it keeps those who died from piling up.
    ttl: Math.ceil((2 * leaseMs) / 1_000),
  };
}

function toMember({ member, layout, leaseMs, idleMs, _ts }: Stored): StoredMember[] {
  const isOurs = layout === LAYOUT && typeof member === "string" && isCount(leaseMs) && isCount(_ts);
  if (!isOurs || typeof idleMs !== "object" || idleMs === null) return [];
  const groups = Object.entries(idleMs).filter((entry): entry is [string, number] => isCount(entry[1]));
  return [{ id: member, leaseMs, ts: _ts, idleMs: new Map(groups) }];
}

/** The owners are indexes into the list of members: readable, and a few bytes for each slot. */
function tableBody(id: string, owners: Owners): Body {
  const members = [...new Set(owners)];
  return {
    id,
    instanceId: LEASES_PARTITION,
    type: "slot_table",
    layout: LAYOUT,
    members,
    owners: owners.map((owner) => members.indexOf(owner)),
    ttl: TABLE_TTL_SECONDS,
  };
}

function toTable(stored: Stored): [string, Table] {
  const { id, _etag: etag, _ts, layout } = stored;
  const isLater = typeof layout === "number" && layout > LAYOUT;
  const content = isLater ? "later-layout" : (toOwners(stored) ?? "spoiled");
  return [id, { etag, ts: isCount(_ts) ? _ts : 0, content }];
}

function toOwners({ layout, members, owners }: Stored): Owners | undefined {
  if (layout !== LAYOUT || !Array.isArray(members) || !Array.isArray(owners)) return undefined;
  const named = owners.map((index: unknown) => (isCount(index) ? (members[index] as unknown) : undefined));
  const isWhole = named.length === DISPATCH_SLOTS && named.every((owner) => typeof owner === "string");
  return isWhole ? (named as readonly string[]) : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
