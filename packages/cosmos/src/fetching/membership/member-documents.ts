/**
 * The documents of the members, one for each process, in a partition of their own. Rust and former versions of this
 * package do not know their type and pass over them. What cannot be read is no member; it stops no process.
 */
import type { Body, Stored } from "../../documents/body.ts";
import { LEASES_PARTITION, memberDocumentId } from "../../documents/ids.ts";
import type { Call } from "../../service/requests.ts";

/** Raised when what the documents mean changes; documents of another layout are no members of this one. */
const LAYOUT = 1;

/** Query of a few fields of each, because every member reads all of it with every beat. */
const QUERY = "SELECT c._ts, c.layout, c.member, c.leaseMs, c.groups FROM c WHERE c.type = 'member'";

/** One process and what it asks for. */
export interface Member {
  readonly id: string;
  readonly leaseMs: number;
  /** Time from the last request of the process for a group until the document was written, ms, by group. */
  readonly groups: ReadonlyMap<string, number>;
}

export interface StoredMember extends Member {
  /** Time at which the service stored it, by the service's clock, whole seconds since the epoch. */
  readonly ts: number;
}

/** Renews the lease of the member. */
export async function writeMember(call: Call, member: Member): Promise<void> {
  await call.batch(LEASES_PARTITION, [{ kind: "upsert", body: memberBody(member) }]);
}

export async function removeMember(call: Call, id: string): Promise<void> {
  await call.batch(LEASES_PARTITION, [{ kind: "delete", id: memberDocumentId(id) }]);
}

export async function readMembers(call: Call): Promise<readonly StoredMember[]> {
  const found = await call.query(LEASES_PARTITION, QUERY);
  return found.flatMap(toMember);
}

function memberBody({ id, leaseMs, groups }: Member): Body {
  return {
    id: memberDocumentId(id),
    instanceId: LEASES_PARTITION,
    type: "member",
    layout: LAYOUT,
    member: id,
    leaseMs,
    groups: Object.fromEntries(groups),
    // Housekeeping: the service deletes the documents of dead processes.
    ttl: Math.ceil((2 * leaseMs) / 1_000),
  };
}

function toMember({ member, layout, leaseMs, groups, _ts }: Stored): readonly StoredMember[] {
  const isOurs = layout === LAYOUT && typeof member === "string" && isCount(leaseMs) && isCount(_ts);
  if (!isOurs || typeof groups !== "object" || groups === null) return [];
  const asked = Object.entries(groups).filter((entry): entry is [string, number] => isCount(entry[1]));
  return [{ id: member, leaseMs, ts: _ts, groups: new Map(asked) }];
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
